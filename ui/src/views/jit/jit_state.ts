import { useMemo } from "preact/hooks";
import type { Verdict } from "../../data/page_data";
import { parseVerdicts, renderVerdicts } from "../../model/jit_filter";
import { parseOpen } from "../../model/jit_tree_open";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort, type SortState } from "../../model/sorting";
import { setParams, useParams } from "../../state/url_state";

export const TABS = [
  { id: "list", title: "Recompilations" },
  { id: "tree", title: "Classes" },
  { id: "graph", title: "Coloured calls" },
  { id: "time", title: "Timeline" },
] as const;
export type Tab = (typeof TABS)[number]["id"];

export const WORST_FIRST: SortState = { column: "gain", descending: false };
export const BEST_FIRST: SortState = { column: "gain", descending: true };

// What is shown, as it stands in the address.
export function useJitState(model: PageModel) {
  const text = useParams();
  const tab = TABS.find(({ id }) => id === text.get("jtab"))?.id ?? "list";
  const named = text.get("method") ?? "";
  const method = useMemo(() => named ? model.names.find(named) : undefined, [model, named]);
  const verdictText = text.get("jv") ?? "";
  const openText = text.get("jopen") ?? "";
  const { paid_off = 0, did_not = 0 } = model.profile.jit?.ledger ?? {}, hasDecided = paid_off + did_not > 0;
  const level = Number(text.get("jlevel") || NaN);
  return {
    tab,
    hasSummary: text.get("jsum") !== "off",
    // Selected; the root is no method here.
    method: method !== undefined && method >= 0 ? method : undefined,
    unknown: named && method === undefined ? named : undefined,
    // Those that are decided lead, where there are any.
    verdicts: useMemo(() => parseVerdicts(verdictText, hasDecided ? [0, 1] : undefined), [verdictText, hasDecided]),
    why: Number(text.get("jwhy")) || undefined,
    level: [1, 2, 3, 4].includes(level) ? level : undefined,
    isMadeNotEntrant: text.get("jgivenup") === "1",
    row: text.has("jrow") ? Number(text.get("jrow")) : undefined, // index of JitLedger.rows
    words: text.get("jq") ?? "",
    sortText: text.get("jsort") ?? "",
    open: useMemo(() => parseOpen(openText), [openText]), // in the tree
    treeSort: parseSort(text.get("jtsort") || "compile"),
  };
}
export type JitState = ReturnType<typeof useJitState>;

export function showTab(tab: Tab): void {
  setParams({ jtab: tab === "list" ? undefined : tab });
}
// `row`: by which of its recompilations.
export function selectMethod(model: PageModel, method: number | undefined, row?: number): void {
  setParams({
    method: method === undefined ? undefined : model.names.full(method),
    jrow: row === undefined ? undefined : String(row), jsite: undefined,
  });
}
export function setVerdicts(verdicts: ReadonlySet<Verdict>): void {
  setParams({ jv: renderVerdicts(verdicts), jwhy: undefined }, "replace");
}
export function setSort(sort: SortState): void {
  setParams({ jsort: renderSort(sort) }, "replace");
}

// The list of those with one verdict: of what did not pay off the worst first, else the best.
// `why`: of the undecided, only these.
export function showVerdict(verdict: Verdict, why?: number): void {
  setParams({
    jtab: undefined, jv: renderVerdicts(new Set([verdict])), jwhy: why === undefined ? undefined : String(why), jq: undefined, jlevel: undefined, jgivenup: undefined,
    jsort: renderSort(verdict === 1 ? WORST_FIRST : BEST_FIRST),
  });
}
