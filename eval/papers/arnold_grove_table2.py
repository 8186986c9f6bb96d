"""Arnold and Grove (CGO 2005), Table 2: overhead and accuracy over stride and samples per tick.

The paper's rows are samples per timer tick, its columns strides. A cell is overhead / accuracy in
percent: "All numbers reported are the average over all benchmarks, and the data for each benchmark
is the median of 10 runs" (section 6.2). Accuracy is the overlap with the exact graph, call sites
told apart. Ours are the same; one table weighs all samples alike, as the paper does, another
by call density, as our profiles do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterable, Mapping, Sequence

from eval import stats
from eval.call_graphs import corrected, uncorrected
from eval.papers.parts import grids
from eval.papers.parts import runs as of_runs
from eval.papers.parts.arnold_grove_numbers import TABLE_2
from eval.papers.parts.grids import Cell
from eval.papers.parts.runs import References, Runs
from eval.plots.lines import Series, XyPlot
from eval.plots.scale import Axis
from eval.recording import BASE, CONTROL, Recording
from eval.report import Table
from eval.section import Plot, Section

_PLAN = "arnold-grove"


@dataclass(frozen=True)
class Measured:
    """Percent, of one cell. None without base runs, or without a reference."""

    overhead: float | None
    accuracy: float | None  # samples as they were taken
    corrected: float | None  # by call density
    programs: int


Grid = Mapping[Cell, Measured]
Accuracy = Callable[[Measured], float | None]  # which of the two


def report(recordings: Sequence[Recording], references: References) -> Section:
    runs = Runs(recordings)
    tables: list[Table] = []
    plots: list[Plot] = []
    notes = [*of_runs.missing(runs, [BASE, CONTROL], _PLAN),
             *of_runs.missing_references(runs, references)]
    if not grids.cells(runs.configurations):
        notes.append("No recording of a configuration with a stride and samples, such as "
                     f"`bytecode-7x16`: the plan `{_PLAN}` makes them.")
    for jdk in runs.jdks:
        grid = measure(runs, references, jdk)
        for probe in dict.fromkeys(cell.probe for cell in grid):
            of_probe = {cell: measured for cell, measured in grid.items() if cell.probe == probe}
            tables += [
                table(f"JDK {jdk}, probe {probe}: overhead / accuracy in percent, samples as they "
                      "were taken", of_probe, lambda measured: measured.accuracy),
                table(f"JDK {jdk}, probe {probe}: the same, weighted by call density", of_probe,
                      lambda measured: measured.corrected)]
            plots.append(_accuracy_plot(jdk, probe, of_probe))
        if grid:
            tables.append(_beside(jdk, grid))
            plots.append(_trade_off(jdk, grid))
        notes += _worse(jdk, grid) + _control(runs, jdk) + _incomplete(runs, jdk, grid)
    return Section(
        "Overhead and accuracy by stride and samples",
        "What do stride and samples per tick buy, and what do they cost?",
        "Arnold and Grove, CGO 2005, Table 2", tables, plots, [*notes, *_DIFFERENCES])


_DIFFERENCES = [
    "Overhead is of CPU time against the base run of the same number, in percent; the paper's is "
    "of running time, against the median of its base.",
    "The paper compiles everything once, at a low level; here the JIT compiles and inlines as it "
    "does. That the probe is in the way of inlining is part of the overhead.",
    "The paper samples where its virtual machines look for requests anyway; a probe in rewritten "
    "bytecode is more code in every method, also between ticks (`./yp eval overhead`, unarmed).",
    "At compiled entries (probe patch) calls that the JIT has inlined are not sampled but "
    "inferred; they are in both accuracies.",
    "In Jikes RVM the samples of a tick are taken by the thread that runs; here, as in J9, each "
    "thread counts for itself.",
]


def measure(runs: Runs, references: References, jdk: str) -> Grid:
    names = grids.cells(runs.configurations)
    # Program by program, as the exact graphs are large.
    accuracies = {(workload, name): of_runs.accuracies(runs, references, jdk, workload, name,
                                                       uncorrected, corrected)
                  for workload in runs.workloads for name in names.values()}
    grid = {}
    for cell, name in names.items():
        programs = sum(bool(runs.of(jdk, workload, name)) for workload in runs.workloads)
        if programs:
            overheads = runs.by_workload(lambda workload, name=name: runs.overheads(
                jdk, workload, name))
            means = [of_runs.mean_of_medians({workload: accuracies[workload, name][i]
                                              for workload in runs.workloads}) for i in range(2)]
            grid[cell] = Measured(of_runs.mean_of_medians(overheads), *means, programs)
    return grid


def table(title: str, grid: Grid, accuracy: Accuracy) -> Table:
    """Rows are samples, columns strides, as in the paper."""
    strides = sorted({cell.stride for cell in grid})
    probe = next(iter(grid)).probe
    return Table(title, ["samples \\ stride", *map(str, strides)],
                 [[str(samples), *(_cell(grid.get(Cell(probe, stride, samples)), accuracy)
                                   for stride in strides)]
                  for samples in sorted({cell.samples for cell in grid})])


def _cell(measured: Measured | None, accuracy: Accuracy) -> str:
    if measured is None:
        return "-/-"
    return f"{of_runs.percent(measured.overhead)}/{of_runs.percent(accuracy(measured), 0)}"


def _beside(jdk: str, grid: Grid) -> Table:
    """The cells that the paper has as well."""
    rows = [[str(cell), _cell(measured, lambda each: each.accuracy),
             _cell(measured, lambda each: each.corrected),
             *(_papers(vm, cell) for vm in TABLE_2)] for cell, measured in grid.items()]
    return Table(f"JDK {jdk}: overhead / accuracy in percent beside the paper's",
                 ["probe, stride x samples", "ours", "ours, by density", *TABLE_2], rows)


def _papers(vm: str, cell: Cell) -> str:
    numbers = TABLE_2[vm].get((cell.stride, cell.samples))
    return f"{numbers[0]:.1f}/{numbers[1]:.0f}" if numbers else "-/-"


def _accuracy_plot(jdk: str, probe: str, grid: Grid) -> XyPlot:
    series = [Series(f"stride {stride}", [(cell.samples, measured.accuracy)
                                          for cell, measured in grid.items()
                                          if cell.stride == stride
                                          and measured.accuracy is not None])
              for stride in sorted({cell.stride for cell in grid})]
    return XyPlot(f"arnold-grove-accuracy-{probe}-{jdk}",
                  f"JDK {jdk}, probe {probe}: accuracy by samples and stride",
                  "Mean overlap with the exact call graph in percent over samples per tick, a line "
                  "for each stride; samples as they were taken.",
                  Axis("samples per tick", log=True), Axis("accuracy, %", low=0, high=100), series)


def _trade_off(jdk: str, grid: Grid) -> XyPlot:
    """Accuracy over overhead, with the paper's points for the same strides and samples."""
    ours = [Series(f"ours, {probe}", _points(
        (measured.overhead, measured.accuracy) for cell, measured in grid.items()
        if cell.probe == probe), joined=False)
        for probe in dict.fromkeys(cell.probe for cell in grid)]
    same = {(cell.stride, cell.samples) for cell in grid}
    papers = [Series(vm, _points(numbers[place] for place in sorted(same) if place in numbers),
                     joined=False) for vm, numbers in TABLE_2.items()]
    return XyPlot(f"arnold-grove-trade-off-{jdk}", f"JDK {jdk}: accuracy over overhead",
                  "A point for each stride and number of samples: ours, and the paper's of the "
                  "same. Points beyond an overhead of 60 percent are left out.",
                  Axis("overhead, %"), Axis("accuracy, %", low=0, high=100), [*ours, *papers])


