import { useRef } from "preact/hooks";
import { useShortcuts } from "../app/shortcuts";

// A search field that "/" goes to. Escape empties it, then leaves it; Arrow Down goes on to the
// results (`onLeave`). So does Enter, which takes the first (`onEnter`): the view's keys work again.
export function SearchBox({ label, value, onInput, onLeave, onEnter, placeholder }: {
  label: string; value: string; onInput: (value: string) => void; onLeave?: () => void;
  onEnter?: () => void;
  placeholder?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => { input.current?.focus(); input.current?.select(); } });
  return (
    <input ref={input} type="search" class="search" aria-label={label} value={value}
      placeholder={placeholder ?? `${label} (/)`} autocomplete="off" spellcheck={false}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          if (value) onInput("");
          else input.current?.blur();
        } else if (event.key === "ArrowDown" || event.key === "Enter") {
          if (event.key === "Enter") onEnter?.();
          onLeave?.();
        } else {
          return;
        }
        event.preventDefault();
      }} />
  );
}
