import { useMemo, useRef } from "preact/hooks";
import { hasSource, showSource } from "../../app/navigate";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { DataTable, tableText, type TableHandle } from "../../components/data_table";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { NARROW, useMedia } from "../../components/use_media";
import { SearchBox } from "../../components/search_box";
import { changesOf, matching, methodChanges } from "../../model/compare";
import { formatCount, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import { hasAll, wordsOf } from "../../model/words";
import { useParam, useParams } from "../../state/url_state";
import type { CanvasHandle } from "../graph/graph_canvas";
import { changeColumns, forPhone, methodColumns, selectMethod } from "./columns";
import { CompareGraph } from "./graph_section";
import { CompareSummary } from "./summary";
import "./style.css";

function Compare({ model }: ViewProps) {
  const { names } = model;
  const diff = model.data.diff!;
  const changes = useMemo(() => changesOf(diff), [diff]);
  const [query, setQuery] = useParam("cq", "");
  const [which, setWhich] = useParam("cshow", "significant");
  const [by, setBy] = useParam("cby", "sites");
  const [sortText, setSort] = useParam("csort", "change");
  const isOfMethods = by === "methods", isOfAll = which === "all";
  const chosen = useMemo(() => changes.filter(({ isSignificant }) => isOfAll || isSignificant), [changes, isOfAll]);
  const shown = useMemo(() => matching(chosen, names, query), [chosen, query]);
  const allMethods = useMemo(() => methodChanges(diff, changes), [diff, changes]);
  const chosenMethods = useMemo(() => allMethods.filter(({ isSignificant }) => isOfAll || isSignificant), [allMethods, isOfAll]);
  const methods = useMemo(() => {
    const words = wordsOf(query);
    return chosenMethods.filter(({ method }) => hasAll(names.lowerFull(method), words));
  }, [chosenMethods, query]);
  const first = chosen[0] ?? changes[0];
  const named = useNamedMethod(model);
  const selected = named ?? first?.callee;
  const isNarrow = useMedia(NARROW);
  useShortcuts({ S: () => { if (selected !== undefined && hasSource(model, selected)) showSource(model, selected); } });
  const columns = useMemo(() => {
    const all = changeColumns(model, chosen);
    return isNarrow ? forPhone(all) : all;
  }, [model, chosen, isNarrow]);
  const byMethod = useMemo(() => {
    const all = methodColumns(model, chosenMethods);
    return isNarrow ? forPhone(all) : all;
  }, [model, chosenMethods, isNarrow]);
  const canvas = useRef<CanvasHandle>(null), legend = useRef<HTMLUListElement>(null);
  const table = useRef<TableHandle>(null);
  const sort = parseSort(sortText);
  const onSort = (next: ReturnType<typeof parseSort>) => setSort(renderSort(next));
  const { tested, significant, hidden } = isOfMethods ? diff.methods : diff;
  const status = (isOfMethods ? `${plural(methods.length, "method")} of ${formatCount(chosenMethods.length)}`
    : `${plural(shown.length, "change")} of ${formatCount(chosen.length)}`) +
    (isOfAll && hidden > 0 ? `; ${formatCount(hidden)} small ones that may be chance are not in this page` : "");
  const none = (search: string, count: number) => count === 0 ? "Nothing differs."
    : search ? "No change matches." : "No change is beyond chance: the box above shows the others.";
  return (
    <>
      <CompareSummary model={model} />
      <div class="bar">
        <SearchBox label="Search changes" value={query} onInput={setQuery} onLeave={() => table.current?.goToFirst()} />
        <label>Of{" "}
          <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
            <option value="sites">call sites</option>
            <option value="methods">methods</option>
          </select>
        </label>
        {!diff.exact && (
          <label class="compare-check">
            <input type="checkbox" checked={isOfAll}
              onChange={(event) => setWhich(event.currentTarget.checked ? "all" : "significant")} />
            also those that may be chance{isOfAll ? "" : ` (${formatCount(tested - significant)} hidden)`}
          </label>
        )}
        <span class="dim" role="status">{status}</span>
        <ExportMenu name="changes" svg={() => canvas.current?.svg()} words={() => ({
          caption: `${model.before!.name} → ${model.profile.name}: changes around ${selected === undefined ? "nothing" : names.qualified(selected)}`,
          legend: itemsOf(legend.current) })}
          text={() => isOfMethods ? tableText(byMethod, methods) : tableText(columns, shown)} />
      </div>
      <div class="compare-parts">
        {isOfMethods
          ? <DataTable handle={table} label="Methods, before and after" rows={methods} columns={byMethod}
              rowKey={({ method }) => method} selected={named} sort={sort} onSort={onSort}
              empty={none(query, allMethods.length)} onSelect={({ method }) => selectMethod(model, method)} />
          : <DataTable handle={table} label="Changes" rows={shown} columns={columns}
              rowKey={({ index }) => index} sort={sort} onSort={onSort}
              rowClass={({ caller, callee }) => caller === selected || callee === selected ? "compare-touches" : undefined}
              empty={none(query, changes.length)}
              onSelect={({ callee }) => selectMethod(model, callee)} />}
        <CompareGraph model={model} changes={changes} selected={selected} canvas={canvas} legend={legend}
          shares={allMethods.find(({ method }) => method === selected)} />
      </div>
    </>
  );
}

// The method of the address.
function useNamedMethod(model: PageModel): number | undefined {
  const full = useParams().get("method");
  return useMemo(() => {
    const found = full === undefined ? undefined : model.names.find(full);
    return found !== undefined && found >= 0 ? found : undefined;
  }, [model, full]);
}

export const compareView: View = {
  id: "compare",
  title: "Compare",
  component: Compare,
  missing: (model) => model.data.diff && model.before ? undefined
    : "This page has one profile. To compare two, make one of both: yp report BEFORE.yp AFTER.yp -o changes.html.",
  keys: [{ key: "+ - 0", does: "Zoom the graph in, out, fit" }, { key: "S", does: "The selected method's source" }],
};
