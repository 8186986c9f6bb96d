import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FrameAction } from "./frame_actions";

// A menu at a point of the window; Escape, Tab and what is outside close it.
export function FrameMenu({ label, actions, x, y, onClose }: {
  label: string; actions: readonly FrameAction[]; x: number; y: number; onClose: () => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: x, top: y });
  const items = () => [...menu.current!.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight } = menu.current!;
    setPlace({
      left: Math.max(4, Math.min(x, window.innerWidth - offsetWidth - 4)),
      top: Math.max(4, Math.min(y, window.innerHeight - offsetHeight - 4)),
    });
    items()[0]?.focus();
  }, [x, y]);
  useEffect(() => {
    const outside = (event: Event) => { if (!menu.current?.contains(event.target as Node)) onClose(); };
    window.addEventListener("pointerdown", outside);
    window.addEventListener("wheel", outside, { passive: true });
    return () => {
      window.removeEventListener("pointerdown", outside);
      window.removeEventListener("wheel", outside);
    };
  });
  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    const all = items(), at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
  }
  return (
    <div ref={menu} class="contexts-menu" role="menu" aria-label={label} style={place} onKeyDown={onKeyDown}>
      {actions.map(({ title, help, key, isOff, run }) => (
        <button key={title} type="button" role="menuitem" title={help} disabled={isOff}
          onClick={() => { onClose(); run(); }}>{title}{key && <kbd>{key}</kbd>}</button>
      ))}
    </div>
  );
}
