import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { flameRows, frameAt, indexOf } from "../../model/flame_layout";
import { formatShare, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import type { Colours } from "./colours";
import { paintFlame, ROW_PX } from "./flame_paint";
import { FlameTip } from "./flame_tip";
import { frameActions } from "./frame_actions";
import { FrameMenu } from "./frame_menu";
import { frameName } from "./frame_words";
import type { Flame } from "./use_flame";
import { useSize } from "../../components/use_size";

const LEAST_PX = 0.5;
const ROWS_BEFORE = 2; // are in sight before the frame that fills the width

// The frames. The drawing scrolls, the canvas is as large as what is in sight of it, so that neither
// its size nor the work depends on how deep stacks are; what moves with the pointer is laid over it.
export function FlameCanvas({ model, flame, colours, canvas }: {
  model: PageModel; flame: Flame; colours: Colours; canvas: RefObject<HTMLCanvasElement>;
}) {
  const { layout, zoom, tree, cursor } = flame;
  const holder = useRef<HTMLDivElement>(null);
  const size = useSize(holder);
  const [hover, setHover] = useState<{ index: number; row: number; x: number; y: number }>();
  const [menu, setMenu] = useState<{ x: number; y: number }>();
  const rows = useMemo(() => flameRows(layout, zoom, size.width, LEAST_PX), [layout, zoom, size.width]);
  const isFlame = flame.shape === "flame";
  const whole = Math.max(rows.count * ROW_PX + 1, size.height);
  const yOf = (row: number) => isFlame ? whole - (row + 1) * ROW_PX : row * ROW_PX;

  const paint = () => {
    if (!canvas.current || !holder.current) return;
    paintFlame(canvas.current, {
      model, flame, rows, colours, width: size.width, height: size.height, top: holder.current.scrollTop, yOf,
      background: getComputedStyle(document.body).backgroundColor,
    });
  };
  const frame = useRef(0);
  const latest = useRef(paint);
  latest.current = paint;
  const repaint = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => latest.current());
  };
  useEffect(() => {
    repaint();
    return () => cancelAnimationFrame(frame.current);
  }, [rows, colours, flame.matches, flame.query, flame.method, whole, isFlame]);
  useLayoutEffect(() => {
    const top = Math.max(0, rows.zoomRow - ROWS_BEFORE) * ROW_PX;
    holder.current!.scrollTop = isFlame ? whole - size.height - top : top;
  }, [layout, zoom, isFlame, size.height]);
  useEffect(() => setHover(undefined), [rows]);

  useEffect(() => {
    if (cursor === 0) return;
    const element = holder.current!, y = yOf(layout.depth[cursor]!);
    if (y < element.scrollTop) element.scrollTop = y - ROW_PX;
    else if (y + ROW_PX > element.scrollTop + size.height) element.scrollTop = y + 2 * ROW_PX - size.height;
  }, [cursor, layout]);
  const at = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const y = event.clientY - box.top + holder.current!.scrollTop;
    const row = Math.floor((isFlame ? whole - y : y) / ROW_PX);
    const index = frameAt(rows, row, event.clientX - box.left);
    return index === undefined ? undefined : { index, row, x: event.clientX, y: event.clientY };
  };
  const boxOf = (index: number, row: number) => ({
    left: rows.x[index]!, top: yOf(row), width: Math.max(3, rows.width[index]!), height: ROW_PX - 1,
  });
  const cursorIndex = cursor > 0 ? indexOf(layout, rows, cursor) : undefined;

  function heaviestBelow(node: number): number | undefined {
    let best: number | undefined;
    for (const child of layout.children.subarray(layout.firstChild[node]!, layout.firstChild[node + 1]!)) {
      if (best === undefined || tree.total[child]! > tree.total[best]!) best = child;
    }
    return best;
  }
  function beside(step: number): number | undefined {
    if (cursorIndex === undefined) return undefined;
    const row = layout.depth[cursor]!, next = cursorIndex + step;
    return next >= rows.rowStart[row]! && next < rows.rowStart[row + 1]! ? rows.node[next] : undefined;
  }
  function openMenu(): void {
    if (cursorIndex === undefined) return;
    const box = canvas.current!.getBoundingClientRect(), { left, top } = boxOf(cursorIndex, layout.depth[cursor]!);
    setMenu({ x: box.left + left + 8, y: box.top + top - holder.current!.scrollTop + ROW_PX });
  }
  function onKeyDown(event: KeyboardEvent): void {
    const [away, back] = isFlame ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
    let next: number | undefined;
    if (event.key === away) next = heaviestBelow(cursor || zoom);
    else if (event.key === back) next = cursor > 0 ? tree.parent[cursor] : undefined;
    else if (event.key === "ArrowLeft") next = beside(-1);
    else if (event.key === "ArrowRight") next = beside(1);
    else if (event.key === "Enter") { if (cursor !== zoom) flame.setZoom(cursor); }
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) openMenu();
    else return;
    if (next !== undefined) flame.select(next);
    event.preventDefault();
  }
  const what = `${isFlame ? "Flame graph" : "Icicle"} of ${flame.unit.widths}`;
  const narrowShare = formatShare(tree.total[0]! > 0 ? rows.narrowWeight / tree.total[0]! : 0);
  return (
    <>
      <div class="contexts-flame" ref={holder} onScroll={() => {
        repaint();
        setHover(undefined);
        setMenu(undefined);
      }}>
        <div class="contexts-space" style={{ height: whole }}>
          <canvas ref={canvas} tabIndex={0} role="application" style={{ width: size.width, height: size.height }}
            aria-label={`${what}: arrow keys go from frame to frame, Enter zooms in, Backspace zooms out. The table of methods tells the same.`}
            onKeyDown={onKeyDown}
            onClick={(event) => {
              const found = at(event);
              if (found) flame.setZoom(rows.node[found.index]!);
            }}
            onContextMenu={(event) => {
              const found = at(event);
              if (!found || rows.node[found.index] === 0) return;
              event.preventDefault();
              flame.select(rows.node[found.index]!);
              setMenu({ x: event.clientX, y: event.clientY });
            }}
            onMouseMove={(event) => setHover(at(event))} onMouseLeave={() => setHover(undefined)} />
          {hover && <div class="contexts-hover" style={boxOf(hover.index, hover.row)} />}
          {cursorIndex !== undefined && <div class="contexts-cursor" style={boxOf(cursorIndex, layout.depth[cursor]!)} />}
        </div>
        {hover && !menu && <FlameTip model={model} flame={flame} node={rows.node[hover.index]!} x={hover.x} y={hover.y} />}
        {menu && cursor > 0 && (
          <FrameMenu label={frameName(model, flame, cursor)} {...menu}
            actions={frameActions(model, flame, cursor, tree.method[cursor]!)} onClose={() => {
              setMenu(undefined);
              canvas.current?.focus();
            }} />
        )}
      </div>
      <p class="contexts-narrow dim">
        {rows.narrow > 0 && `Too narrow to be drawn: ${plural(rows.narrow, "frame")}, ${narrowShare} of all; zoom in. `}
        Drawn: {plural(rows.node.length, "frame")} in {plural(rows.count, "row")}.
      </p>
    </>
  );
}
