import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useParam } from "../state/url_state";
import { remPx } from "./use_size";

// Regions beside each other on wide screens, below each other on narrow ones. `columns`: of the CSS
// grid, "20rem auto minmax(0, 1fr)".
export function Split({ columns, children }: { columns: string; children: ComponentChildren }) {
  return <div class="split" style={{ "--columns": columns } as never}>{children}</div>;
}

const LEAST_REM = 12, MOST_REM = 90, STEP_REM = 1;

// A region's width, which a person may change: as CSS, and what changes it. It is kept in the address
// as `key`; without that it is `usual`.
export function useRegionWidth(key: string, usual: string): { css: string; resize: (rem: number | undefined, isDone: boolean) => void } {
  const [text, set] = useParam(key, "");
  const [dragged, setDragged] = useState<number>();
  const clamp = (rem: number) => Math.min(MOST_REM, Math.max(LEAST_REM, rem));
  const rem = dragged ?? (Number(text) > 0 ? clamp(Number(text)) : undefined);
  return {
    css: rem === undefined ? usual : `minmax(0, ${rem}rem)`,
    resize: (wanted, isDone) => {
      const next = wanted === undefined ? undefined : Math.round(10 * clamp(wanted)) / 10;
      setDragged(isDone ? undefined : next);
      if (isDone) set(next === undefined ? "" : String(next));
    },
  };
}

// The line between two regions, to be dragged, or moved by arrow keys; a double click undoes it.
// `side`: of the line, where the region is that becomes wider or narrower.
export function Resize({ label, side, onResize }: {
  label: string; side: "left" | "right"; onResize: (rem: number | undefined, isDone: boolean) => void;
}) {
  const line = useRef<HTMLDivElement>(null);
  const region = () => (side === "left" ? line.current?.previousElementSibling : line.current?.nextElementSibling);
  const widthPx = () => region()?.getBoundingClientRect().width ?? 0;
  const begun = useRef<{ x: number; width: number }>();
  // Told when it changes: who asked while drawing would have all of the page laid out.
  const [widthRem, setWidthRem] = useState(LEAST_REM);
  useEffect(() => {
    const element = region();
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidthRem(Math.round((entry?.contentRect.width ?? 0) / remPx()) || LEAST_REM));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const to = (event: PointerEvent, isDone: boolean) => {
    if (!begun.current) return;
    const moved = (event.clientX - begun.current.x) * (side === "left" ? 1 : -1);
    if (moved !== 0) onResize((begun.current.width + moved) / remPx(), isDone);
    if (isDone) begun.current = undefined;
  };
  return (
    <div ref={line} class="resize" role="separator" aria-orientation="vertical" aria-label={label} tabIndex={0}
      title="Drag to change the width; a double click undoes it"
      aria-valuemin={LEAST_REM} aria-valuemax={MOST_REM} aria-valuenow={widthRem}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width: widthPx() };
        event.preventDefault();
      }}
      onPointerMove={(event) => to(event, false)} onPointerUp={(event) => to(event, true)}
      onDblClick={() => onResize(undefined, true)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP_REM, ArrowRight: STEP_REM }[event.key];
        if (step === undefined) return;
        onResize(widthPx() / remPx() + step * (side === "left" ? 1 : -1), true);
        event.preventDefault();
      }} />
  );
}
