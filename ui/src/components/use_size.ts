import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

// Calls `measure` when the element is there, and whenever its size changes.
function useResize(of: RefObject<HTMLElement>, measure: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    measure(element);
    const observer = new ResizeObserver(() => measure(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
}

// What a rem is, in pixels. Asked for once until the window changes, as the answer has all styles
// worked out.
export function remPx(): number { return (knownRemPx ??= parseFloat(getComputedStyle(document.documentElement).fontSize)); }
let knownRemPx: number | undefined;
if (typeof window !== "undefined") for (const event of ["resize", "beforeprint", "afterprint"]) window.addEventListener(event, () => { knownRemPx = undefined; });

// The width of an element's content, in pixels, as it changes.
export function useWidth(of: RefObject<HTMLElement>, first = 480): number {
  const [width, setWidth] = useState(first);
  useResize(of, (element) => setWidth(Math.max(120, Math.floor(element.clientWidth))));
  return width;
}

// An element's inner size, without its scroll bars; a guess until it is known.
export function useSize(of: RefObject<HTMLElement>): { width: number; height: number; isKnown: boolean } {
  const [size, setSize] = useState({ width: 800, height: 400, isKnown: false });
  useResize(of, (element) => setSize((before) => {
    const now = { width: Math.max(100, element.clientWidth), height: Math.max(50, element.clientHeight), isKnown: true };
    return before.isKnown && now.width === before.width && now.height === before.height ? before : now;
  }));
  return size;
}
