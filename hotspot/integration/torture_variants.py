"""The ways to run the torture test: collectors, and what makes a VM's life harder."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from typing import Mapping, Sequence

from eval.jdks import Jdk
from hotspot.integration import jvm

COLLECTORS = ("Serial", "Parallel", "G1", "Z", "Shenandoah")
_DIAGNOSTIC = "-XX:+UnlockDiagnosticVMOptions"


@dataclass(frozen=True)
class Variant:
    """How the program is run. `noise`: lines that the VM itself may print here."""

    what: str
    flags: Sequence[str] = ()
    by_collector: Mapping[str, Sequence[str]] = field(default_factory=dict)
    since: Mapping[int, Sequence[str]] = field(default_factory=dict)  # More, from this JDK on.
    heap: Sequence[str] = ("-Xmx256m",)
    share: float = 1.0  # Of the rounds that others take: for the slow.
    collect_every_millis: int = 0
    attaches: bool = False  # The agent comes and goes, instead of being there from the start.
    noise: str = r"(?!)"  # Nothing.
    oldest: int = 11  # JDK that knows the flags.
    module: str = "java.base"  # That the JDK must have.

    def is_for(self, jdk: Jdk) -> bool:
        crashes = self.attaches and jvm.may_crash_when_rewritten(jdk)
        return jdk.major >= self.oldest and self.module in jdk.modules and not crashes

    def jvm_options(self, jdk: Jdk, collector: str) -> list[str]:
        since = [flag for major, flags in self.since.items() if jdk.major >= major
                 for flag in flags]
        return [f"-XX:+Use{collector}GC", *self.heap, *self.flags, *since,
                *self.by_collector.get(collector, ())]

    @property
    def uncompared(self) -> frozenset[str]:
        """Stressors that run, but whose results the VM itself changes: a class that any agent
        retransforms loses its redefinition, always before JDK 21 (JDK-7124710), and later when both
        happen at the same time, since RetransformClasses takes the class's bytes before it locks
        the class."""
        return frozenset({"redefinitions"} if self.attaches else ())

    def is_noise(self, line: str) -> bool:
        return re.fullmatch(self.noise, line) is not None


VARIANTS: Mapping[str, Variant] = {
    "plain": Variant("as it comes"),
    "code-cache": Variant(
        "a tiny code cache, that fills up and is swept",
        ["-XX:ReservedCodeCacheSize=4m", "-XX:-SegmentedCodeCache"],
        noise=r".*(CodeCache is full|CodeHeap|Try increasing the code cache).*"
              r"|CodeCache: size=.*"
              r"| *(bounds|total_blobs|compilation:|stopped_count|full_count).*"),
    "verify": Variant(
        "the heap, the code cache and the VM's tables are verified at each collection",
        [_DIAGNOSTIC], heap=["-Xmx128m"], share=0.6, collect_every_millis=200,
        by_collector={
            "Serial": ["-Xmn8m", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"],
            "Parallel": ["-Xmn8m", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC"],
            "G1": ["-Xmn8m", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-XX:+VerifyDuringGC"],
            "Z": ["-XX:+ZVerifyRoots", "-XX:+ZVerifyObjects", "-XX:+ZVerifyMarking",
                  "-XX:+ZVerifyForwarding"],
            "Shenandoah": ["-XX:+ShenandoahVerify"]}),
    "constant-gc": Variant(
        "garbage collections without a pause between them", [_DIAGNOSTIC], heap=["-Xmx96m"],
        share=0.8, collect_every_millis=20,
        by_collector={
            "Serial": ["-Xmn2m"],
            "Parallel": ["-Xmn2m"],
            "G1": ["-Xmn4m", "-XX:+ExplicitGCInvokesConcurrent"],
            "Z": ["-XX:ZCollectionInterval=0.02"],
            "Shenandoah": ["-XX:ShenandoahGCHeuristics=aggressive"]}),
    "deoptimize": Variant("entry barriers that deoptimise for nothing",
                          [_DIAGNOSTIC, "-XX:+DeoptimizeNMethodBarriersALot"], oldest=17,
                          collect_every_millis=200),
    "safepoints": Variant("safepoints and handshakes all the time",
                          [_DIAGNOSTIC, "-XX:+SafepointALot", "-XX:+HandshakeALot",
                           "-XX:GuaranteedSafepointInterval=5"], oldest=17),
    "jfr": Variant(
        "Flight Recorder samples as well",
        ["-XX:StartFlightRecording=filename=beside.jfr,settings=profile", "-Xlog:disable",
         "-Xlog:all=error:stderr"], module="jdk.jfr",
        # Of several such options each is a recording of its own. This one samples by signals.
        since={25: ["-XX:StartFlightRecording=filename=cpu.jfr,jdk.CPUTimeSample#enabled=true,"
                    "jdk.CPUTimeSample#throttle=5ms"]}),
    "attach": Variant("the agent comes and goes", attaches=True, share=0.6,
                      since={21: ["-XX:+EnableDynamicAgentLoading"]},
                      # When it comes as the program ends.
                      noise=r"yieldpoint: this JVM does not take agents at this moment, .*"),
    "xcomp": Variant(
        "everything is compiled before it runs", ["-Xcomp"], share=0.1,
        # JDK 17, without our agent too: a class is loaded where the stack is about to end.
        noise=r"\*\*\* java\.lang\.instrument ASSERTION FAILED \*\*\*: .*transform method call "
              r"failed.*"),
    "c1": Variant("C1 only", ["-XX:TieredStopAtLevel=1"]),
    "fork": Variant("processes start by fork instead of a helper",
                    ["-Djdk.lang.Process.launchMechanism=FORK"]),
}


def has_collector(jdk: Jdk, collector: str) -> bool:
    probe = subprocess.run([jdk.java, f"-XX:+Use{collector}GC", "-version"], capture_output=True,
                           check=False)
    return probe.returncode == 0
