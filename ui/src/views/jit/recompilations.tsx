import { useMemo, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import type { Verdict } from "../../data/page_data";
import { DataTable, tableText, type TableHandle } from "../../components/data_table";
import { ExportMenu } from "../../components/export_menu";
import { SearchBox } from "../../components/search_box";
import { formatCount, plural } from "../../model/format";
import { filterRecompilations } from "../../model/jit_filter";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { parseSort, sortedBy } from "../../model/sorting";
import { setParams } from "../../state/url_state";
import { BEST_FIRST, selectMethod, setSort, setVerdicts, showVerdict, WORST_FIRST, type JitState } from "./jit_state";
import { NOT_ENTRANT, tierName, VERDICT_LOOK, VERDICT_MEANS } from "./jit_text";
import { recompilationColumns } from "./recompilation_columns";
import { summaryText } from "./summary";
import { NARROW, useMedia } from "../../components/use_media";

// Every recompilation, filtered and sorted.
export function Recompilations({ model, ledger, state, details }: {
  model: PageModel; ledger: JitLedger; state: JitState; details: () => string;
}) {
  const { names } = model;
  const { verdicts, why, level, isMadeNotEntrant, words } = state;
  const table = useRef<TableHandle>(null);
  const isNarrow = useMedia(NARROW);
  const columns = useMemo(() => {
    const all = recompilationColumns(model, ledger);
    // Whose gain it is has to be seen beside it.
    return isNarrow ? [...all].sort((a, b) => Number(b.id === "method") - Number(a.id === "method")) : all;
  }, [model, ledger, isNarrow]);
  const fallback = ledger.isJudged ? "gain" : "compile";
  const sort = parseSort(state.sortText || fallback);
  // Sorted before they are filtered: typing does not sort.
  const ordered = useMemo(() => {
    const key = columns.find(({ id }) => id === sort.column)?.key;
    return key ? sortedBy(ledger.rows, key, sort.descending) : ledger.rows;
  }, [ledger, columns, sort.column, sort.descending]);
  const rows = useMemo(() => filterRecompilations(ordered,
    { verdicts, why, to: level, isMadeNotEntrant, words }, (method) => names.lowerFull(method)),
  [ordered, verdicts, why, level, isMadeNotEntrant, words]);
  // The one that was clicked; of a method that was selected elsewhere, the first in sight.
  const chosen = state.method === undefined ? undefined
    : ledger.rows[state.row ?? -1]?.method === state.method ? state.row
    : rows.find((row) => row.method === state.method)?.index;
  useShortcuts(ledger.isJudged ? { v: () => showVerdict(1), V: () => showVerdict(0) } : {});
  const asText = () => [summaryText(ledger),
    tableText(columns, rows), details()].filter(Boolean).join("\n");
  return (
    <section class="jit-tab" aria-label="Recompilations">
      <div class="jit-filters">
        <SearchBox label="Search methods" value={words} onInput={(text) => setParams({ jq: text }, "replace")}
          onLeave={() => table.current?.goToFirst()} />
        {ledger.isJudged && <VerdictFilter verdicts={verdicts} />}
        <label>To <select value={level ?? ""} onChange={(event) => setParams({ jlevel: event.currentTarget.value }, "replace")}>
          <option value="">any</option>
          {[1, 2, 3, 4].map((each) => <option key={each} value={each}>{tierName(each)}</option>)}
        </select></label>
        <label><input type="checkbox" checked={isMadeNotEntrant}
          onChange={(event) => setParams({ jgivenup: event.currentTarget.checked ? "1" : undefined }, "replace")} /> {NOT_ENTRANT}</label>
        {ledger.isJudged && (
          <span class="jit-group" role="group" aria-label="Order by gain">
            <button type="button" aria-pressed={sort.column === "gain" && !sort.descending} onClick={() => setSort(WORST_FIRST)}>Worst first</button>
            <button type="button" aria-pressed={sort.column === "gain" && sort.descending} onClick={() => setSort(BEST_FIRST)}>Best first</button>
          </span>
        )}
        <ExportMenu name="recompilations" text={asText} />
      </div>
      <p class="dim jit-count" role="status">
        {rows.length < ledger.rows.length && `${formatCount(rows.length)} of `}{plural(ledger.rows.length, "recompilation")}
        {rows.length < ledger.rows.length && <> · <button type="button" class="jit-link" onClick={() =>
          setParams({ jv: "pdu", jwhy: undefined, jq: undefined, jlevel: undefined, jgivenup: undefined }, "replace")}>Show all</button></>}
      </p>
      <DataTable handle={table} label="Recompilations" rows={rows} columns={columns} rowKey={(row) => row.index}
        selected={chosen} onSelect={(row) => selectMethod(model, row.method, row.index)}
        rowClass={(row) => row.method === state.method ? "jit-same" : undefined}
        sort={sort} onSort={setSort}
        empty="No recompilation is like this." />
    </section>
  );
}

function VerdictFilter({ verdicts }: { verdicts: ReadonlySet<Verdict> }) {
  return (
    <span class="jit-group" role="group" aria-label="Verdicts shown">
      {([0, 1, 2] as const).map((verdict) => (
        <button key={verdict} type="button" aria-pressed={verdicts.has(verdict)} title={VERDICT_MEANS[verdict]}
          onClick={() => {
            const next = new Set(verdicts);
            if (!next.delete(verdict)) next.add(verdict);
            setVerdicts(next.size > 0 ? next : new Set([0, 1, 2] as const));
          }}>
          <span class={`tone-${VERDICT_LOOK[verdict].tone}`} aria-hidden="true">{VERDICT_LOOK[verdict].symbol}</span> {VERDICT_LOOK[verdict].word}
        </button>
      ))}
    </span>
  );
}
