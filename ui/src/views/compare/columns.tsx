import type { Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { SourceLink } from "../../components/source_link";
import { factorOf, formatPoints, formatSmallShare, linesOfSeveralSites, type Change, type MethodChange, type ShareChange } from "../../model/compare";
import { formatCalls, formatCount, plural } from "../../model/format";
import { shorten } from "../../model/shorten";
import type { PageModel } from "../../model/page_model";
import { setParams } from "../../state/url_state";
import { IntervalBar, scaleOf } from "./interval";

// On a phone: the change, then what changed, then its numbers, all of them; rows scroll sideways below
// the first column.
export function forPhone<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  const names = new Set(["caller", "callee", "method"]);
  const rank = ({ id }: Column<Row>) => id === "change" ? 0 : names.has(id) ? 1 : 2;
  return [...columns].sort((a, b) => rank(a) - rank(b)).map(({ spare: _, ...column }) => column);
}

// A sign beside the colour.
function signed({ change, isSignificant }: ShareChange): string {
  return `${!isSignificant ? "~" : change > 0 ? "▲" : "▼"} ${formatPoints(change)}`;
}

function toneOf({ change, isSignificant }: ShareChange): string {
  return !isSignificant ? "dim" : change > 0 ? "compare-more" : "compare-less";
}

export function selectMethod(model: PageModel, method: number): void {
  if (method >= 0) setParams({ method: model.names.full(method) });
}

const MAX_PLACE = 25; // characters

// The change with its interval, then the shares and the test.
function shareColumns<Row extends ShareChange>(model: PageModel, shown: readonly Row[], of: string): Column<Row>[] {
  if (!model.comparesCalls) {
    const what = ({ before, after }: Row) => factorOf(before, after);
    return [{ id: "change", title: "Change", width: "6.4rem", help: "new: only in the one after; gone: only in the one before",
      key: what, text: what, cell: what }];
  }
  const scale = scaleOf(shown);
  return [
    { id: "change", title: "Change", numeric: true, width: "6.4rem",
      help: `In percent points of all calls${of}; ▲ more, ▼ less, ~ may be chance`,
      key: (row) => Math.abs(row.change), text: signed,
      cell: (row) => <span class={toneOf(row)}>{signed(row)}</span> },
    { id: "interval", title: "95 % interval", width: "9rem", spare: 1,
      help: "Of the change; the scale is logarithmic on both sides of zero",
      text: ({ low, high }) => low === high ? "exact" : `${formatPoints(low)} to ${formatPoints(high)}`,
      cell: (row) => row.low === row.high ? "exact" : (
        <>
          <IntervalBar change={row} scale={scale} />
          <span class="sr">{formatPoints(row.low)} to {formatPoints(row.high)}</span>
        </>
      ) },
    { id: "before", title: "Before", help: "Share of all calls", numeric: true, width: "7rem", spare: 2,
      key: (row) => row.before, text: (row) => formatSmallShare(row.before), cell: (row) => formatSmallShare(row.before) },
    { id: "after", title: "After", help: "Share of all calls", numeric: true, width: "7rem", spare: 2,
      key: (row) => row.after, text: (row) => formatSmallShare(row.after), cell: (row) => formatSmallShare(row.after) },
    { id: "factor", title: "Factor", help: "The share after, by the share before", numeric: true, width: "5.5rem", spare: 3,
      key: (row) => row.before > 0 ? row.after / row.before : Infinity,
      text: (row) => factorOf(row.before, row.after), cell: (row) => factorOf(row.before, row.after) },
    ...([["callsBefore", "Calls before"], ["callsAfter", "Calls after"]] as const).map(([id, title]) => ({
      id, title, help: "Not shares, but numbers of calls", numeric: true, width: "5.5rem", spare: 4,
      key: (row: Row) => row[id], text: (row: Row) => formatCount(row[id]), cell: (row: Row) => formatCalls(row[id]),
    })),
    { id: "q", title: "Adj. p", help: "How many comparisons of a program with itself list anything as unlikely as this: p, adjusted for the number of rows (Holm). The interval is of its row alone, and may be without 0 where this is large.", numeric: true, width: "4.6rem", spare: 5,
      key: (row) => row.p, text: (row) => row.p.toPrecision(2), cell: (row) => row.p < 0.001 ? "<0.001" : row.p.toFixed(3) },
  ];
}

function methodColumn<Row>(model: PageModel, id: string, title: string, method: (row: Row) => number): Column<Row> {
  const { names } = model;
  return {
    id, title, width: "minmax(10rem, 1fr)", key: (row) => names.full(method(row)),
    text: (row) => names.full(method(row)),
    cell: (row) => <MethodName model={model} method={method(row)} onClick={() => selectMethod(model, method(row))} />,
  };
}

export function changeColumns(model: PageModel, shown: readonly Change[]): Column<Change>[] {
  const { names } = model;
  const several = linesOfSeveralSites(shown);
  const site = ({ caller, line, bci }: Change) => caller < 0 ? ""
    : line > 0 && names.file(caller) ? `${names.at(caller, line)}${several.has(`${caller} ${line}`) ? ` bci ${bci}` : ""}`
    : bci >= 0 ? `bytecode ${bci}` : "";
  return [
    ...shareColumns(model, shown, ""),
    methodColumn(model, "caller", "Caller", (row: Change) => row.caller),
    methodColumn(model, "callee", "Callee", (row: Change) => row.callee),
    { id: "site", title: "At", width: "13.5rem", spare: 4, key: site, text: site, 
      cell: (row) => <SourceLink model={model} method={row.caller} line={row.line}>{shorten(site(row), MAX_PLACE)}</SourceLink> },
  ];
}

export function methodColumns(model: PageModel, shown: readonly MethodChange[]): Column<MethodChange>[] {
  const sites = ({ significant, sites: all }: MethodChange) =>
    all === 0 ? "" : `${significant} of ${plural(all, "call site")}`;
  return [
    ...shareColumns(model, shown, ", of all call sites of the method together"),
    { id: "sites", title: "Beyond chance", width: "10rem", spare: 4,
      help: "Call sites of the method of which the change by itself is more than chance",
      key: (row) => row.significant, text: sites, cell: sites },
    methodColumn(model, "method", "Method", (row) => row.method),
  ];
}