def _points(pairs: Iterable[tuple[float | None, float | None]]) -> list[tuple[float, float]]:
    return [(x, y) for x, y in pairs if x is not None and y is not None and x <= 60]


def _worse(jdk: str, grid: Grid) -> list[str]:
    """Than both of the paper's virtual machines."""
    both = {cell: papers for cell in grid
            if None not in (papers := [numbers.get((cell.stride, cell.samples))
                                       for numbers in TABLE_2.values()])}
    lower = [str(cell) for cell, papers in both.items()
             if (ours := grid[cell].accuracy) is not None
             and round(ours) < min(accuracy for _, accuracy in papers)]
    dearer = [str(cell) for cell, papers in both.items()
              if (ours := grid[cell].overhead) is not None
              and ours > max(overhead for overhead, _ in papers)]
    return [f"JDK {jdk}: {what} than both of the paper's virtual machines: {', '.join(cells)}."
            for what, cells in (("less accurate", lower), ("dearer", dearer)) if cells]


def _control(runs: Runs, jdk: str) -> list[str]:
    overheads = runs.by_workload(lambda workload: runs.overheads(jdk, workload, CONTROL))
    if not overheads:
        return []
    noise = stats.mean_of_medians(overheads).text("+.1f")
    return [f"JDK {jdk}: the unprofiled program, run a second time, takes {noise} % more CPU time "
            "on average: overheads are no more exact than that."]


def _incomplete(runs: Runs, jdk: str, grid: Grid) -> list[str]:
    most = max((measured.programs for measured in grid.values()), default=0)
    lacking = [str(cell) for cell, measured in grid.items() if measured.programs < most]
    return ([f"JDK {jdk}: means over fewer programs than the {most} of the others: "
             f"{', '.join(lacking)}."] if lacking else [])
