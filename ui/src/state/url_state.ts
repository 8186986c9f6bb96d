import { useEffect, useState } from "preact/hooks";

// What is shown stands in the address, behind "#", so that it can be kept, sent and gone back to:
// "#view=graph&method=...". Values that are the default are left out.

export type Params = ReadonlyMap<string, string>;

export function parseParams(hash: string): Params {
  return new Map(new URLSearchParams(hash.replace(/^#/, "")));
}

export function renderParams(params: Params): string {
  const text = new URLSearchParams([...params].sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return text ? `#${text}` : "#";
}

const listeners = new Set<() => void>();
let current: Params = typeof location === "undefined" ? new Map() : parseParams(location.hash);

function announce(): void { for (const listener of listeners) listener(); }

if (typeof window !== "undefined") {
  // An address that is typed brings both events.
  const reread = () => {
    const next = parseParams(location.hash);
    if (renderParams(next) === renderParams(current)) return;
    current = next;
    announce();
  };
  window.addEventListener("popstate", reread);
  window.addEventListener("hashchange", reread);
}

export function params(): Params { return current; }

// Changes some parameters; undefined takes one out. "push" makes the back button lead to what was
// before: for what a person regards as another place; "replace" for what is adjusted.
export function setParams(changes: Record<string, string | undefined>,
                          how: "push" | "replace" = "push"): void {
  const next = new Map(current);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(key);
    else next.set(key, value);
  }
  const text = renderParams(next);
  if (text === renderParams(current)) return;
  current = next;
  if (how === "push") history.pushState(null, "", text);
  else history.replaceState(null, "", text);
  announce();
}

export function useParams(): Params {
  const [value, setValue] = useState(current);
  useEffect(() => {
    const listener = () => setValue(current);
    listeners.add(listener);
    listener();
    return () => { listeners.delete(listener); };
  }, []);
  return value;
}

// One parameter and its setter; the fallback is not kept in the address.
export function useParam(key: string, fallback: string, how: "push" | "replace" = "replace"):
    [string, (value: string) => void] {
  const value = useParams().get(key) ?? fallback;
  return [value, (next) => setParams({ [key]: next === fallback ? undefined : next }, how)];
}

// A number within limits.
export function useNumberParam(key: string, fallback: number, low: number, high: number):
    [number, (value: number) => void] {
  const [text, set] = useParam(key, String(fallback));
  const number = Number(text);
  const value = text !== "" && Number.isFinite(number) ? Math.min(high, Math.max(low, number)) : fallback;
  return [value, (next) => set(String(next))];
}
