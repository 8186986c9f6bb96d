import type { Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { factorOf, formatPoints, type Change, type MethodChange } from "../../model/compare";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { setParams } from "../../state/url_state";

// A sign beside the colour: ▲ more, ▼ less, ~ may be chance.
export function signOf(change: number, isSignificant: boolean): string {
  return !isSignificant ? "~" : change > 0 ? "▲" : "▼";
}

function select(model: PageModel, method: number) {
  return () => setParams({ method: model.names.full(method) });
}

// The change with its interval around 0, of the largest there is.
function IntervalBar({ low, high, value, most }: { low: number; high: number; value: number; most: number }) {
  const at = (x: number) => 50 + 48 * Math.max(-1, Math.min(1, x / most));
  return (
    <svg class="compare-interval" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <line x1="50" x2="50" y1="0" y2="14" class="zero" />
      <line x1={at(low)} x2={at(high)} y1="7" y2="7" class={value > 0 ? "more" : "less"} />
      <rect x={at(value) - 1.5} y="3" width="3" height="8" class={value > 0 ? "more" : "less"} />
    </svg>
  );
}

export function changeColumns(model: PageModel): Column<Change>[] {
  const { names } = model;
  const diff = model.data.diff!;
  // The scale is that of significant changes; longer intervals end at the edge.
  let most = 0;
  for (let i = 0; i < diff.low.length; i++) {
    if (diff.q_value[i]! <= diff.fdr) most = Math.max(most, Math.abs(diff.low[i]!), Math.abs(diff.high[i]!));
  }
  most ||= diff.high.reduce((max, high) => Math.max(max, Math.abs(high)), 1e-9);
  const name = (id: "caller" | "callee"): Column<Change> => ({
    id, title: id === "caller" ? "Caller" : "Callee", width: "minmax(10rem, 1fr)",
    key: (row) => names.qualified(row[id]), text: (row) => names.full(row[id]),
    cell: (row) => <MethodName model={model} method={row[id]} onClick={select(model, row[id])} />,
  });
  return [
    { id: "change", title: "Change", help: "In percent points of all calls", numeric: true, width: "6.5rem",
      key: (row) => Math.abs(row.change), text: (row) => formatPoints(row.change),
      cell: (row) => <span class={row.isSignificant ? row.change > 0 ? "compare-more" : "compare-less" : "dim"}>
        {signOf(row.change, row.isSignificant)} {formatPoints(row.change)}</span> },
    { id: "interval", title: "95 % interval", width: "8rem",
      text: (row) => row.low === row.high ? "exact" : `${formatPoints(row.low)} to ${formatPoints(row.high)}`,
      cell: (row) => row.low === row.high ? "exact"
        : <IntervalBar low={row.low} high={row.high} value={row.change} most={most} /> },
    { id: "before", title: "Before", numeric: true, width: "4.6rem", key: (row) => row.before,
      text: (row) => formatShare(row.before), cell: (row) => formatShare(row.before) },
    { id: "after", title: "After", numeric: true, width: "4.6rem", key: (row) => row.after,
      text: (row) => formatShare(row.after), cell: (row) => formatShare(row.after) },
    { id: "factor", title: "Factor", numeric: true, width: "5.6rem",
      key: (row) => row.before > 0 ? row.after / row.before : Infinity,
      text: (row) => factorOf(row.before, row.after), cell: (row) => factorOf(row.before, row.after) },
    { id: "q", title: "q", help: "The false discovery rate at which it counts as changed", numeric: true, width: "4rem",
      key: (row) => row.q, text: (row) => row.q.toPrecision(2), cell: (row) => row.q < 0.001 ? "<0.001" : row.q.toFixed(3) },
    name("caller"),
    { id: "site", title: "At", width: "minmax(7rem, 12rem)", text: (row) => names.at(row.caller, row.line) || `bytecode ${row.bci}`,
      cell: (row) => row.caller < 0 ? "" : names.at(row.caller, row.line) || `bytecode ${row.bci}` },
    name("callee"),
  ];
}

export function methodColumns(model: PageModel): Column<MethodChange>[] {
  const { names } = model;
  return [
    { id: "change", title: "Change", help: "In percent points of all calls", numeric: true, width: "6.5rem",
      key: (row) => Math.abs(row.change), text: (row) => formatPoints(row.change), cell: (row) => formatPoints(row.change) },
    { id: "before", title: "Before", numeric: true, width: "5rem", key: (row) => row.before,
      text: (row) => formatShare(row.before), cell: (row) => formatShare(row.before) },
    { id: "after", title: "After", numeric: true, width: "5rem", key: (row) => row.after,
      text: (row) => formatShare(row.after), cell: (row) => formatShare(row.after) },
    { id: "factor", title: "Factor", numeric: true, width: "5rem",
      key: (row) => row.before > 0 ? row.after / row.before : Infinity,
      text: (row) => factorOf(row.before, row.after), cell: (row) => factorOf(row.before, row.after) },
    { id: "method", title: "Method", width: "minmax(14rem, 1fr)", key: (row) => names.qualified(row.method),
      text: (row) => names.full(row.method),
      cell: (row) => <MethodName model={model} method={row.method} onClick={select(model, row.method)} /> },
  ];
}
