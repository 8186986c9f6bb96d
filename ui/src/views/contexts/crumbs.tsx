import { useMemo } from "preact/hooks";
import { pathOf } from "../../model/flame_tree";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { transformWords } from "./frame_words";
import type { Flame } from "./use_flame";

const FIRST = 1, LAST = 3;

// Where one is: what was done to the stacks, each undone by a click, and the frames on the way to
// the one that fills the width.
export function Crumbs({ model, flame }: { model: PageModel; flame: Flame }) {
  const { tree, zoom, transforms, contexts } = flame;
  const whole = useMemo(() => contexts.weight.reduce((sum, weight) => sum + weight, 0), [contexts]);
  const path = pathOf(tree, zoom);
  const isLong = path.length > FIRST + LAST + 1;
  const button = (node: number) => (
    <button key={node} type="button" title={model.names.full(tree.method[node]!)}
      aria-current={node === zoom ? "true" : undefined}
      onClick={() => flame.setZoom(node)}>{model.names.label(tree.method[node]!)}</button>
  );
  return (
    <nav class="contexts-crumbs" aria-label="Zoom and transforms">
      {transforms.map((transform, i) => (
        <button key={i} type="button" class="contexts-transform" title="Undo this" onClick={() => flame.undo(i)}>
          {transformWords(model.names, transform)} <span aria-hidden="true">✕</span><span class="sr">: undo</span></button>
      ))}
      {transforms.length > 1 && <button type="button" onClick={flame.undoAll}>Undo all</button>}
      {transforms.length > 0 && <span class="dim">{formatShare(whole > 0 ? tree.total[0]! / whole : 0)} of all:</span>}
      <button type="button" aria-current={zoom === 0 ? "true" : undefined} onClick={flame.zoomToAll}>all</button>
      {(isLong ? path.slice(0, FIRST) : path).map(button)}
      {isLong && <span class="dim">… {path.length - FIRST - LAST} frames …</span>}
      {isLong && path.slice(-LAST).map(button)}
    </nav>
  );
}
