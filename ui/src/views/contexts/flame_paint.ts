import type { FlameRows } from "../../model/flame_layout";
import { inlinedShare } from "../../model/flame_tree";
import type { PageModel } from "../../model/page_model";
import { MATCH, type Colours, type Paint } from "./colours";
import type { Flame } from "./use_flame";

export const ROW_PX = 19;
const PADDING_PX = 3;
const SHORTEST = 3; // characters of a label
const INLINED = " (inlined)";

export interface FrameStyle {
  paint: Paint;
  isFaint: boolean;
  isMatch: boolean;
  isInlined: boolean;
  isChosen: boolean; // of the method that is chosen
}

// What frame looks how; for the canvas and for the drawing that is saved.
export function frameStyle(flame: Flame, rows: FlameRows, colours: Colours, node: number, row: number): FrameStyle {
  const method = flame.tree.method[node]!;
  const isSearch = flame.query.trim() !== "", isMatch = isSearch && flame.matches.isMatch[method] === 1;
  return {
    paint: isMatch ? MATCH : colours.of(node), isMatch,
    isFaint: (isSearch && !isMatch) || row < rows.zoomRow,
    isInlined: inlinedShare(flame.tree, node) > 0.5,
    isChosen: node > 0 && method === flame.method,
  };
}

// As much of the name as there is room for: without what tells it from namesakes, without its class,
// then without its end. An inlined frame
// says so when it can.
export function frameLabel(model: PageModel, flame: Flame, node: number, isInlined: boolean, width: number,
                           characterPx: number): string {
  const room = Math.floor((width - 2 * PADDING_PX) / characterPx);
  if (room < SHORTEST) return "";
  if (node === 0) return "all";
  const method = flame.tree.method[node]!, label = model.names.label(method);
  const name = label.length <= room ? label : model.names.short(method);
  if (name.length <= room) return isInlined && name.length + INLINED.length <= room ? name + INLINED : name;
  const alone = name.endsWith("<init>") ? model.names.simpleClass(method) : model.names.name(method);
  return alone.length <= room ? alone : `${alone.slice(0, room - 1)}…`;
}

export interface Painting {
  model: PageModel; flame: Flame; rows: FlameRows; colours: Colours;
  width: number; height: number; // of what is in sight
  top: number; // of what is in sight, in the whole drawing
  yOf: (row: number) => number; // in the whole drawing
  background: string;
}

// Draws the rows that are in sight.
export function paintFlame(canvas: HTMLCanvasElement, painting: Painting): void {
  const { model, flame, rows, colours, width, height, top, yOf } = painting;
  const context = canvas.getContext("2d")!;
  const scale = window.devicePixelRatio || 1;
  const pixels = [Math.round(width * scale), Math.round(height * scale)] as const;
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = painting.background;
  context.fillRect(0, 0, width, height);
  context.font = `11.5px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = "middle";
  const characterPx = context.measureText("0").width;
  for (let row = 0; row < rows.count; row++) {
    const y = yOf(row) - top;
    if (y <= -ROW_PX || y >= height) continue;
    for (let i = rows.rowStart[row]!; i < rows.rowStart[row + 1]!; i++) {
      const node = rows.node[i]!, wide = rows.width[i]!;
      const style = frameStyle(flame, rows, colours, node, row);
      paintFrame(context, style, rows.x[i]!, y, wide,
        frameLabel(model, flame, node, style.isInlined, wide, characterPx));
    }
  }
}

function paintFrame(context: CanvasRenderingContext2D, style: FrameStyle, x: number, y: number, wide: number,
                    label: string): void {
  const width = Math.max(0.5, wide - (wide > 3 ? 1 : 0)), height = ROW_PX - 1;
  context.globalAlpha = style.isFaint ? 0.45 : 1;
  context.fillStyle = style.paint.fill;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillStyle = style.paint.text;
  if (style.isMatch) context.fillRect(x, y, width, 2);
  if (style.isInlined && width > 6) {
    for (let at = x + 2; at < x + width - 2; at += 6) context.fillRect(at, y + height - 3, 3, 1.5);
  }
  if (style.isChosen && width > 2) {
    context.strokeStyle = style.paint.text;
    context.lineWidth = 1.5;
    context.strokeRect(x + 1, y + 1, Math.max(0.5, width - 2), height - 2);
  }
  if (label) context.fillText(label, x + PADDING_PX, y + height / 2);
}
