import { useLayoutEffect } from "preact/hooks";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
}

// Calls an action when its key is pressed (KeyboardEvent.key), without Ctrl, Alt or Meta, and not
// while something is typed. A dialog that is open keeps its keys. They hold as soon as the page does,
// and the next key finds the actions of what the last one led to.
export function useShortcuts(actions: Record<string, (event: KeyboardEvent) => void>): void {
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  });
}
