import { useMemo, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { tableText } from "../../components/data_table";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { Split } from "../../components/split";
import { sandwich } from "../../model/call_sites";
import { neighbourhood, NEIGHBOURHOOD_DEFAULTS } from "../../model/neighbourhood";
import { useParam } from "../../state/url_state";
import { GraphControls } from "./controls";
import { DetailsPanel } from "./details_panel";
import { GraphCanvas, type CanvasHandle } from "./graph_canvas";
import { canvasEdges, canvasNodes, edgeTitle, shownAndHidden } from "./graph_items";
import { GraphLegend } from "./legend";
import { MethodsPanel } from "./methods_panel";
import { siteColumns } from "./sites_table";
import { goTo, selectWithin, useGraphState } from "./use_graph_state";
import "./style.css";

function Graph({ model }: ViewProps) {
  const state = useGraphState(model);
  const { selected, callers, callees, percent, of, by } = state;
  const canvas = useRef<CanvasHandle>(null), legend = useRef<HTMLUListElement>(null);
  const hasCounts = model.profile.kind !== "edges";
  const options = useMemo(() => ({
    ...NEIGHBOURHOOD_DEFAULTS, callers, callees, threshold: hasCounts ? percent / 100 : 0, of,
  }), [callers, callees, percent, of, hasCounts]);
  // The graph stays where it is while what is selected is in it.
  const [shown, centre] = useMemo(() => {
    const there = neighbourhood(model.graph, state.centre, options);
    if (state.centre === selected || there.nodes.some(({ method }) => method === selected)) {
      return [there, state.centre];
    }
    return [neighbourhood(model.graph, selected, options), selected];
  }, [model, state.centre, selected, options]);
  const nodes = useMemo(() => canvasNodes(shown, model.names, model.graph.callsOf, by, hasCounts), [shown, by]);
  const edges = useMemo(() => canvasEdges(shown, model.names, hasCounts), [shown]);
  const told = shownAndHidden(shown, model.names.count, hasCounts);

  useShortcuts({
    u: () => state.setCallers(Math.min(5, callers + 1)), U: () => state.setCallers(Math.max(0, callers - 1)),
    l: () => state.setDirection(state.direction === "down" ? "right" : "down"),
    d: () => state.setCallees(Math.min(5, callees + 1)), D: () => state.setCallees(Math.max(0, callees - 1)),
  });
  const [hides, setHides] = useParam("ghide", "");
  const hidesMethods = hides.includes("m"), hidesDetails = hides.includes("d");
  const setHidden = (methods: boolean, details: boolean) => setHides((methods ? "m" : "") + (details ? "d" : ""));
  useShortcuts({
    "[": () => setHidden(!hidesMethods, hidesDetails), "]": () => setHidden(hidesMethods, !hidesDetails),
  });
  const asText = () => {
    const around = sandwich(model.graph, selected), columns = siteColumns(model);
    return [
      model.names.full(selected), "", "Callers", tableText(columns, around.callers),
      "Callees", tableText(columns, around.callees), "Graph", ...told,
      ...shown.edges.map((edge) => edgeTitle(edge, model.names, hasCounts).replaceAll("\n", "; ")), "",
    ].join("\n");
  };
  return (
    <Split columns={[!hidesMethods && "22rem", "minmax(0, 1fr)", !hidesDetails && "minmax(27rem, 34%)"].filter(Boolean).join(" ")}>
      {!hidesMethods && <MethodsPanel model={model} selected={selected} />}
      <section class="graph-centre" aria-label="Graph">
        {state.unknown !== undefined && <p class="graph-note" role="status">This profile has no method {state.unknown}.</p>}
        {!hasCounts && <p class="graph-note">Each edge was found once: this profile says who calls whom, not how often.</p>}
        <div class="graph-bar">
          <button type="button" aria-pressed={!hidesMethods} title="Show or hide the methods ([)" onClick={() => setHidden(!hidesMethods, hidesDetails)}>Methods</button>
          <button type="button" aria-pressed={!hidesDetails} title="Show or hide callers and callees (])" onClick={() => setHidden(hidesMethods, !hidesDetails)}>Details</button>
          <GraphControls state={state} hasCounts={hasCounts} />
        </div>
        <GraphCanvas handle={canvas} nodes={nodes} edges={edges} direction={state.direction}
          selected={selected} focus={centre}
          label={`Calls around ${model.names.qualified(centre)}. ${told[0]} The tables of callers and callees tell the same in words.`}
          onSelect={(method) => selectWithin(model, method, centre)} onCentre={(method) => goTo(model, method)} />
        <div class="graph-foot">
          <p role="status">{told.join(" ")}</p>
          <GraphLegend profile={model.profile} list={legend} />
          <ExportMenu name="calls" text={asText} svg={() => canvas.current?.svg()} words={() => ({
            caption: `${model.profile.name}: calls around ${model.names.qualified(centre)}`, legend: itemsOf(legend.current) })} />
        </div>
      </section>
      {!hidesDetails && <DetailsPanel model={model} selected={selected} centre={centre} />}
    </Split>
  );
}

export const graphView: View = {
  id: "graph",
  title: "Calls",
  component: Graph,
  missing: (model) => model.names.count === 0 ? "No call was seen in this profile." : undefined,
  keys: [
    { key: "u U", does: "One step more or less of callers" },
    { key: "d D", does: "One step more or less of callees" },
    { key: "l", does: "Callees to the right or below" },
    { key: "[ ]", does: "Show or hide the methods; the details" },
    { key: "+ - 0", does: "Zoom in, out, fit" },
    { key: "arrows", does: "From node to node, or from row to row" },
    { key: "Space", does: "Select the node" },
    { key: "Enter", does: "Centre the graph on the node; show the row" },
  ],
};
