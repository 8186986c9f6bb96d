"""Lee (TACO 2015): sampling bias by call density and latency, and its correction.

Figures 4 and 5 of the paper plot call density over timer ticks, of single-threaded programs and of
two threads of the others; Table I has minimum, maximum, median and mean of the sampling latency in
cycles, Figure 6 its distributions; Figure 7 is the accuracy without correction, with that of
density, and with that of density and latency; Figure 8 the overhead. All with counter-based
sampling of 8 samples per tick and a stride of 2 (section 6.2). Ours are the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Sequence

from eval.built import Built
from eval.measure import Failed
from eval.papers.parts import grids, lee_accuracy, lee_windows
from eval.papers.parts import runs as of_runs
from eval.papers.parts.lee_accuracy import Overlap
from eval.papers.parts.lee_numbers import ACCURACY, LUSEARCH, OVERHEAD
from eval.papers.parts.part import Part
from eval.papers.parts.runs import References, Runs
from eval.recording import BASE, Recording
from eval.section import Section

_PLAN = "lee"
_STRIDE, _SAMPLES = 2, 8


def by_yp(correction: str, exact: Path, sampled: Path) -> float:
    """Raises Failed, also when nothing is built or `yp overlap` is so old as to lack --correct."""
    built = Built()
    if not built.yp.is_file():
        raise Failed("yp is not built")
    return built.read("overlap", "--correct", correction, exact, sampled)["overlap"]


def report(recordings: Sequence[Recording], references: References,
           overlap: Overlap = by_yp) -> Section:
    runs = Runs(recordings)
    name, notes = _configuration(runs)
    told = Part(notes=[*notes, *of_runs.missing(runs, [BASE], _PLAN),
                       *of_runs.missing_references(runs, references)])
    for jdk in runs.jdks if name else []:
        told.add(lee_windows.tell(runs, jdk, name))
        try:
            told.add(lee_accuracy.tell_accuracy(jdk, lee_accuracy.accuracies(
                runs, references, jdk, name, overlap)))
            told.add(lee_accuracy.tell_configurations(jdk, {
                other: lee_accuracy.accuracies(runs, references, jdk, other, overlap)
                for other in grids.cells(runs.configurations).values() if other != name}))
        except Failed as error:
            told.notes.append(f"JDK {jdk}: no accuracy by correction (Figure 7): {error}")
        base = grids.base_sampler(runs.configurations)
        told.add(lee_accuracy.tell_overhead(
            runs, jdk, {**({"1 sample a tick": base} if base else {}), name: name}))
    return Section(
        "Sampling bias and its correction",
        "How much do call density and sampling latency vary, and what does correcting for them "
        "buy?", "Lee, TACO 2015, Table I and Figures 4 to 8", told.tables, told.plots,
        [*told.notes, *_DIFFERENCES])


def _configuration(runs: Runs) -> tuple[str | None, list[str]]:
    """That of the paper, else the first with several samples in a window."""
    exactly = grids.find(runs.configurations, _STRIDE, _SAMPLES)
    if exactly is not None:
        return exactly, []
    notes = of_runs.missing(runs, [f"bytecode-{_STRIDE}x{_SAMPLES}"], _PLAN)
    other = next((name for cell, name in grids.cells(runs.configurations).items()
                  if cell.samples > 1), None)
    return other, [*notes, *([f"`{other}` stands in its place."] if other else [])]


_DIFFERENCES = [
    "The paper's call density is of all call instructions since the thread's last tick, from a "
    "hardware counter; ours is of the calls between the first and the last of a window, over the "
    "thread's CPU time between them. A window of one call has none.",
    "Figures 4 to 6 and Table I are of the first run of each program.",
    "Latency is wall time from the tick to the thread's first observed call: it contains the time "
    "in which the thread waited, was not scheduled, or ran code without calls. Ticks here are "
    "told to each thread; that a program's machine is busy with other work shows in it.",
    f"The paper's averages are {ACCURACY['none']}, {ACCURACY['density']} and "
    f"{ACCURACY['density+latency']} %; latency matters for lusearch only, {LUSEARCH['none']} % "
    f"uncorrected and {LUSEARCH['density+latency']} % with both. It compiles each method "
    "once, at the lowest level, while accuracy is measured; here the JIT is at work.",
    "Corrections are made when a profile is read: they cost the program nothing, and Figure 8 has "
    f"one bar for all of them. The paper's overhead is {OVERHEAD} %, against one sample a tick.",
]
