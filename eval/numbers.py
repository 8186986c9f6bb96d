"""./yp eval numbers: are printed numbers of calls, and their intervals, true?

Everything is as `yp edges --json` prints it, held against an exact run of the same program with the
same filter; call sites are told apart.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Collection, Hashable, Iterable, Mapping, Sequence

from eval import accuracy, busy
from eval.accuracy import Recorder
from eval.built import own_cost
from eval.experiment import Experiment, Run, positive
from eval.jdks import Jdk
from eval.measure import Failed
from eval.profile_file import ProfileFile, has_trivial
from eval.report import Table
from eval.workloads.manifest import parts

_AGAIN = "exact again"
_DEFAULT = "default"
CONFIGURATIONS = {_DEFAULT: "", "bytecode": "--probe bytecode --trivial include"}
_LEAST_SHARE = 1e-4  # of the exact calls: the edges whose intervals are looked at
_GOAL_FACTOR = 1.15  # of totals, for every program
_GOAL_HELD = 90.0  # percent of the edges, for every program
_FILTER = ("include", "exclude", "scope")  # what the reference must have in common
_ROUNDING = 1e-9  # of numbers in JSON


@dataclass(frozen=True)
class Edge:
    """Calls along an edge and 95 % intervals of their number and of their share (0 to 1) of all."""

    calls: float
    low: float
    high: float
    share_low: float
    share_high: float
    has_interval: bool = True


Edges = Mapping[Hashable, Edge]


def read_edges(rows: Sequence[Mapping], left_out: Collection[str] = ()) -> dict[Hashable, Edge]:
    """From what `yp edges --json` prints, by caller, bytecode index and callee, without the calls
    of the methods that are left out. Profiles that do not tell intervals of shares tell those of
    numbers, divided by the total. Edges of too few ticks have null for an end."""
    rows = [row for row in rows if row["callee"] not in left_out]
    total = sum(row["calls"] for row in rows) or 1.0
    edges: dict[Hashable, Edge] = {}
    for row in rows:
        if row["high"] is None:
            edge = Edge(row["calls"], row["low"], math.inf, 0, 1, has_interval=False)
        else:
            edge = Edge(row["calls"], row["low"], row["high"],
                        row.get("share_low", row["low"] / total),
                        row.get("share_high", row["high"] / total),
                        not {"exact", "no-interval"} & set(row["flags"]))
        key = row["caller"], row["bci"], row["callee"]
        edges[key] = _sum(edges[key], edge, total) if key in edges else edge
    return edges


def _sum(a: Edge, b: Edge, total: float) -> Edge:
    """Of edges of one name, such as those of classes of several loaders: the squares of the
    distances between value and ends are added up (Zou and Donner, Statistics in Medicine 27,
    2008)."""
    def end(value: Callable[[Edge], float], of: Callable[[Edge], float], sign: int) -> float:
        return value(a) + value(b) + sign * math.hypot(value(a) - of(a), value(b) - of(b))

    def calls(edge: Edge) -> float:
        return edge.calls

    def share(edge: Edge) -> float:
        return edge.calls / total

    return Edge(a.calls + b.calls,
                end(calls, lambda edge: edge.low, -1), end(calls, lambda edge: edge.high, 1),
                end(share, lambda edge: edge.share_low, -1),
                end(share, lambda edge: edge.share_high, 1),
                a.has_interval and b.has_interval)


@dataclass(frozen=True)
class Held:
    """Of so many intervals, how many hold the exact value, and below or above how many it is."""

    intervals: int
    below: int
    above: int

    def percent(self, of: int | None = None) -> float | None:
        """Of the intervals that hold it, or `of` so many; None of no interval."""
        held = self.intervals - self.below - self.above if of is None else of
        return 100 * held / self.intervals if self.intervals else None


def hold(values: Iterable[tuple[float, float, float]]) -> Held:
    """Of exact values with the ends of their intervals."""
    known = list(values)
    return Held(len(known),
                sum(exact < low * (1 - _ROUNDING) for exact, low, _ in known),
                sum(exact > high * (1 + _ROUNDING) for exact, _, high in known))


def _width(printed: Iterable[tuple[float, float, float]]) -> float | None:
    widths = [50 * (high - low) / value for value, low, high in printed]
    return statistics.median(widths) if widths else None


@dataclass(frozen=True)
class Judged:
    """A profile against the exact one. `edges` are those with 0.01 % of the exact calls or more."""

    calls: float
    exact_calls: float  # of the methods that both have observed
    edges: int
    missing: int
    missing_calls: float  # percent of the exact ones
    without_interval: int
    numbers: Held
    shares: Held
    # Half of an interval, in percent of what is printed, the median of the edges; None of none.
    numbers_width: float | None
    shares_width: float | None
    samples: int
    cost: float | None = None  # of the program's CPU time, in percent, by the agent's own measure
    budget: float | None = None  # that was asked for, in percent; None where it is no option
    counted: Mapping[str, float] = field(default_factory=dict)  # printed calls to counted ones

    @property
    def ratio(self) -> float:
        return self.calls / self.exact_calls


def judge(exact: Edges, sampled: Edges, info: Mapping,
          counts: Mapping[str, int] | None = None) -> Judged:
    """`info` is what `yp info` prints of the sampled profile, `counts` are the calls that the
    program has counted itself in that run."""
    exact_total = sum(edge.calls for edge in exact.values())
    total = sum(edge.calls for edge in sampled.values())
    if exact_total <= 0 or total <= 0:
        raise Failed("a profile has no calls")
    large = {key: edge.calls for key, edge in exact.items()
             if edge.calls >= _LEAST_SHARE * exact_total}
    missing = [key for key in large if key not in sampled or sampled[key].calls <= 0]
    found = [(large[key], sampled[key]) for key in large if key not in set(missing)]
    known = [(calls, edge) for calls, edge in found if edge.has_interval]
    config = info["config"]
    cost = own_cost(info)
    return Judged(
        total, exact_total, len(large), len(missing),
        100 * sum(large[key] for key in missing) / exact_total, len(found) - len(known),
        hold((calls, edge.low, edge.high) for calls, edge in known),
        hold((calls / exact_total, edge.share_low, edge.share_high) for calls, edge in known),
        _width((edge.calls, edge.low, edge.high) for _, edge in known),
        _width((edge.calls / total, edge.share_low, edge.share_high) for _, edge in known),
        info["samples"], sum(cost.values()) if cost else None,
        float(config["budget_ppm"]) / 1e4 if "budget_ppm" in config else None,
        counted_ratios(sampled, counts or {}))


def counted_ratios(sampled: Edges, counts: Mapping[str, int]) -> dict[str, float]:
    """Of each method that ran: its printed calls to those that it has counted itself."""
    printed = dict.fromkeys(counts, 0.0)
    for (_, _, callee), edge in sampled.items():
        if callee in printed:
            printed[callee] += edge.calls
    return {method: printed[method] / counted for method, counted in counts.items() if counted}


def mean_factor(ratios: Sequence[float]) -> float:
    """exp of the mean |log ratio|: 1 is right, 2 is twice or half in the geometric mean."""
    return math.exp(statistics.fmean(abs(math.log(ratio)) for ratio in ratios))


def worst_factor(ratios: Sequence[float]) -> float:
    return max(math.exp(abs(math.log(ratio))) for ratio in ratios)


@dataclass(frozen=True)
class Result:
    """What was printed of a program, by configuration and run."""

    calls: float
    edges: int
    runs: Mapping[str, Sequence[Judged]]

    def mean(self, name: str, of: Callable[[Judged], float | None]) -> float | None:
        """Over the runs that have a value."""
        values = [value for value in map(of, self.runs[name]) if value is not None]
        return statistics.fmean(values) if values else None


def totals_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    rows = [[workload, f"{result.calls:,.0f}",
             *(_ratio_and_range([run.ratio for run in result.runs[name]]) for name in names)]
            for workload, result in results.items()]
    rows += [[f"off by a factor of, geometric mean{part}", "",
              *(f"{mean_factor(_ratios(programs, name)):.3f}" for name in names)]
             for part, programs in parts(results).items()]
    rows.append(["off by a factor of, worst", "",
                 *(f"{worst_factor(_ratios(results, name)):.3f}" for name in names)])
    return Table(f"JDK {jdk.version}: ratio of the printed total number of calls to the exact one, "
                 "mean of the runs (lowest-highest)", ["program", "exact calls", *names], rows)


def _ratios(results: Mapping[str, Result], name: str) -> list[float]:
    return [run.ratio for result in results.values() for run in result.runs[name]]


def _ratio_and_range(ratios: Sequence[float]) -> str:
    text = f"{statistics.fmean(ratios):.3f}"
    return text if len(ratios) == 1 else f"{text} ({min(ratios):.3f}-{max(ratios):.3f})"


# What tables have of a run, and of how many digits.
Columns = Mapping[str, tuple[Callable[[Judged], float | None], str]]
_HELD: Columns = {
    "number held %": (lambda run: run.numbers.percent(), ".1f"),
    "below %": (lambda run: run.numbers.percent(run.numbers.below), ".1f"),
    "above %": (lambda run: run.numbers.percent(run.numbers.above), ".1f"),
    "number +- %": (lambda run: run.numbers_width, ".0f"),
    "share held %": (lambda run: run.shares.percent(), ".1f"),
    "share below %": (lambda run: run.shares.percent(run.shares.below), ".1f"),
    "share above %": (lambda run: run.shares.percent(run.shares.above), ".1f"),
    "share +- %": (lambda run: run.shares_width, ".0f"),
    "without interval": (lambda run: run.without_interval, ".1f"),
}
_COSTS: Columns = {
    "missing": (lambda run: run.missing, ".1f"),
    "missing % of calls": (lambda run: run.missing_calls, ".2f"),
    "samples": (lambda run: run.samples, ",.0f"),
    "cost %": (lambda run: run.cost, ".2f"),
    "budget %": (lambda run: run.budget, ".2f"),
}


def intervals_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    return _table(
        f"JDK {jdk.version}: how many percent of the printed 95 % intervals hold the exact number "
        "of calls and the exact share, below or above how many it is, and half their width in "
        "percent of what is printed (median); of edges with 0.01 % of the exact calls or more, "
        "means of the runs", results, names, _HELD)


def cost_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    return _table(
        f"JDK {jdk.version}: edges with 0.01 % of the exact calls or more that are missing, and "
        "the agent's own measure of its CPU time in percent of the program's beside the budget; "
        "means of the runs", results, names, _COSTS)


def _table(title: str, results: Mapping[str, Result], names: Sequence[str],
           columns: Columns) -> Table:
    """The last rows have the means over the programs."""
    def cell(value: float | None, digits: str) -> str:
        return "-" if value is None else f"{value:{digits}}"

    rows = [[workload, name, f"{result.runs[name][0].edges:,}",
             *(cell(result.mean(name, of), digits) for of, digits in columns.values())]
            for workload, result in results.items() for name in names]
    for name, (part, programs) in itertools.product(names, parts(results).items()):
        row = [f"mean of the programs{part}", name, ""]
        for of, digits in columns.values():
            known = [value for result in programs.values()
                     if (value := result.mean(name, of)) is not None]
            row.append(cell(statistics.fmean(known) if known else None, digits))
        rows.append(row)
    return Table(title, ["program", "configuration", "edges", *columns], rows)


def counted_table(jdk: Jdk, results: Mapping[str, Result], names: Sequence[str]) -> Table:
    """Of the programs that count some of their calls themselves."""
    rows = []
    for workload, result in results.items():
        counted = [run.counted for name in names for run in result.runs[name]]
        for method in sorted({method for ratios in counted for method in ratios}):
            rows.append([workload, method.split("(", maxsplit=1)[0], *(_ratio_and_range(
                [run.counted[method] for run in result.runs[name]]) for name in names)])
    return Table(f"JDK {jdk.version}: ratio of printed calls of methods to those that the program "
                 "has counted itself in the same run, mean of the runs (lowest-highest)",
                 ["program", "method", *names], rows)


def trivial_methods(profile: Path) -> set[str]:
    return {edge.callee for edge in ProfileFile(profile).edges() if edge.callee_is_trivial}


def measure_workload(recorder: Recorder, arguments: argparse.Namespace, run: Run) -> Result:
    exact_profile = accuracy.reference_profile(recorder, arguments.iterations,
                                               arguments.references)
    exact_config = recorder.info(exact_profile)["config"]
    rows = recorder.built.read("edges", exact_profile)
    exact = read_edges(rows)
    calls = sum(edge.calls for edge in exact.values())
    run.progress.done(f"{recorder.title}: exact, {calls:,.0f} calls over {len(exact):,} edges")

    def judge_one(name: str, options: str) -> Judged:
        profile, output = recorder.record_output(name, options, arguments.iterations)
        info = recorder.info(profile)
        config = info["config"]
        for key in _FILTER:
            if config.get(key) != exact_config.get(key):
                raise Failed(f"{key} is {config.get(key)}, that of the exact run is "
                             f"{exact_config.get(key)}: they have not observed the same methods")
        left_out = (trivial_methods(exact_profile)
                    if has_trivial(config) != has_trivial(exact_config) else ())
        reference = read_edges(rows, left_out) if left_out else exact
        return judge(reference, read_edges(recorder.built.read("edges", profile), left_out), info,
                     output.counts)

    runs: dict[str, list[Judged]] = {}
    with busy.busy(arguments.load):
        for name, options, count in [
                *([(_AGAIN, accuracy.EXACT, 1)] if arguments.again else []),
                *((name, text, arguments.runs)
                  for name, text in arguments.configurations.items())]:
            runs[name] = []
            for index in range(count):
                runs[name].append(judge_one(f"{name.replace('/', '-')}-{index + 1}", options))
                run.progress.done(f"{recorder.title}: {name}, run {index + 1} of {count}, "
                                  f"{runs[name][-1].ratio:.3f} of the exact calls")
    return Result(calls, len(exact), runs)


def measure_jdk(arguments: argparse.Namespace, jdk: Jdk, run: Run) -> None:
    if arguments.profiles:
        arguments.profiles.mkdir(parents=True, exist_ok=True)
    results = run.by_workload(
        jdk, arguments.workloads, _steps(arguments),
        lambda workload, folder: measure_workload(
            Recorder(arguments.build, workload, jdk, arguments.gc, arguments.profiles or folder),
            arguments, run))
    if not results:
        return
    names = list(arguments.configurations)
    all_names = [*([_AGAIN] if arguments.again else []), *names]
    run.report.tables += [totals_table(jdk, results, all_names),
                          intervals_table(jdk, results, names),
                          cost_table(jdk, results, all_names)]
    counted = counted_table(jdk, results, names)
    if counted.rows:
        run.report.tables.append(counted)
    for name in names:
        worst = worst_factor(_ratios(results, name))
        run.goal(f"the total of {name} is off by a factor of {_GOAL_FACTOR} at most on JDK "
                 f"{jdk.major}", worst <= _GOAL_FACTOR, f"{worst:.2f} at worst")
        for what, of in (("numbers", lambda run: run.numbers.percent()),
                         ("shares", lambda run: run.shares.percent())):
            held = {workload: result.mean(name, of) for workload, result in results.items()}
            out = [workload for workload, value in held.items()
                   if value is None or value < _GOAL_HELD]
            run.goal(f"the intervals of {what} of {name} hold {_GOAL_HELD:.0f} % of the edges of "
                     f"every program on JDK {jdk.major}", not out,
                     f"not of {', '.join(out)}" if out else "of all")


def _steps(arguments: argparse.Namespace) -> int:
    return 1 + arguments.again + arguments.runs * len(arguments.configurations)


def main() -> int:
    experiment = Experiment("numbers", "Are printed numbers of calls, and their intervals, true?")
    experiment.add_workloads(iterations=5)
    experiment.add_configurations(
        CONFIGURATIONS, "denser:--interval 499 --budget 2",
        "the options of yp run, then perhaps -- and options of the JVM")
    parser = experiment.parser
    parser.add_argument("--gc", choices=accuracy.COLLECTORS, default=accuracy.COLLECTORS[0],
                        help="the JVM's collector (default: %(default)s)")
    parser.add_argument("--runs", type=positive, default=3, metavar="N",
                        help="of each configuration (default: %(default)s)")
    accuracy.add_references(experiment)
    parser.add_argument("--again", action="store_true",
                        help="record the reference twice, for what two runs have in common")
    parser.add_argument("--load", type=int, default=0, metavar="N",
                        help="so many processes compute beside the sampled runs (default: none)")
    parser.add_argument("--profiles", type=lambda folder: Path(folder).resolve(), metavar="FOLDER",
                        help="keep the profiles there")
    return experiment.run(measure_jdk,
                          lambda arguments: len(arguments.workloads) * _steps(arguments))


if __name__ == "__main__":
    sys.exit(main())
