"""What is known of the machine that measures, and what about it makes measurements worse.

Everything is read from files and commands that may be missing; what cannot be told is "unknown".
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Callable, Mapping, Sequence

Read = Callable[[str], str | None]  # the text of a file, or None
Run = Callable[[Sequence[str]], str | None]  # what a command prints, or None: it is not there
Facts = Mapping[str, str]

UNKNOWN = "unknown"
_CPU = "/sys/devices/system/cpu"
_GOVERNOR = f"{_CPU}/cpu0/cpufreq/scaling_governor"
_CGROUP = "/sys/fs/cgroup"
_PMU = "/sys/bus/event_source/devices/cpu/type"
_HYBRID_PMU = "/sys/bus/event_source/devices/cpu_core/type"


def facts(read: Read, run: Run, cpus: int, kernel: str) -> dict[str, str]:
    """By name, in the order in which they are shown."""
    cpuinfo = read("/proc/cpuinfo") or ""
    return {
        "CPU": cpu_model(cpuinfo),
        "CPUs": str(cpus),
        "memory": memory(read("/proc/meminfo") or ""),
        "kernel": kernel,
        "virtualisation": virtualisation(run(["systemd-detect-virt", "--vm"]), cpuinfo,
                                         read("/sys/hypervisor/type"),
                                         read("/sys/class/dmi/id/sys_vendor")),
        "container": container(run(["systemd-detect-virt", "--container"]),
                               read("/proc/1/cgroup"), read("/.dockerenv")),
        "CPU limit": cpu_limit(read(f"{_CGROUP}/cpu.max"),
                               read(f"{_CGROUP}/cpu/cpu.cfs_quota_us"),
                               read(f"{_CGROUP}/cpu/cpu.cfs_period_us")),
        "memory limit": memory_limit(read(f"{_CGROUP}/memory.max") or
                                     read(f"{_CGROUP}/memory/memory.limit_in_bytes")),
        "governor": (read(_GOVERNOR) or UNKNOWN).strip(),
        "frequency range": frequency_range(read(f"{_CPU}/cpu0/cpufreq/scaling_min_freq"),
                                           read(f"{_CPU}/cpu0/cpufreq/scaling_max_freq")),
        "turbo": turbo(read(f"{_CPU}/intel_pstate/no_turbo"), read(f"{_CPU}/cpufreq/boost")),
        "SMT": switch(read(f"{_CPU}/smt/active")),
        "transparent hugepages": selected(read("/sys/kernel/mm/transparent_hugepage/enabled")),
        "ASLR": aslr(read("/proc/sys/kernel/randomize_va_space")),
        "perf_event_paranoid": (read("/proc/sys/kernel/perf_event_paranoid") or UNKNOWN).strip(),
        "sched_autogroup": switch(read("/proc/sys/kernel/sched_autogroup_enabled")),
        "PMU": "yes" if read(_PMU) or read(_HYBRID_PMU) else "none",
        "clock source": (read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
                         or UNKNOWN).strip(),
    }


def cpu_model(cpuinfo: str) -> str:
    model = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return model[1].strip() if model else UNKNOWN


def memory(meminfo: str) -> str:
    kib = re.search(r"^MemTotal:\s*(\d+) kB$", meminfo, re.MULTILINE)
    return f"{int(kib[1]) / 2**20:.0f} GiB" if kib else UNKNOWN


def virtualisation(detected: str | None, cpuinfo: str, hypervisor: str | None,
                   vendor: str | None) -> str:
    """systemd's word first; then Xen's folder, the CPU's own flag, and the vendor by DMI."""
    if detected and detected.strip() not in ("", "none"):
        return detected.strip()
    if hypervisor:
        return hypervisor.strip()
    if re.search(r"^flags\s*:.*\bhypervisor\b", cpuinfo, re.MULTILINE):
        return f"a hypervisor ({vendor.strip()})" if vendor else "a hypervisor"
    return "none" if detected or re.search(r"^flags\s*:", cpuinfo, re.MULTILINE) else UNKNOWN


def container(detected: str | None, cgroup: str | None, docker: str | None) -> str:
    if detected and detected.strip() not in ("", "none"):
        return detected.strip()
    if docker is not None:
        return "docker"
    named = re.search(r"\b(docker|kubepods|lxc|libpod|containerd)\b", cgroup or "")
    return named[1] if named else "none"


