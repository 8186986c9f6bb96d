"""One page of an evaluation that needs no other file: failures, the machine, tables and plots."""

from __future__ import annotations

import html
import re
from typing import Iterable, Mapping

from eval.report import Table
from eval.run.results import Results
from eval.section import Section

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --soft: #5b6470; --back: #ffffff;
  --line: #d8dde3; --stripe: #f5f7f9; --bad: #b42318; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --soft: #9aa4b0; --back: #14171b;
  --line: #323942; --stripe: #1b2026; --bad: #ff8a7a; --warn: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: var(--stripe); }
pre { padding: .6rem .8rem; overflow-x: auto; }
.wide { overflow-x: auto; } .soft { color: var(--soft); } .bad { color: var(--bad); }
.warn { color: var(--warn); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { cursor: pointer; }
tbody tr:nth-child(even) { background: var(--stripe); }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption { font-weight: 600; }
"""

# A click on a column's head sorts by it: by its first number where there is one, else by its text.
_SCRIPT = """
for (const head of document.querySelectorAll("thead th")) head.addEventListener("click", () => {
  const column = head.cellIndex, body = head.closest("table").tBodies[0];
  const down = head.dataset.sorted !== "up";
  const key = row => { const text = row.cells[column].textContent.replaceAll(",", "");
    const number = parseFloat(text); return Number.isNaN(number) ? text : number; };
  const order = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0)
    : typeof a === "number" ? -1 : 1;
  head.dataset.sorted = down ? "up" : "down";
  body.append(...[...body.rows].sort((a, b) => (down ? 1 : -1) * order(key(a), key(b))));
});
"""


def page(results: Results) -> str:
    """The same results give the same bytes."""
    origin = results.origin
    versions = ", ".join(origin.jdks.values())
    body = [
        f"<h1>{_text(results.plan.name)}</h1>",
        f"<p>{_text(results.plan.question)}</p>",
        *_failures(results.failures),
        f"<pre>{_text(origin.command)}</pre>",
        f'<p class="soft">{_text(origin.date)}; JDK {_text(versions)}; commit '
        f"{_text(origin.commit)}; build {_text(origin.build)}</p>",
        *_list(results.notes, "warn"),
        *(part for name, section in results.sections.items() for part in _section(name, section)),
        *_machine(origin.machine, results.warnings()),
        *_configurations(results),
    ]
    return "\n".join([
        "<!doctype html>", '<html lang="en">', '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # The browser's word that nothing is fetched from anywhere.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'\">",
        f"<title>{_text(results.plan.name)}</title>", f"<style>{_STYLE}</style>", "<body>", *body,
        f"<script>{_SCRIPT}</script>", "</body>", "</html>"]) + "\n"


def _failures(failures: Iterable[str]) -> list[str]:
    items = "".join(f"<li><pre>{_text(failure)}</pre></li>" for failure in failures)
    return [f'<section class="bad"><h2>Failed</h2><ul>{items}</ul></section>'] if items else []


def _section(name: str, section: Section) -> list[str]:
    return [
        f'<h2 id="{_text(name)}">{_text(section.title)}</h2>',
        f"<p>{_text(section.question)}</p>",
        *([f'<p class="soft">{_text(section.paper)}</p>'] if section.paper else []),
        *map(_table, section.tables),
        *(f"<figure>{inline(plot.svg())}<figcaption>{_text(plot.title)}</figcaption></figure>"
          for plot in section.plots),
        *_list(section.notes, "soft"),
    ]


def _machine(machine: Mapping[str, str], warnings: Iterable[str]) -> list[str]:
    table = Table("", ["fact", "value"], list(map(list, machine.items())))
    return ["<h2>The machine</h2>", *_list(warnings, "warn"), _table(table)]


def _configurations(results: Results) -> list[str]:
    plan = results.plan
    table = Table("", ["configuration", "options of yp run"],
                  [[name, options or "(none)"] for name, options in plan.configurations.items()])
    loads = [run.load for run in results.runs]
    load = f", load {min(loads):.1f} to {max(loads):.1f} before them" if loads else ""
    return ["<h2>The plan</h2>",
            f"<p>{len(results.runs)} runs{load}; each program {plan.iterations} times in a JVM "
            f"with -XX:+Use{_text(plan.gc)}GC, exact profiles of {plan.exact_iterations} "
            f"iterations; seed {plan.seed}. Plan {_text(results.origin.plan_digest)}.</p>",
            _table(table)]


def _table(table: Table) -> str:
    head = "".join(f"<th>{_text(cell)}</th>" for cell in table.header)
    rows = "".join("<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>\n"
                   for row in table.rows)
    caption = f"<caption>{_text(table.title)}</caption>" if table.title else ""
    return (f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead>\n'
            f"<tbody>{rows}</tbody></table></div>")


def inline(svg: str) -> str:
    """The document without what may only stand at the beginning of a file."""
    return re.sub(r"^\s*(<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<!--.*?-->|\s)*", "", svg,
                  flags=re.DOTALL).rstrip()


def _list(sentences: Iterable[str], kind: str) -> list[str]:
    items = "".join(f"<li>{_text(sentence)}</li>" for sentence in sentences)
    return [f'<ul class="{kind}">{items}</ul>'] if items else []


def _text(text: str) -> str:
    return html.escape(text)
