import { useMemo, useRef, useState } from "preact/hooks";
import { hasSource, showSource } from "../../app/navigate";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { tableText } from "../../components/data_table";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { Resize, Split, useRegionWidth } from "../../components/split";
import { sandwich } from "../../model/call_sites";
import { LEAST_SCALE } from "../../model/layout_choice";
import { neighbourhood, NEIGHBOURHOOD_DEFAULTS, type Neighbourhood } from "../../model/neighbourhood";
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

function isLess(a: Neighbourhood, b: Neighbourhood): boolean {
  return a.nodes.length < b.nodes.length || a.edges.length < b.edges.length;
}

interface Extent { callers: number; callees: number; maxNodes: number; maxEdges: number; leastScale?: number }

// How far the graph goes: as far as the address says; without that, as far, of two steps either way,
// as can be read in the room. Where even one step is too much, its busiest methods are left, without the
// calls among them, and rather smaller than fewer.
function extentsToTry(callers: number | undefined, callees: number | undefined): Extent[] {
  const { callers: up, callees: down, maxNodes, maxEdges } = NEIGHBOURHOOD_DEFAULTS;
  const all = [[up, down], [1, down], [up, 1], [1, 1]].map(([above, below]) =>
    ({ callers: callers ?? above!, callees: callees ?? below!, maxNodes, maxEdges }))
    .filter((each, i, tries) => tries.findIndex((other) =>
      other.callers === each.callers && other.callees === each.callees) === i);
  if (callers !== undefined || callees !== undefined) return all;
  return [...all, ...[12, 9, 6, 4, 3, 2].map((most) => ({ callers: 1, callees: 1, maxNodes: most, maxEdges: most - 1, leastScale: LEAST_SCALE }))];
}

function Graph({ model }: ViewProps) {
  const state = useGraphState(model);
  const { selected, callers, callees, percent, of, by } = state;
  const canvas = useRef<CanvasHandle>(null), legend = useRef<HTMLUListElement>(null);
  const hasCounts = model.profile.kind !== "edges";
  const base = useMemo(() => ({
    ...NEIGHBOURHOOD_DEFAULTS, threshold: hasCounts ? percent / 100 : 0, of,
  }), [percent, of, hasCounts]);
  // The graph stays where it is while what is selected is in it.
  const centre = useMemo(() => {
    if (state.centre === selected) return selected;
    const { nodes } = neighbourhood(model.graph, state.centre, { ...base, ...extentsToTry(callers, callees)[0]! });
    return nodes.some(({ method }) => method === selected) ? state.centre : selected;
  }, [model, state.centre, selected, base, callers, callees]);
  const candidates = useMemo(() => extentsToTry(callers, callees).map((extent) => {
    const shown = neighbourhood(model.graph, centre, { ...base, ...extent });
    return {
      ...extent, shown, nodes: canvasNodes(shown, model.names, model.graph.callsOf, by, hasCounts),
      edges: canvasEdges(shown, model.names, hasCounts),
    };
  }).filter(({ shown }, i, all) => i === 0 || isLess(shown, all[i - 1]!.shown))
    .flatMap((each) => (state.direction ? [state.direction] : ["right", "down"] as const)
      .map((direction) => ({ ...each, direction }))),
  [model, centre, base, callers, callees, by, state.direction]);
  const [picked, pick] = useState({ of: candidates, index: 0 });
  const drawn = candidates[picked.of === candidates ? picked.index : 0]!;
  const { shown } = drawn;
  const told = shownAndHidden(shown, model.names.count, hasCounts);

  useShortcuts({
    u: () => state.setCallers(drawn.callers + 1), U: () => state.setCallers(drawn.callers - 1),
    l: () => state.setDirection(drawn.direction === "down" ? "right" : "down"),
    d: () => state.setCallees(drawn.callees + 1), D: () => state.setCallees(drawn.callees - 1),
    S: () => { if (hasSource(model, selected)) showSource(model, selected); },
  });
  const [hides, setHides] = useParam("ghide", "");
  const hidesMethods = hides.includes("m"), hidesDetails = hides.includes("d");
  const setHidden = (methods: boolean, details: boolean) => setHides((methods ? "m" : "") + (details ? "d" : ""));
  useShortcuts({
    "[": () => setHidden(!hidesMethods, hidesDetails), "]": () => setHidden(hidesMethods, !hidesDetails),
  });
  const list = useRegionWidth("glist", "clamp(16rem, 27vw, 48rem)");
  const details = useRegionWidth("gdetails", "clamp(24rem, 34vw, 60rem)");
  const asText = () => {
    const around = sandwich(model.graph, selected), columns = siteColumns(model);
    return [
      model.names.full(selected), "", "Callers", tableText(columns, around.callers),
      "Callees", tableText(columns, around.callees), "Graph", ...told,
      ...shown.edges.map((edge) => edgeTitle(edge, model.names, hasCounts).replaceAll("\n", "; ")), "",
    ].join("\n");
  };
  return (
    <Split columns={[!hidesMethods && `${list.css} auto`, "minmax(16rem, 1fr)", !hidesDetails && `auto ${details.css}`].filter(Boolean).join(" ")}>
      {!hidesMethods && <MethodsPanel model={model} selected={selected} />}
      {!hidesMethods && <Resize label="Width of the methods" side="left" onResize={list.resize} />}
      <section class="graph-centre" aria-label="Graph">
        {state.unknown !== undefined && <p class="graph-note" role="status">This profile has no method {state.unknown}.</p>}
        {!hasCounts && <p class="graph-note">Each edge was found once: this profile says who calls whom, not how often.</p>}
        <div class="graph-bar">
          <button type="button" aria-pressed={!hidesMethods} title="Show or hide the methods ([)" onClick={() => setHidden(!hidesMethods, hidesDetails)}>Methods</button>
          <button type="button" aria-pressed={!hidesDetails} title="Show or hide callers and callees (])" onClick={() => setHidden(hidesMethods, !hidesDetails)}>Details</button>
          <GraphControls state={state} shown={drawn} hasCounts={hasCounts} />
        </div>
        <GraphCanvas handle={canvas} drawings={candidates} onShown={(index) => pick({ of: candidates, index })}
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
      {!hidesDetails && <Resize label="Width of callers and callees" side="right" onResize={details.resize} />}
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
    { key: "S", does: "The selected method's source" },
    { key: "[ ]", does: "Show or hide the methods; the details" },
    { key: "+ - 0", does: "Zoom in, out, fit" },
    { key: "arrows", does: "From node to node, or from row to row" },
    { key: "Space", does: "Select the node" },
    { key: "Enter", does: "Centre the graph on the node; show the row" },
  ],
};