def cpu_limit(maximum: str | None, quota: str | None, period: str | None) -> str:
    """From cgroup v2's cpu.max, else from version 1's quota and period."""
    parts = (maximum or f"{(quota or '').strip()} {(period or '').strip()}").split()
    if len(parts) != 2:
        return "none" if maximum is None and quota is None else UNKNOWN
    if parts[0] in ("max", "-1"):
        return "none"
    return f"{int(parts[0]) / int(parts[1]):g} CPUs"


def memory_limit(text: str | None) -> str:
    if text is None or text.strip() == "max" or int(text) >= 2**60:  # version 1's word for none
        return "none"
    return f"{int(text) / 2**30:.1f} GiB"


def frequency_range(lowest: str | None, highest: str | None) -> str:
    if lowest is None or highest is None:
        return UNKNOWN
    return f"{int(lowest) / 1e6:.2f}-{int(highest) / 1e6:.2f} GHz"


def turbo(no_turbo: str | None, boost: str | None) -> str:
    if no_turbo is not None:
        return "off" if no_turbo.strip() == "1" else "on"
    return switch(boost)


def switch(text: str | None) -> str:
    return {"0": "off", "1": "on"}.get((text or "").strip(), UNKNOWN)


def selected(text: str | None) -> str:
    """Of `always [madvise] never`."""
    word = re.search(r"\[(\w+)\]", text or "")
    return word[1] if word else UNKNOWN


def aslr(text: str | None) -> str:
    return {"0": "off", "1": "without the heap", "2": "on"}.get((text or "").strip(), UNKNOWN)


def warnings(known: Facts) -> list[str]:
    """One sentence for each thing that makes measurements less certain, and what to do."""
    governor, cpus = known["governor"], int(known["CPUs"])
    lowest, _, highest = known["frequency range"].removesuffix(" GHz").partition("-")
    found = [
        (governor not in (UNKNOWN, "performance"),
         f"governor is {governor}: the frequency follows the load; use performance"),
        (governor == UNKNOWN and known["virtualisation"] not in ("none", UNKNOWN),
         "the CPU's frequency is the host's and cannot be seen from here"),
        (governor not in (UNKNOWN, "performance") and lowest != highest,
         f"the frequency may be anything in {known['frequency range']}"),
        (known["turbo"] == "on", "turbo is on: the frequency depends on temperature and on how "
                                 "many cores are busy"),
        (known["SMT"] == "on", "SMT is on: two threads of one core slow each other down"),
        (known["virtualisation"] not in ("none", UNKNOWN),
         f"runs in a virtual machine ({known['virtualisation']}): what others do on the host shows "
         "as noise, in CPU time, too"),
        (known["CPU limit"] not in ("none", UNKNOWN),
         f"a cgroup limits this to {known['CPU limit']}: throttling stops the program for "
         "milliseconds"),
        (known["memory limit"] != "none",
         f"a cgroup limits memory to {known['memory limit']}"),
        (known["transparent hugepages"] == "always",
         "transparent hugepages are always on: when pages are merged differs from run to run"),
        (known["ASLR"] in ("on", "without the heap"),
         "ASLR is on: the layout of memory differs from run to run; only medians over runs mean "
         "something"),
        (known["sched_autogroup"] == "on",
         "sched_autogroup is on: niceness counts only within a session"),
        (known["PMU"] == "none",
         "no hardware counters: --trigger hpm falls back to the kernel's cpu-clock"),
        (known["perf_event_paranoid"] not in (UNKNOWN, "-1", "0", "1", "2"),
         f"perf_event_paranoid is {known['perf_event_paranoid']}: perf events are for root only"),
        (cpus < 4, f"only {cpus} CPU{'s' if cpus > 1 else ''}: compilers, collector and program "
                   "take turns"),
    ]
    return [sentence for applies, sentence in found if applies]


def load_warning(loads: Sequence[float], cpus: int) -> str | None:
    """`loads` are the averages over a minute before each run; the run before that is part of it."""
    busy = sum(load > cpus for load in loads)
    if not busy:
        return None
    return (f"more was to be done than there are CPUs before {busy} of {len(loads)} runs: load up "
            f"to {max(loads):.1f} on {cpus} CPUs")


def of_this_machine() -> dict[str, str]:
    return facts(_read, _run, os.cpu_count() or 1, f"{platform.system()} {platform.release()}")


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return None


def _run(command: Sequence[str]) -> str | None:
    """systemd-detect-virt exits with 1 when it says "none"."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=10).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
