import { MethodName } from "../../components/method_name";
import { pathOf } from "../../model/flame_tree";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { levelWords } from "./colours";
import type { Flame } from "./use_flame";

// What is known of a frame, and what can be done with its method.
export function FramePanel({ model, flame, node }: { model: PageModel; flame: Flame; node: number }) {
  const { tree, unit } = flame;
  const method = tree.method[node]!;
  const all = tree.total[0]!;
  if (node === 0 || method < 0) {
    return <p class="dim">All: {unit.format(all)}. Choose a frame for what is known of it.</p>;
  }
  const share = (weight: number) => formatShare(all > 0 ? weight / all : 0);
  const above = tree.parent[node]!;
  const line = tree.line[node]!;
  const at = above > 0 && line > 0 ? model.names.at(tree.method[above]!, line) : "";
  const inlined = tree.inlined?.[node] ?? 0;
  return (
    <div class="contexts-frame">
      <h2>{model.names.full(method)}</h2>
      <dl>
        <div><dt>With all below</dt><dd>{share(tree.total[node]!)} · {unit.format(tree.total[node]!)}</dd></div>
        <div><dt>Itself</dt><dd>{share(tree.self[node]!)} · {unit.format(tree.self[node]!)}</dd></div>
        {at && !flame.isInverted && <div><dt>Called at</dt><dd>{at}</dd></div>}
        {tree.level && <div><dt>Code</dt><dd>{levelWords(tree.level[node]!)}
          {inlined > 0.5 ? ", inlined into its caller" : inlined > 0 ? `, ${formatShare(inlined)} of it inlined` : ""}</dd></div>}
        <div><dt>Depth</dt><dd>{pathOf(tree, node).length}</dd></div>
      </dl>
      <p class="contexts-actions">
        <button type="button" onClick={() => flame.setZoom(node)}>Zoom in</button>
        <button type="button" title="f" onClick={() => flame.add({ kind: "focus", method })}>Focus on the method</button>
        <button type="button" title="m" onClick={() => flame.add({ kind: "merge", method })}>Merge into callers</button>
        <button type="button" title="x" onClick={() => flame.add({ kind: "drop", method })}>Drop its stacks</button>
      </p>
      <p>In the call graph: <MethodName model={model} method={method} long /></p>
    </div>
  );
}
