import type { LineFacts } from "../../model/source_index";

export interface SourceRow { line: number; text: string; facts: LineFacts | undefined }

// All lines of a file that the page has, and those beyond its end of which something is known: the
// page may have another version of it. Of a file that the page does not have, the latter alone.
export function sourceRows(text: readonly string[] | undefined, facts: ReadonlyMap<number, LineFacts>): SourceRow[] {
  const rows = (text ?? []).map((each, i) => ({ line: i + 1, text: each, facts: facts.get(i + 1) }));
  const beyond = [...facts.values()].filter(({ line }) => line > rows.length).sort((a, b) => a.line - b.line);
  return [...rows, ...beyond.map((each) => ({ line: each.line, text: "", facts: each }))];
}

// The next line with calls or time, up (-1) or down; undefined where there is none.
export function nextLine(facts: ReadonlyMap<number, LineFacts>, from: number, step: 1 | -1): number | undefined {
  const lines = [...facts.values()].filter(({ hasCalls, below }) => hasCalls || below > 0).map(({ line }) => line)
    .filter((line) => step > 0 ? line > from : line < from);
  return lines.length === 0 ? undefined : step > 0 ? Math.min(...lines) : Math.max(...lines);
}

// The line with the most calls, or else the most time in its calls; 0 where there is none.
export function hottestLine(facts: ReadonlyMap<number, LineFacts>): number {
  let hottest: LineFacts | undefined;
  for (const one of facts.values()) {
    const isHotter = !hottest || one.calls > hottest.calls || (one.calls === hottest.calls && one.below > hottest.below);
    if ((one.hasCalls || one.below > 0) && isHotter) hottest = one;
  }
  return hottest?.line ?? 0;
}

// The widest line, in characters; a tab goes to the next of every `tab` columns.
export function widest(rows: readonly SourceRow[], tab: number): number {
  let most = 0;
  for (const { text } of rows) {
    let column = 0;
    if (!text.includes("\t")) column = text.length;
    else for (const character of text) column = character === "\t" ? (Math.floor(column / tab) + 1) * tab : column + 1;
    most = Math.max(most, column);
  }
  return most;
}
