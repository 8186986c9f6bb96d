import type { Transform } from "../../model/flame_transforms";
import { pathOf } from "../../model/flame_tree";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { CODE_LEGEND, codeColours } from "./colours";
import { isDarkNow } from "./flame_canvas";
import type { Flame } from "./use_flame";

export function FlameControls({ model, flame }: { model: PageModel; flame: Flame }) {
  const { trees } = model.profile;
  return (
    <>
      {trees.length > 1 && (
        <label>Of <select value={String(flame.which)} onChange={(event) => flame.setWhich(Number(event.currentTarget.value))}>
          {trees.map((tree, i) => <option key={i} value={String(i)}>{tree.unit === "samples" ? "time" : tree.unit}</option>)}
        </select></label>
      )}
      <label>As <select value={flame.shape} onChange={(event) => flame.setShape(event.currentTarget.value)}>
        <option value="flame">flame graph</option>
        <option value="icicle">icicle</option>
      </select></label>
      <button type="button" aria-pressed={flame.isInverted} title="Callers of where time is spent (i)" onClick={flame.invert}>Inverted</button>
      <button type="button" title="A method that calls itself is one frame (r)"
        disabled={flame.transforms.some(({ kind }) => kind === "recursion")}
        onClick={() => flame.add({ kind: "recursion" })}>Collapse recursion</button>
      <label>Order <select value={flame.order} onChange={(event) => flame.setOrder(event.currentTarget.value)}>
        <option value="weight">heaviest first</option>
        <option value="name">by name</option>
      </select></label>
      {flame.contexts.level && (
        <label>Colour <select value={flame.colourBy} onChange={(event) => flame.setColour(event.currentTarget.value)}>
          <option value="code">by code</option>
          <option value="package">by package</option>
        </select></label>
      )}
    </>
  );
}

function words(model: PageModel, transform: Transform): string {
  if (transform.kind === "recursion") return "recursion collapsed";
  const name = model.names.short(transform.method);
  return { focus: `only below ${name}`, drop: `without stacks of ${name}`, merge: `${name} merged into callers` }[transform.kind];
}

// Where one is: what was done to the tree, each undone by a click, and the frames down to the zoom.
export function Breadcrumbs({ model, flame }: { model: PageModel; flame: Flame }) {
  const { tree, zoom, transforms, whole } = flame;
  const path = pathOf(tree, zoom);
  const shown = path.length > 6 ? [...path.slice(0, 2), -1, ...path.slice(-3)] : path;
  return (
    <nav class="contexts-crumbs" aria-label="Zoom and transforms">
      {transforms.map((transform, i) => (
        <button key={i} type="button" class="contexts-transform" title="Undo this" onClick={() => flame.undo(i)}>
          {words(model, transform)} ✕</button>
      ))}
      {transforms.length > 0 && <span class="dim">{formatShare(whole > 0 ? tree.total[0]! / whole : 0)} of all</span>}
      <button type="button" disabled={zoom === 0} onClick={() => flame.setZoom(0)}>All</button>
      {shown.map((node, i) => node < 0 ? <span key={i} class="dim">… {path.length - 5} frames …</span> : (
        <button key={i} type="button" aria-current={node === zoom ? "true" : undefined}
          onClick={() => flame.setZoom(node)}>{model.names.short(tree.method[node]!)}</button>
      ))}
    </nav>
  );
}

export function Legend({ flame }: { flame: Flame }) {
  if (flame.colourBy !== "code") return <span class="dim">One colour for each package{flame.tree.inlined ? "; dashes: inlined" : ""}.</span>;
  const colours = codeColours(isDarkNow());
  return (
    <span class="contexts-legend">
      {CODE_LEGEND.map((name, i) => (
        <span key={name}><i style={{ background: colours[i]!.fill }} /> {name}</span>
      ))}
      <span><i class="contexts-dashes" /> inlined</span>
    </span>
  );
}
