"""Makes the runs of a plan that a results folder does not have yet."""

from __future__ import annotations

import datetime
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from eval import measure, stats
from eval.accuracy import Recorder, reference_profile
from eval.built import Built, own_cost, whole
from eval.experiment import split_configuration
from eval.jdks import Jdk
from eval.progress import Progress
from eval.recording import Recording
from eval.run.folder import Failure, Folder, Run
from eval.run.plan import Plan
from eval.warm_up import warm_up
from eval.workloads import runner
from eval.workloads.manifest import Workload


@dataclass(frozen=True)
class Bench:
    """Runs a program once, as a user would: the profiled ones behind `yp run`."""

    plan: Plan
    built: Built
    folder: Folder
    shared_references: Path

    def reference(self, workload: Workload, jdk: Jdk) -> None:
        """The exact profile: that of an earlier evaluation, or a new one."""
        recorder = Recorder(self.built, workload, jdk, self.plan.gc, self.folder.root)
        shared = reference_profile(recorder, self.plan.exact_iterations, self.shared_references)
        try:
            recorder.info(shared)
        except measure.Failed:
            shared.unlink()  # or it would fail for ever
            raise
        self.folder.keep_reference(workload.name, jdk.version, shared)

    def record(self, workload: Workload, jdk: Jdk, configuration: str, run: int) -> Recording:
        """Raises measure.Failed when the program fails or gives another result, or when the profile
        is not whole."""
        gc = f"-XX:+Use{self.plan.gc}GC"
        profile = None
        if configuration in self.plan.configurations:
            profile = self.folder.profile(workload.name, jdk.version, configuration, run)
            profile.unlink(missing_ok=True)
            of_yp, of_jvm = split_configuration(self.plan.options(configuration, run))
            result = runner.run(workload, jdk, self.plan.iterations, jvm_options=of_jvm, gc=gc,
                                prefix=[str(self.built.yp), "run", "-q", "-o", str(profile),
                                        *of_yp, "--"])
        else:
            result = runner.run(workload, jdk, self.plan.iterations, gc=gc)
        cost = own_cost(whole(self.built.read("info", profile))) if profile else {}
        times = result.output.iterations_ms
        return Recording(workload.name, jdk.version, configuration, run, result.cost.cpu_seconds,
                         result.cost.wall_seconds, tuple(times), warm_up(times), profile,
                         sum(cost.values()) if cost else None,
                         tuple(result.output.iterations_cpu_ms))


def missing(plan: Plan, workload: Workload, jdk: Jdk, folder: Folder) -> list[tuple[int, str]]:
    """Number and configuration of the runs that are not there, round by round, in the order of
    stats.round_order, which the seed turns."""
    return [(run, name) for run in range(1, plan.runs + 1)
            for name in stats.round_order(plan.all_configurations, plan.seed + run - 1)
            if not folder.has(workload.name, jdk.version, name, run)]


def steps(plan: Plan, workload: Workload, jdk: Jdk, folder: Folder) -> int:
    return (len(missing(plan, workload, jdk, folder))
            + (not folder.reference(workload.name, jdk.version).is_file()))


def shuffled(workloads: Sequence[Workload], seed: int) -> list[Workload]:
    order = list(workloads)
    random.Random(seed).shuffle(order)
    return order


def measure_all(bench: Bench, workloads: Sequence[Workload], jdks: Sequence[Jdk]) -> None:
    """A failure costs the rest of the runs of its program on its JDK, and is kept."""
    plan, folder = bench.plan, bench.folder
    groups = [(jdk, workload) for jdk in jdks for workload in shuffled(workloads, plan.seed)]
    progress = Progress(sum(steps(plan, workload, jdk, folder) for jdk, workload in groups))
    for jdk, workload in groups:
        folder.forget_failure(workload.name, jdk.version)
        after = progress.left - steps(plan, workload, jdk, folder)
        try:
            measure_group(bench, workload, jdk, progress)
        except (measure.Failed, subprocess.TimeoutExpired) as error:
            failure = Failure(workload.name, jdk.version, str(error).strip())
            folder.save_failure(failure)
            measure.note(f"FAILED: {failure}")
            progress.leave_out(progress.left - after)


def measure_group(bench: Bench, workload: Workload, jdk: Jdk, progress: Progress) -> None:
    plan, folder = bench.plan, bench.folder
    title = f"{workload.name} on JDK {jdk.major}"
    if not folder.reference(workload.name, jdk.version).is_file():
        bench.reference(workload, jdk)
        progress.done(f"{title}: exact profile")
    for run, name in missing(plan, workload, jdk, folder):
        load = os.getloadavg()[0]
        date = now()
        recording = bench.record(workload, jdk, name, run)
        folder.save(Run(recording, round(load, 2), date))
        progress.done(f"{title}: run {run} of {plan.runs}, {name}: CPU "
                      f"{recording.cpu_seconds:.2f} s")


def now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
