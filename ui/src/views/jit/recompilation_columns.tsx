import type { Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { countOfCalls, formatCalls, formatCount, formatTime, withCalls } from "../../model/format";
import type { JitLedger, Recompilation } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { SignedScale } from "../../model/signed_scale";
import { describeGain, describeTime, formatGain, levelName, NOT_ENTRANT, tierName, VERDICT_LOOK, VERDICT_MEANS } from "./jit_text";
import { selectMethod } from "./jit_state";
import { GainBar, VerdictMark } from "./verdict";

const LINEAR_NS = 10_000;

// Undecided although the whole interval is on one side: a version's calls grew or shrank over its
// life, so that calls before and after cannot be compared.
function isHeldBack(row: Recompilation): boolean {
  return row.verdict === 2 && row.gain !== null && (row.gain.low > 0 || row.gain.high < 0);
}

export function notesOf(row: Recompilation): string {
  return [
    row.isMadeNotEntrant && NOT_ENTRANT,
    row.drift !== null && `calls ×${row.drift.toFixed(1)}`,
    row.startNs < 0 && "before the recording",
  ].filter(Boolean).join(", ");
}

function notesHelp(row: Recompilation): string {
  return [
    row.isMadeNotEntrant && "Made not entrant: what the compiler had assumed did not hold, so the code was thrown away",
    row.drift !== null && `Calls became ${row.drift.toFixed(1)} times as long in the version's life: they cannot be compared`,
    row.startNs < 0 && "It was there when the recording began",
  ].filter(Boolean).join(". ");
}

function payOff(row: Recompilation): string {
  const after = row.callsToPay !== null ? `after ${countOfCalls(row.callsToPay)}` : "";
  return row.paidAtNs !== null ? `at ${formatTime(row.paidAtNs)}${after && `, ${after}`}` : after || "—";
}

function payOffHelp(row: Recompilation): string {
  if (row.callsToPay === null) return "Never, or not known";
  const had = row.callsAfter === null ? "" : `; it had ${formatCount(row.callsAfter)}`;
  return `After ${withCalls(formatCount(row.callsToPay))} it would have earned its cost${had}` +
    (row.paidAtNs !== null ? `; reached at ${formatTime(row.paidAtNs)}` : "");
}

const known = (value: number | null | undefined) => value ?? NaN;

// Widths are of text, in characters of the table's font.
export function recompilationColumns(model: PageModel, ledger: JitLedger): Column<Recompilation>[] {
  const { names } = model;
  const largest = ledger.rows.reduce((size, { gain }) => gain
    ? Math.max(size, Math.abs(gain.low), Math.abs(gain.high)) : size, 0);
  const scale = new SignedScale(largest, LINEAR_NS);
  const method: Column<Recompilation> = {
    id: "method", title: "Method", width: "minmax(7.5rem, 1fr)", key: (row) => names.label(row.method),
    cell: (row) => <MethodName model={model} method={row.method} onClick={() => selectMethod(model, row.method, row.index)} />,
    text: (row) => names.full(row.method),
  };
  const levels: Column<Recompilation> = {
    id: "levels", title: "Code", width: "9.2rem", spare: 3, help: "Of the version before and of the new one: interpreted, tier 1 to 3 (C1), C2",
    key: (row) => 10 * row.from + row.to, cell: (row) => `${tierName(row.from)} → ${tierName(row.to)}`,
    text: (row) => `${levelName(row.from)} → ${levelName(row.to)}`,
  };
  const costs: Column<Recompilation>[] = [
    { id: "compile", title: "Compiled", numeric: true, width: "5rem", spare: 4, help: "CPU time of the compilation",
      key: (row) => row.compileNs, cell: (row) => formatTime(row.compileNs), text: (row) => formatTime(row.compileNs) },
  ];
  const rest: Column<Recompilation>[] = [
    { id: "at", title: "At", numeric: true, width: "4.6rem", spare: 9, help: "When the compilation began",
      key: (row) => row.startNs, cell: (row) => row.startNs < 0 ? "earlier" : formatTime(row.startNs),
      text: (row) => row.startNs < 0 ? "before the recording" : formatTime(row.startNs) },
    { id: "notes", title: "Notes", width: "minmax(8rem, 0.4fr)", spare: 10, cell: (row) => <span title={notesHelp(row)}>{notesOf(row)}</span>, text: notesOf },
  ];
  if (!ledger.isJudged) return [method, levels, ...costs, ...rest];
  const perCall = (id: "before" | "after", help: string): Column<Recompilation> => ({
    id, title: id === "before" ? "Call before" : "Call after", numeric: true, width: "10.8rem", spare: id === "after" ? 5 : 6, help,
    key: (row) => known(row[id]?.value), cell: (row) => row[id] ? describeTime(row[id]) : "?",
    text: (row) => row[id] ? describeTime(row[id]) : "?",
  });
  return [
    { id: "verdict", title: "Verdict", width: "6.4rem", spare: 1, key: (row) => row.verdict,
      cell: (row) => <VerdictMark verdict={row.verdict} why={isHeldBack(row) ? "calls differ" : undefined} />,
      text: (row) => [VERDICT_LOOK[row.verdict].word, ledger.whyUndecided(row)?.why].filter(Boolean).join(": "),
      help: [0, 1, 2].map((v) => `${VERDICT_LOOK[v as 0].word}: ${VERDICT_MEANS[v as 0]}`).join("\n") },
    { id: "gain", title: "Gain", numeric: true, width: "4.8rem",
      help: "What its calls would have taken in the version before, less what they took, less the compilation",
      key: (row) => known(row.gain?.value), cell: (row) => row.gain ? formatGain(row.gain.value) : "?",
      text: (row) => row.gain ? formatGain(row.gain.value) : "?" },
    { id: "interval", title: "95 % interval", width: "7.4rem", spare: 2,
      help: "Of the gain, around zero: losses to the left, gains to the right; the scale is logarithmic on both sides",
      cell: (row) => row.gain && <GainBar gain={row.gain} scale={scale} verdict={row.verdict} />,
      text: (row) => row.gain ? describeGain(row.gain).replace(/^[^(]*\(|\)$/g, "") : "?" },
    method, levels, ...costs,
    perCall("before", "Time of a call in the version before, methods included that either has inlined; with its 95 % interval"),
    perCall("after", "Time of a call in the new version, likewise"),
    { id: "calls", title: "Calls after", numeric: true, width: "4.6rem", spare: 8, help: "Calls of the new version",
      key: (row) => known(row.callsAfter), cell: (row) => row.callsAfter === null ? "?" : formatCalls(row.callsAfter),
      text: (row) => row.callsAfter === null ? "?" : formatCount(row.callsAfter) },
    { id: "pays", title: "Pays off after", numeric: true, width: "6rem", spare: 7, help: "After how many calls of the new version the compilation has earned its cost",
      key: (row) => known(row.callsToPay), text: payOff,
      cell: (row) => <span title={payOffHelp(row)}>{row.callsToPay === null ? "—" : countOfCalls(row.callsToPay)}</span> },
    ...rest,
  ];
}
