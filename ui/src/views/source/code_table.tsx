import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { NARROW, useMedia } from "../../components/use_media";
import { formatCalls, formatShare } from "../../model/format";
import { methodTimes } from "../../model/method_times";
import type { PageModel } from "../../model/page_model";
import { sourceIndex, type LineFacts } from "../../model/source_index";
import { widest, type SourceRow } from "./source_rows";
import { callsText, INLINED_HELP, INLINED_SIGN, methodText, neverText, timeFormat } from "./source_text";
import { showLine } from "./use_source_state";

const ROW_PX = 20, TAB = 4;
const CHAR_REM = 0.55; // of the code's font

function lineColumns(model: PageModel, facts: ReadonlyMap<number, LineFacts>, widestLine: number, isNarrow: boolean): Column<SourceRow>[] {
  const { profile, names } = model, time = timeFormat(model), hasCounts = profile.kind !== "edges";
  const all = [...facts.values()];
  const mostCalls = all.reduce((most, { calls }) => Math.max(most, calls), 0), mostTime = all.reduce((most, { below }) => Math.max(most, below), 0);
  const allTime = methodTimes(profile, names.count)?.all ?? 0;
  const bar = (text: ComponentChildren, part: number) => (
    <span class="source-bar" style={{ "--part": `${Math.max(2, 100 * part).toFixed(0)}%` } as never}>{text}</span>
  );
  const never = ({ unexecuted, hasCalls }: LineFacts) => unexecuted.length > 0 && (
    <span class="source-never"><span aria-hidden="true">{hasCalls ? "✗ " : "never"}</span><span class="sr">{neverText(unexecuted.length)} </span></span>
  );
  const columns: (Column<SourceRow> | false)[] = [
    { id: "line", title: "Line", width: "3.2rem", numeric: true, text: ({ line }) => String(line), cell: ({ line }) => line },
    { id: "calls", title: hasCounts ? "Calls" : "Edges", width: "4.4rem", numeric: true, help: "That the line makes, all its call sites together" + (profile.unexecuted ? ". ✗: some of them were never executed" : ""),
      text: ({ facts: one }) => one ? callsText(model, one) : "",
      cell: ({ facts: one }) => !one ? ""
        : one.hasCalls ? bar(<>{never(one)}{formatCalls(one.calls)}</>, mostCalls > 0 ? one.calls / mostCalls : 0) : never(one) },
    time !== undefined && { id: "time", title: "Time", width: "4.6rem", numeric: true, ...(isNarrow && { spare: 2 }), help: "In the calls that the line makes, with all that these call, by stack samples",
      text: ({ facts: one }) => one && one.below > 0 ? `${time(one.below)}, ${formatShare(allTime > 0 ? one.below / allTime : 0)} of all` : "",
      cell: ({ facts: one }) => one && one.below > 0 ? bar(time(one.below), one.below / mostTime) : "" },
    hasCounts && { id: "inlined", title: "⊂", width: "1.1rem", ...(isNarrow && { spare: 1 }), help: INLINED_HELP,
      text: ({ facts: one }) => one?.inlined ? INLINED_SIGN[one.inlined].words : "",
      cell: ({ facts: one }) => one?.inlined && (
        <span class={`source-${one.inlined}`}><span aria-hidden="true">{INLINED_SIGN[one.inlined].sign}</span><span class="sr">{INLINED_SIGN[one.inlined].words}</span></span>
      ) },
    { id: "code", title: "Code", width: `minmax(${Math.max(12, CHAR_REM * widestLine).toFixed(1)}rem, 1fr)`,
      text: ({ text, facts: one }) => [text, ...(one?.methods ?? []).map((method) => `${names.label(method)}: ${methodText(model, method)}`)].join("\n"),
      cell: ({ text, facts: one }) => <>
        <code>{text}</code>
        {one?.methods.map((method) => <span key={method} class="source-method">{names.label(method)}: {methodText(model, method)}</span>)}
      </> },
  ];
  return columns.filter((column) => column !== false);
}

// A file, line by line.
export function CodeTable({ model, path, rows, facts, line }: {
  model: PageModel; path: string; rows: readonly SourceRow[]; facts: ReadonlyMap<number, LineFacts>; line: number;
}) {
  const isNarrow = useMedia(NARROW);
  const columns = useMemo(() => lineColumns(model, facts, widest(rows, TAB) + 2 + Math.max(0, ...[...facts.values()]
    .map(({ methods }) => methods.reduce((sum, method) => sum + model.names.label(method).length + methodText(model, method).length + 4, 0))), isNarrow), [model, facts, rows, isNarrow]);
  const key = (of: number) => `${path}:${of}`;
  return (
    <DataTable label="Source" rows={rows} columns={columns} rowKey={(row) => key(row.line)} rowPx={isNarrow ? 24 : ROW_PX} isCentred
      selected={line > 0 ? key(line) : undefined} rowClass={(row) => row.facts?.methods.length ? "source-begins" : undefined}
      onSelect={(row) => showLine(model, path, row.line, methodAt(model, path, row))}
      empty="Nothing is known of this file." />
  );
}

// Whose code a line is: by the methods that begin in it and before it.
function methodAt(model: PageModel, path: string, { line, facts }: SourceRow): number | undefined {
  const own = facts?.sites[0]?.caller ?? facts?.methods[0];
  if (own !== undefined) return own;
  const begins = model.data.methods.line;
  return sourceIndex(model).file(path)?.methods.filter((method) => begins[method]! > 0 && begins[method]! <= line).at(-1);
}
