import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

// The width of an element's content, in pixels, as it changes.
export function useWidth(element: RefObject<HTMLElement>, first = 480): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => setWidth(Math.max(120, Math.floor(target.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return width;
}

// Of the page's width, as style.css has them.
export const NARROW = "(max-width: 40rem)", STACKED = "(max-width: 60rem)";

// Whether a media query holds.
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const listener = () => setHolds(list.matches);
    listener();
    list.addEventListener("change", listener);
    return () => list.removeEventListener("change", listener);
  }, [query]);
  return holds;
}
