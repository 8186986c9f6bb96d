import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { boxAt, visibleBoxes, type Box } from "../../model/flame_layout";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { codeColours, codeKind, levelWords, packageColour } from "./colours";
import type { Flame } from "./use_flame";

export const ROW_PX = 19;
const LEAST_PX = 0.25;
const CHARACTER_PX = 6.6;

export interface Style { fill: string; text: string; isFaint: boolean; isMatch: boolean; isInlined: boolean; label: string }

// What a frame looks like; for the canvas and for the drawing that is saved.
export function frameStyle(model: PageModel, flame: Flame, node: number, isDark: boolean,
                           matches: (method: number) => boolean): Style {
  const { tree, colourBy, query, zoom } = flame;
  const method = tree.method[node]!;
  const isMatch = query !== "" && method >= 0 && matches(method);
  const colours = node === 0 || method < 0 ? codeColours(isDark)[3]!
    : colourBy === "code" ? codeColours(isDark)[codeKind(tree.level?.[node] ?? -1)]!
    : packageColour(model.names.packageName(method), isDark);
  const isInlined = (tree.inlined?.[node] ?? 0) > 0.5;
  return {
    ...colours, isMatch, isInlined,
    isFaint: (query !== "" && !isMatch) || (node !== zoom && isAbove(flame, node)),
    label: node === 0 ? "all" : model.names.short(method),
  };
}

function isAbove({ tree, zoom }: Flame, node: number): boolean {
  for (let at = zoom; at > 0;) {
    at = tree.parent[at]!;
    if (at === node) return true;
  }
  return false;
}

// One line about a frame, for tooltips and for who listens.
export function describeFrame(model: PageModel, flame: Flame, node: number): string {
  const { tree, unit } = flame;
  const share = tree.total[0]! > 0 ? tree.total[node]! / tree.total[0]! : 0;
  const name = node === 0 ? "All" : model.names.full(tree.method[node]!);
  const code = node > 0 && tree.level
    ? `, ${levelWords(tree.level[node]!)}${(tree.inlined?.[node] ?? 0) > 0.5 ? ", inlined" : ""}` : "";
  return `${name}: ${formatShare(share)}, ${unit.format(tree.total[node]!)}, itself ${unit.format(tree.self[node]!)}${code}`;
}

// The frames. A click zooms; arrows move a cursor, Enter zooms, Backspace goes back out.
export function FlameCanvas({ model, flame, matches, selected, onSelect, canvas }: {
  model: PageModel; flame: Flame; matches: (method: number) => boolean;
  selected: number; onSelect: (node: number) => void; canvas: RefObject<HTMLCanvasElement>;
}) {
  const { layout, zoom, tree } = flame;
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [hover, setHover] = useState<{ node: number; x: number; y: number }>();
  useLayoutEffect(() => {
    const element = holder.current!;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const shown = useMemo(() => visibleBoxes(layout, zoom, width, LEAST_PX), [layout, zoom, width]);
  const height = shown.rows * ROW_PX + 1;
  const isFlame = flame.shape === "flame";
  const yOf = (row: number) => isFlame ? height - (row + 1) * ROW_PX : row * ROW_PX;
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const scale = window.devicePixelRatio || 1;
    element.width = Math.round(width * scale);
    element.height = Math.round(height * scale);
    context.scale(scale, scale);
    const isDark = isDarkNow();
    context.font = `11.5px ${getComputedStyle(element).fontFamily}`;
    context.textBaseline = "middle";
    for (const box of shown.boxes) draw(context, box, yOf(box.row), frameStyle(model, flame, box.node, isDark, matches), box.node === selected);
  });
  useEffect(() => {
    if (isFlame && holder.current) holder.current.scrollTop = holder.current.scrollHeight;
  }, [isFlame, layout, zoom]);

  const boxOf = (event: MouseEvent): Box | undefined => {
    const at = canvas.current!.getBoundingClientRect();
    const y = event.clientY - at.top;
    const row = isFlame ? Math.floor((height - y) / ROW_PX) : Math.floor(y / ROW_PX);
    return boxAt(shown.boxes, event.clientX - at.left, row);
  };
  function onKeyDown(event: KeyboardEvent): void {
    const at = Math.min(selected, tree.parent.length - 1);
    const away = isFlame ? "ArrowUp" : "ArrowDown", back = isFlame ? "ArrowDown" : "ArrowUp";
    const siblings = at > 0 ? layout.children(tree.parent[at]!) : new Int32Array(0);
    const place = siblings.indexOf(at);
    let next: number | undefined;
    if (event.key === away) next = layout.children(at)[0];
    else if (event.key === back) next = at > 0 ? tree.parent[at]! : undefined;
    else if (event.key === "ArrowLeft") next = siblings[place - 1];
    else if (event.key === "ArrowRight") next = siblings[place + 1];
    else if (event.key === "Enter") flame.setZoom(at);
    else if (event.key === "Backspace") flame.setZoom(zoom > 0 ? tree.parent[zoom]! : 0);
    else return;
    if (next !== undefined) onSelect(next);
    event.preventDefault();
  }
  return (
    <div class="contexts-flame" ref={holder}>
      <canvas ref={canvas} tabIndex={0} role="application" style={{ width: "100%", height }}
        aria-label={`${isFlame ? "Flame graph" : "Icicle"} in ${flame.unit.name}; arrow keys go from frame to frame, Enter zooms, Backspace goes out. The table of methods tells the same.`}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const box = boxOf(event);
          if (box) { onSelect(box.node); flame.setZoom(box.node); }
        }}
        onMouseMove={(event) => {
          const box = boxOf(event);
          setHover(box && { node: box.node, x: event.clientX, y: event.clientY });
        }}
        onMouseLeave={() => setHover(undefined)} />
      {shown.narrow > 0 && (
        <p class="contexts-narrow dim">{shown.narrow.toLocaleString("en")} frames ({formatShare(shown.narrowWeight / tree.total[0]!)} of all) are too narrow to be drawn: zoom in.</p>
      )}
      {hover && hover.node < tree.parent.length && (
        <div class="contexts-tip" role="tooltip" style={{
          left: Math.min(hover.x + 12, window.innerWidth - 340), top: Math.min(hover.y + 16, window.innerHeight - 120),
        }}>{describeFrame(model, flame, hover.node)}</div>
      )}
    </div>
  );
}

export function isDarkNow(): boolean {
  const [r = 255, g = 255, b = 255] = (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number);
  return r + g + b < 384;
}

function draw(context: CanvasRenderingContext2D, box: Box, y: number, style: Style, isSelected: boolean): void {
  const x = box.x, width = Math.max(0.5, box.width - (box.width > 3 ? 1 : 0)), height = ROW_PX - 1;
  context.globalAlpha = style.isFaint ? 0.45 : 1;
  context.fillStyle = style.isMatch ? "#d946ef" : style.fill;
  context.fillRect(x, y, width, height);
  if (style.isInlined && width > 6) {
    // Inlined frames are hatched along their lower edge.
    context.fillStyle = style.text;
    for (let at = x + 2; at < x + width - 2; at += 6) context.fillRect(at, y + height - 3, 3, 1.5);
  }
  context.globalAlpha = 1;
  if (isSelected) {
    context.strokeStyle = "#e11d48";
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
  }
  const fitting = Math.floor((width - 6) / CHARACTER_PX);
  if (fitting >= 3) {
    context.fillStyle = style.isMatch ? "#ffffff" : style.text;
    context.fillText(style.label.length > fitting ? `${style.label.slice(0, fitting - 1)}…` : style.label, x + 3, y + height / 2);
  }
}
