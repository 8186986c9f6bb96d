import { useMemo, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { ExportMenu } from "../../components/export_menu";
import { SearchBox } from "../../components/search_box";
import { Split } from "../../components/split";
import { collapsed } from "../../model/flame_text";
import { formatCount, formatShare, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { coloursOf, type Colours } from "./colours";
import { FlameControls } from "./controls";
import { Crumbs } from "./crumbs";
import { FlameCanvas } from "./flame_canvas";
import { flameSvg } from "./flame_svg";
import { frameActions } from "./frame_actions";
import { FramePanel } from "./frame_panel";
import { frameSentence } from "./frame_words";
import { MethodsTable } from "./methods_table";
import { useDark } from "./use_dark";
import { useFlame, type Flame } from "./use_flame";
import "./style.css";

function Contexts({ model }: ViewProps) {
  const flame = useFlame(model);
  const { tree, method } = flame;
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  const colours = useMemo(() => coloursOf(model, flame, isDark), [model, tree, flame.colour, flame.contexts, isDark]);
  const actions = method === undefined ? [] : frameActions(model, flame, flame.cursor, method);
  const byKey = actions.flatMap(({ key, isOff, run }) => key && key !== "Enter" && !isOff ? [[key, run]] : []);
  useShortcuts({
    ...Object.fromEntries(byKey),
    i: flame.invert,
    r: flame.toggleRecursion,
    z: flame.undoLast,
    n: () => flame.goToMatch(1),
    N: () => flame.goToMatch(-1),
    Backspace: flame.zoomOut,
    Escape: () => flame.query ? flame.setQuery("") : flame.zoomToAll(),
  });
  return (
    <>
      <div class="bar">
        <SearchBox label="Search frames" value={flame.query} onInput={flame.setQuery} onLeave={() => {
          canvas.current?.focus();
          flame.goToMatch(1);
        }} />
        <FlameControls model={model} flame={flame} />
        <span role="status" class="contexts-found">{flame.query.trim() !== "" && foundWords(flame)}</span>
      </div>
      <div class="contexts-where">
        <Crumbs model={model} flame={flame} />
        <ExportMenu name="contexts" canvas={() => canvas.current ?? undefined} svg={() => flameSvg(model, flame, colours)}
          text={() => collapsed(tree, (each) => model.names.qualified(each), flame.zoom)} />
      </div>
      <Split columns="minmax(0, 1fr) 26rem">
        <section class="contexts-main" aria-label="Frames">
          <Facts model={model} flame={flame} />
          <Legend colours={colours} flame={flame} />
          <FlameCanvas model={model} flame={flame} colours={colours} canvas={canvas} />
          <p class="sr" aria-live="polite">{frameSentence(model, flame, flame.cursor)}</p>
        </section>
        <section class="contexts-side" aria-label="Details">
          <FramePanel model={model} flame={flame} />
          <MethodsTable model={model} flame={flame} />
        </section>
      </Split>
    </>
  );
}

function foundWords({ tree, matches }: Flame): string {
  const share = formatShare(tree.total[0]! > 0 ? matches.weight / tree.total[0]! : 0);
  const where = `${plural(matches.frames, "frame")} of ${plural(matches.methods, "method")}`;
  return `${share} in or below ${where}${matches.frames > 0 ? " (n: next)" : ""}`;
}

// What the widths are, and what is not there.
function Facts({ model, flame }: { model: PageModel; flame: Flame }) {
  const { tree, unit, straight } = flame;
  const { hidden_nodes: hidden, hidden_weight: hiddenWeight } = flame.contexts;
  const cutShare = formatShare(straight.total[0]! > 0 ? flame.cutWeight / straight.total[0]! : 0);
  const cutFrames = plural(flame.cut, "light frame");
  return (
    <p class="contexts-facts">
      {model.before && `Of ${model.profile.name}, the one after. `}
      Widths are {unit.widths}: {unit.format(tree.total[0]!)} in all. <span class="dim">{unit.uncertainty}</span>
      {flame.isInverted && ` Inverted: ${flame.shape === "flame" ? "above" : "below"} each frame are its callers.`}
      {hidden > 0 && ` Not in this page: ${formatCount(hidden)} of the lightest contexts, ${unit.format(hiddenWeight)}.`}
      {flame.cut > 0 && ` Of ${cutFrames} (${cutShare} of all) the callers are left out; focus on less to see them.`}
    </p>
  );
}

function Legend({ colours, flame }: { colours: Colours; flame: Flame }) {
  return (
    <p class="contexts-legend">
      {colours.legend.map(({ paint, words, share }) => (
        <span key={words}><i style={{ background: paint.fill }} /> {words}
          {share !== undefined && <span class="dim"> {formatShare(share)}</span>}</span>
      ))}
      {flame.tree.inlined && <span><i class="contexts-dashes" /> inlined</span>}
    </p>
  );
}

export const contextsView: View = {
  id: "contexts",
  title: "Contexts",
  component: Contexts,
  missing: (model) => model.profile.trees.length > 0 ? undefined
    : model.whole && model.whole.profile.trees.length > 0
    ? "There are no stacks of the selection: their times and threads are not known. The key w shows the whole run."
    : "Only call edges were collected, so there are no stacks to draw. For a flame graph of calls record with " +
      "yp run --context tree, of time with --jit or --mechanism immediate.",
  keys: [
    { key: "arrows", does: "From frame to frame" },
    { key: "Enter", does: "Zoom into the frame" },
    { key: "Backspace", does: "Zoom out, by a frame" },
    { key: "Esc", does: "Leave the search, or show all" },
    { key: "n N", does: "Next or previous match" },
    { key: "i", does: "Inverted: from where stacks end" },
    { key: "f", does: "Focus on the method" },
    { key: "u", does: "The method's callers" },
    { key: "m", does: "Merge the method into its callers" },
    { key: "l", does: "Make the method a leaf" },
    { key: "x", does: "Drop the stacks with the method" },
    { key: "o", does: "Collapse the method's recursion" },
    { key: "r", does: "No recursion, of no method" },
    { key: "z", does: "Undo the last transform" },
    { key: "g", does: "The method in the call graph" },
    { key: "S", does: "The method in its source file" },
  ],
};
