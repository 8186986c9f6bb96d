import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

// An element's inner size, without its scroll bars.
export function useSize(of: RefObject<HTMLElement>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 800, height: 400 });
  useLayoutEffect(() => {
    const element = of.current!;
    const measure = () => setSize((before) => {
      const now = { width: Math.max(100, element.clientWidth), height: Math.max(50, element.clientHeight) };
      return now.width === before.width && now.height === before.height ? before : now;
    });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return size;
}
