import { useMemo, useRef } from "preact/hooks";
import type { View, ViewProps } from "../../app/view";
import { DataTable, tableText } from "../../components/data_table";
import { ExportMenu } from "../../components/export_menu";
import { SearchBox } from "../../components/search_box";
import { Split } from "../../components/split";
import { changesOf, matching, methodChanges } from "../../model/compare";
import { formatCount, formatShare, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import { setParams, useParam, useParams } from "../../state/url_state";
import { GraphCanvas, type CanvasHandle } from "../graph/graph_canvas";
import { changeColumns, methodColumns } from "./columns";
import { compareGraph } from "./graph";
import "./style.css";

function Compare({ model }: ViewProps) {
  const diff = model.data.diff!;
  const changes = useMemo(() => changesOf(diff), [diff]);
  const [query, setQuery] = useParam("cq", "");
  const [which, setWhich] = useParam("cshow", "significant");
  const [by, setBy] = useParam("cby", "sites");
  const [sortText, setSort] = useParam("csort", "change");
  const chosen = useMemo(() => matching(changes, model.names, query)
    .filter(({ isSignificant }) => which === "all" || isSignificant), [changes, query, which]);
  const selected = useSelected(model, chosen[0]?.callee);
  const columns = useMemo(() => changeColumns(model), [model]);
  const byMethod = useMemo(() => methodColumns(model), [model]);
  const methods = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return methodChanges(model.before!, model.profile, model.names.count)
      .filter(({ method }) => words.every((word) => model.names.lowerFull(method).includes(word)));
  }, [model, query]);
  const chance = changes.length - changes.filter(({ isSignificant }) => isSignificant).length + diff.hidden;
  const canvas = useRef<CanvasHandle>(null);
  const graph = useMemo(() => compareGraph(changes, model.names, selected), [changes, selected]);
  const sort = parseSort(sortText);
  return (
    <>
      <section class="compare-summary" aria-label="Summary">
        <p>
          <strong>{model.before!.name}</strong> before, <strong>{model.profile.name}</strong> after:
          they overlap by <strong>{diff.overlap.toFixed(1)} %</strong>.
          Of {plural(diff.tested, "edge")} <strong>{formatCount(diff.significant)}</strong> differ
          {diff.exact ? "." : ` by more than chance (of these ${Number((100 * diff.fdr).toPrecision(3))} % wrongly, on average).`}
        </p>
        {diff.filters.length > 0 && (
          <p role="note">They observe different calls ({diff.filters.join(", ")}): only what both could see is compared.</p>
        )}
      </section>
      <div class="bar">
        <SearchBox label="Search changes" value={query} onInput={setQuery} />
        <label>Of <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
          <option value="sites">call sites</option>
          <option value="methods">methods</option>
        </select></label>
        {by === "sites" && <label>
          <input type="checkbox" checked={which === "all"}
            onChange={(event) => setWhich(event.currentTarget.checked ? "all" : "significant")} />
          {" "}also the {formatCount(chance)} that may be chance
        </label>}
        <span class="dim" role="status">
          {by === "methods" ? plural(methods.length, "method") : `${plural(chosen.length, "change")} shown`}
          {by === "sites" && which === "all" && diff.hidden > 0 &&
            `; ${formatCount(diff.hidden)} small ones that may be chance are not in this page`}
        </span>
        <ExportMenu name="changes" svg={() => canvas.current?.svg()}
          text={() => by === "methods" ? tableText(byMethod, methods) : tableText(columns, chosen)} />
      </div>
      <Split columns="minmax(0, 3fr) minmax(22rem, 2fr)">
        <section class="compare-table" aria-label="Changes">
          {by === "methods"
            ? <DataTable label="Methods, before and after" rows={methods} columns={byMethod} minWidth="40rem"
                rowKey={({ method }) => method} selected={selected} sort={sort}
                onSort={(next) => setSort(renderSort(next))} empty="No method matches."
                onSelect={({ method }) => setParams({ method: model.names.full(method) })} />
            : <DataTable label="Changes, the largest first" rows={chosen} columns={columns} minWidth="58rem"
                rowKey={({ index }) => index} sort={sort} onSort={(next) => setSort(renderSort(next))}
                empty={changes.length > 0 ? "No change beyond chance matches: the box above shows the others." : "Nothing differs."}
                onSelect={({ callee }) => setParams({ method: model.names.full(callee) })} />}
        </section>
        <section class="compare-graph" aria-label="Graph">
          <h2>{selected === undefined ? "No method" : model.names.short(selected)}</h2>
          <p class="dim">▲ red: a larger part of all calls than before; ▼ blue: a smaller one; grey: may be chance.
            {graph.hidden > 0 && ` ${plural(graph.hidden, "edge")} with smaller changes not drawn.`}</p>
          <GraphCanvas handle={canvas} nodes={graph.nodes} edges={graph.edges} direction="right"
            selected={selected} focus={selected}
            label={`Changes around ${selected === undefined ? "no method" : model.names.qualified(selected)}; the table tells the same in words.`}
            onSelect={(method) => { if (method >= 0) setParams({ method: model.names.full(method) }); }} />
          {selected !== undefined && <p class="dim">{shareText(model, selected)}</p>}
        </section>
      </Split>
    </>
  );
}

function shareText(model: PageModel, method: number): string {
  const share = (profile: typeof model.profile) => {
    let calls = 0;
    profile.edges.callee.forEach((callee, e) => { if (callee === method) calls += profile.edges.calls[e]!; });
    return formatShare(profile.calls > 0 ? calls / profile.calls : 0);
  };
  return `${model.names.full(method)}: ${share(model.before!)} of all calls before, ${share(model.profile)} after.`;
}

// The method of the address, or else that of the first change.
function useSelected(model: PageModel, fallback: number | undefined): number | undefined {
  const named = useParams().get("method");
  return useMemo(() => {
    const found = named ? model.names.find(named) : undefined;
    return found !== undefined && found >= 0 ? found : fallback;
  }, [model, named, fallback]);
}

export const compareView: View = {
  id: "compare",
  title: "Compare",
  component: Compare,
  missing: (model) => model.data.diff && model.before ? undefined
    : "This page has one profile. To compare two, make one of both: yp report BEFORE.yp AFTER.yp -o changes.html.",
  keys: [{ key: "+ - 0", does: "Zoom the graph in, out, fit" }],
};
