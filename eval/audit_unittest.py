import unittest

from eval import audit

_CPUINFO = """processor\t: 0
model name\t: A CPU @ 2.50GHz
flags\t\t: fpu vme {flag} lahf_lm
"""
_METAL = {
    "/proc/cpuinfo": _CPUINFO.format(flag="ht"),
    "/proc/meminfo": "MemTotal:       33554432 kB\nMemFree: 1 kB\n",
    "/proc/1/cgroup": "0::/init.scope\n",
    "/sys/fs/cgroup/cpu.max": "max 100000\n",
    "/sys/fs/cgroup/memory.max": "max\n",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq": "800000\n",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq": "3600000\n",
    "/sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
    "/sys/devices/system/cpu/smt/active": "0\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "/proc/sys/kernel/randomize_va_space": "0\n",
    "/proc/sys/kernel/perf_event_paranoid": "1\n",
    "/proc/sys/kernel/sched_autogroup_enabled": "0\n",
    "/sys/bus/event_source/devices/cpu/type": "4\n",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
}


def known(files=None, detected="none\n", cpus=8, without=()):
    texts = {path: text for path, text in {**_METAL, **(files or {})}.items()
             if path not in without}
    return audit.facts(texts.get, lambda command: detected, cpus, "Linux 6.1")


class Facts(unittest.TestCase):
    def test_a_quiet_machine_of_ones_own_gives_no_warning(self):
        facts = known()
        self.assertEqual([], audit.warnings(facts))
        self.assertEqual(("A CPU @ 2.50GHz", "32 GiB", "none", "0.80-3.60 GHz", "madvise", "yes"),
                         tuple(facts[name] for name in (
                             "CPU", "memory", "virtualisation", "frequency range",
                             "transparent hugepages", "PMU")))

    def test_where_nothing_can_be_read_it_says_so_and_does_not_warn_of_what_it_does_not_know(self):
        facts = audit.facts(lambda path: None, lambda command: None, 8, "Linux")
        for name in ("CPU", "memory", "virtualisation", "governor", "turbo", "SMT", "ASLR"):
            self.assertEqual("unknown", facts[name], name)
        self.assertEqual(["no hardware counters: --trigger hpm falls back to the kernel's "
                          "cpu-clock"], audit.warnings(facts))

    def test_each_disturbance_has_its_warning(self):
        cpu = "/sys/devices/system/cpu/"
        for path, text, words in (
                (f"{cpu}cpu0/cpufreq/scaling_governor", "powersave\n", "governor is powersave"),
                (f"{cpu}intel_pstate/no_turbo", "0\n", "turbo is on"),
                (f"{cpu}smt/active", "1\n", "SMT is on"),
                ("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never",
                 "hugepages are always on"),
                ("/proc/sys/kernel/randomize_va_space", "2\n", "ASLR is on"),
                ("/proc/sys/kernel/perf_event_paranoid", "4\n", "perf_event_paranoid is 4"),
                ("/proc/sys/kernel/sched_autogroup_enabled", "1\n", "sched_autogroup is on"),
                ("/sys/fs/cgroup/cpu.max", "150000 100000\n", "limits this to 1.5 CPUs"),
                ("/sys/fs/cgroup/memory.max", "2147483648\n", "limits memory to 2.0 GiB"),
                ("/proc/cpuinfo", _CPUINFO.format(flag="hypervisor"), "virtual machine")):
            with self.subTest(path):
                found = audit.warnings(known({path: text}))
                self.assertTrue(any(words in sentence for sentence in found), found)

    def test_few_cpus_and_no_counters_are_told(self):
        found = " ".join(audit.warnings(known(cpus=1, without=(
            "/sys/bus/event_source/devices/cpu/type",))))
        self.assertIn("no hardware counters", found)
        self.assertIn("only 1 CPU:", found)


class Virtualisation(unittest.TestCase):
    def test_is_told_by_whoever_knows_it_best(self):
        for detected, flag, hypervisor, vendor, expected in (
                ("kvm\n", "hypervisor", "xen\n", "QEMU\n", "kvm"),
                ("none\n", "ht", "xen\n", None, "xen"),
                (None, "hypervisor", None, "QEMU\n", "a hypervisor (QEMU)"),
                (None, "ht", None, "Dell Inc.\n", "none")):
            self.assertEqual(expected, audit.virtualisation(
                detected, _CPUINFO.format(flag=flag), hypervisor, vendor))


class Limits(unittest.TestCase):
    def test_are_read_from_both_versions_of_cgroups(self):
        self.assertEqual("none", audit.cpu_limit(None, "-1\n", "100000\n"))
        self.assertEqual("0.5 CPUs", audit.cpu_limit(None, "50000\n", "100000\n"))
        self.assertEqual("none", audit.memory_limit("9223372036854771712\n"))

    def test_a_container_is_told_without_systemd(self):
        self.assertEqual("kubepods", audit.container(None, "0::/kubepods/besteffort/pod1", None))
        self.assertEqual("docker", audit.container(None, "0::/", ""))


class Load(unittest.TestCase):
    def test_of_others_is_told_with_how_often_and_how_much(self):
        self.assertIsNone(audit.load_warning([0.2, 1.0, 1.9], 2))
        self.assertIn("before 2 of 3 runs: load up to 7.5 on 2 CPUs",
                      audit.load_warning([0.2, 2.5, 7.5], 2))


if __name__ == "__main__":
    unittest.main()
