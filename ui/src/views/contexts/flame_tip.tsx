import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { callWords, codeWords, frameName, inlinedWords } from "./frame_words";
import type { Flame } from "./use_flame";

const WIDTH_PX = 352, HEIGHT_PX = 170;

// What a frame is, beside the pointer.
export function FlameTip({ model, flame, node, x, y }: {
  model: PageModel; flame: Flame; node: number; x: number; y: number;
}) {
  const { tree, unit, zoom, isInverted } = flame;
  const part = (weight: number, of: number) => formatShare(of > 0 ? weight / of : 0);
  const lines = [
    ...(isInverted || node === 0 ? [unit.format(tree.total[node]!)] : unit.frame(tree.self[node]!, tree.total[node]!)),
    `${part(tree.total[node]!, tree.total[0]!)} of all${isInverted || node === 0 ? "" : `, itself ${part(tree.self[node]!, tree.total[0]!)}`}`,
    zoom > 0 && tree.total[node]! < tree.total[zoom]! &&
      `${part(tree.total[node]!, tree.total[zoom]!)} of ${model.names.label(tree.method[zoom]!)}`,
    codeWords(flame, node), inlinedWords(flame, node), callWords(model, flame, node),
  ].filter(Boolean);
  const isLow = y + 16 + HEIGHT_PX > window.innerHeight;
  return (
    <div class="contexts-tip" role="tooltip" style={{
      left: Math.max(4, Math.min(x + 12, window.innerWidth - WIDTH_PX)),
      top: isLow ? undefined : y + 16, bottom: isLow ? window.innerHeight - y + 10 : undefined,
    }}>
      <strong>{frameName(model, flame, node)}</strong>
      {lines.map((line, i) => <span key={i}>{line}</span>)}
    </div>
  );
}
