import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

const listeners = new Set<(is: boolean) => void>();
let isPrinting = false;

// A browser prints what is in the document when its event has been dealt with: drawn at once.
function set(is: boolean): void {
  if (is === isPrinting) return;
  isPrinting = is;
  const usual = options.debounceRendering;
  options.debounceRendering = (draw) => draw();
  for (const listener of listeners) listener(is);
  options.debounceRendering = usual!;
}

if (typeof window !== "undefined") {
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
  matchMedia("print").addEventListener("change", ({ matches }) => set(matches));
}

// Whether the page is on its way to paper.
export function usePrinting(): boolean {
  const [is, setIs] = useState(isPrinting);
  useEffect(() => {
    listeners.add(setIs);
    setIs(isPrinting); // It may have changed since the first drawing.
    return () => { listeners.delete(setIs); };
  }, []);
  return is;
}
