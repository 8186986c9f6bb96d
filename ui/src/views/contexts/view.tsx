import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { DataTable, type Column } from "../../components/data_table";
import { ExportMenu } from "../../components/export_menu";
import { MethodName } from "../../components/method_name";
import { SearchBox } from "../../components/search_box";
import { Split } from "../../components/split";
import { matchedWeight } from "../../model/flame_layout";
import { collapsed, methodWeights, type MethodWeight } from "../../model/flame_tree";
import { formatCount, formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import { useParam } from "../../state/url_state";
import { Breadcrumbs, FlameControls, Legend } from "./controls";
import { describeFrame, FlameCanvas } from "./flame_canvas";
import { flameSvg } from "./flame_svg";
import { FramePanel } from "./frame_panel";
import { useFlame, type Flame } from "./use_flame";
import "./style.css";

function Contexts({ model }: ViewProps) {
  const flame = useFlame(model);
  const { tree, unit, query } = flame;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [selected, setSelected] = useState(flame.zoom);
  useEffect(() => setSelected(flame.zoom), [tree]);
  const at = selected < tree.parent.length ? selected : 0;
  const matches = useMatches(model, query);
  const found = useMemo(() => query === "" ? 0 : matchedWeight(tree, matches), [tree, matches, query]);
  const method = tree.method[at]!;
  useShortcuts({
    i: flame.invert,
    r: () => { if (!flame.transforms.some(({ kind }) => kind === "recursion")) flame.add({ kind: "recursion" }); },
    f: () => { if (method >= 0) flame.add({ kind: "focus", method }); },
    m: () => { if (method >= 0) flame.add({ kind: "merge", method }); },
    x: () => { if (method >= 0) flame.add({ kind: "drop", method }); },
    z: () => { if (flame.transforms.length > 0) flame.undo(flame.transforms.length - 1); },
    Backspace: () => flame.setZoom(flame.zoom > 0 ? tree.parent[flame.zoom]! : 0),
  });
  const { hidden_nodes: hidden, hidden_weight: hiddenWeight } = flame.contexts;
  return (
    <>
      <div class="bar">
        <SearchBox label="Search frames" value={query} onInput={flame.setQuery} onLeave={() => canvas.current?.focus()} />
        <span role="status" class="contexts-found">{query !== "" && `${formatShare(tree.total[0]! > 0 ? found / tree.total[0]! : 0)} in or below what matches`}</span>
        <FlameControls model={model} flame={flame} />
        <ExportMenu name="contexts" canvas={() => canvas.current ?? undefined} svg={() => flameSvg(model, flame, matches)}
          text={() => collapsed(tree, (each) => model.names.qualified(each))} />
      </div>
      <Breadcrumbs model={model} flame={flame} />
      <Split columns="minmax(0, 1fr) 25rem">
        <section class="contexts-main" aria-label="Frames">
          <p class="contexts-unit">Widths are {unit.name === "samples" ? "CPU time, by samples of stacks" : unit.name}: {unit.format(tree.total[0]!)} in all. <Legend flame={flame} />
            {hidden > 0 && ` ${formatCount(hidden)} of the lightest contexts (${formatShare(hiddenWeight / (hiddenWeight + flame.whole))} of all) are not in this page.`}
            {flame.cut > 0 && ` Of ${formatCount(flame.cut)} very deep stacks the outermost callers are left out.`}</p>
          <FlameCanvas model={model} flame={flame} matches={matches} selected={at} onSelect={setSelected} canvas={canvas} />
          <p class="sr" aria-live="polite">{describeFrame(model, flame, at)}</p>
        </section>
        <section class="contexts-side" aria-label="Details">
          <FramePanel model={model} flame={flame} node={at} />
          <Methods model={model} flame={flame} />
        </section>
      </Split>
    </>
  );
}

function useMatches(model: PageModel, query: string): (method: number) => boolean {
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const known = new Map<number, boolean>();
    return (method: number) => {
      if (method < 0 || words.length === 0) return false;
      let is = known.get(method);
      if (is === undefined) {
        const name = model.names.lowerFull(method);
        known.set(method, is = words.every((word) => name.includes(word)));
      }
      return is;
    };
  }, [model, query]);
}

// The methods of the tree that is shown: what the drawing tells, as a table.
function Methods({ model, flame }: { model: PageModel; flame: Flame }) {
  const { tree, unit } = flame;
  const [sortText, setSort] = useParam("fmsort", "self");
  const rows = useMemo(() => methodWeights(tree).filter(({ method }) => method >= 0), [tree]);
  const columns = useMemo((): Column<MethodWeight>[] => {
    const all = tree.total[0]!;
    const share = (weight: number) => formatShare(all > 0 ? weight / all : 0);
    return [
      { id: "self", title: "Self", numeric: true, width: "4.4rem", key: (row) => row.self, text: (row) => `${share(row.self)} ${unit.format(row.self)}`, cell: (row) => share(row.self) },
      { id: "total", title: "Total", numeric: true, width: "4.4rem", key: (row) => row.total, text: (row) => `${share(row.total)} ${unit.format(row.total)}`, cell: (row) => share(row.total) },
      { id: "method", title: "Method", width: "minmax(8rem, 1fr)", key: (row) => model.names.qualified(row.method), text: (row) => model.names.full(row.method),
        cell: (row) => <MethodName model={model} method={row.method} onClick={() => flame.add({ kind: "focus", method: row.method })} /> },
    ];
  }, [tree, unit.name, flame.transforms]);
  return (
    <DataTable label="Methods of what is shown" rows={rows} columns={columns} rowKey={({ method }) => method}
      sort={parseSort(sortText)} onSort={(sort) => setSort(renderSort(sort))} />
  );
}

export const contextsView: View = {
  id: "contexts",
  title: "Contexts",
  component: Contexts,
  missing: (model) => model.profile.trees.length > 0 ? undefined
    : "Only call edges were collected, so there are no stacks to draw. For a flame graph of calls record with yp run --context tree, of time with --jit or --mechanism immediate.",
  keys: [
    { key: "arrows", does: "From frame to frame" },
    { key: "Enter", does: "Zoom into the frame" },
    { key: "Backspace", does: "Zoom out" },
    { key: "i", does: "Inverted: callers of where time is spent" },
    { key: "f", does: "Focus on the frame's method" },
    { key: "m", does: "Merge the method into its callers" },
    { key: "x", does: "Drop the stacks with the method" },
    { key: "r", does: "Collapse recursion" },
    { key: "z", does: "Undo the last transform" },
  ],
};
