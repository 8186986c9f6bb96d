import { useEffect, useState } from "preact/hooks";

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
