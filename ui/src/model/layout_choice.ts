import { layeredLayout, MAX_FIT_SCALE, type LayoutInput, type LayoutOutput, type Size } from "./layered_layout";

export const MARGIN_PX = 20; // around a drawing that is shown whole
export const LEGIBLE_SCALE = 0.85; // Text of 13 pixels is shown as 11 or more: what is aimed at.
export const LEAST_SCALE = 0.7; // Smaller, a drawing is shown in part.

export interface LayoutChoice {
  // Drawings of the same, the best first.
  inputs: readonly LayoutInput[];
  room: Size; // pixels
}

// How large a drawing can be shown whole.
export function fitScale(size: Size, room: Size): number {
  if (size.width <= 0 || size.height <= 0) return 1;
  return Math.min(MAX_FIT_SCALE, (room.width - 2 * MARGIN_PX) / size.width, (room.height - 2 * MARGIN_PX) / size.height);
}

// The first drawing that can be read when all of it is in sight; else the one that comes nearest to
// that. Those whose nodes alone take more than the room are not laid out; where all do, it is the last
// in the direction of the first.
export function chooseLayout({ inputs, room }: LayoutChoice): { index: number; output: LayoutOutput } {
  const inner = { width: room.width - 2 * MARGIN_PX, height: room.height - 2 * MARGIN_PX };
  const laidOut = (index: number) => ({ index, output: layeredLayout({ ...inputs[index]!, room: inner }) });
  let best: { index: number; output: LayoutOutput } | undefined, scale = -Infinity;
  for (const [index, input] of inputs.entries()) {
    if (!mayFit(input, inner)) continue;
    const each = laidOut(index), fits = fitScale(each.output, room);
    if (fits > scale) best = each;
    scale = Math.max(scale, fits);
    if (fits >= leastScaleOf(input)) break;
  }
  return best ?? laidOut(inputs.findLastIndex(({ direction }) => direction === inputs[0]!.direction));
}

function leastScaleOf({ leastScale }: LayoutInput): number { return leastScale ?? LEGIBLE_SCALE; }

function mayFit(input: LayoutInput, room: Size): boolean {
  const area = input.nodes.reduce((sum, { width, height }) => sum + width * height, 0);
  return area * leastScaleOf(input) ** 2 < room.width * room.height;
}

export interface Box { x: number; y: number; width: number; height: number }
export interface Shown { scale: number; x: number; y: number } // what is at (0, 0) of the drawing is at (x, y)

const ABOVE_PX = 16; // of a node: how many callers are not shown

// A drawing whole, in the middle of its room, but no node under what lies in the room's lower right
// corner: the drawing gives way to the left, else upwards, else becomes smaller. `nodes`: where they
// are in the drawing.
export function shownWhole(drawing: Size, nodes: readonly Box[], room: Size, corner: Size): Shown {
  const inMiddle = (of: Size): Shown => {
    const scale = fitScale(drawing, of);
    return { scale, x: (of.width - drawing.width * scale) / 2, y: (of.height - drawing.height * scale) / 2 };
  };
  const shown = inMiddle(room), { scale } = shown;
  const left = room.width - corner.width, top = room.height - corner.height;
  const right = (node: Box) => shown.x + (node.x + node.width) * scale, bottom = (node: Box) => shown.y + (node.y + node.height) * scale;
  const covered = nodes.filter((node) => right(node) > left && bottom(node) > top);
  if (covered.length === 0) return shown;
  const byX = Math.max(...covered.map((node) => right(node) - left)), byY = Math.max(...covered.map((node) => bottom(node) - top));
  const mayX = Math.min(...nodes.map((node) => shown.x + node.x * scale)), mayY = Math.min(...nodes.map((node) => shown.y + node.y * scale)) - ABOVE_PX * scale;
  if (byX <= mayX) return { ...shown, x: shown.x - byX };
  if (byY <= mayY) return { ...shown, y: shown.y - byY };
  return inMiddle({ width: room.width, height: room.height - corner.height + MARGIN_PX });
}
