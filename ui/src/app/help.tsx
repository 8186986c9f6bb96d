import { useLayoutEffect, useRef } from "preact/hooks";
import { VIEWS } from "../views";
import type { View } from "./view";

const EVERYWHERE = [
  { key: "/", does: "Search" },
  ...VIEWS.map((view, i) => ({ key: String(i + 1), does: view.title })),
  { key: "t", does: "Threads over time, to choose from" },
  { key: "b", does: "Bright, dark or as the system" },
  { key: "w", does: "The whole run, all threads" },
  { key: "c", does: "Copy what is shown as text" },
  { key: "Esc", does: "Close; empty the search, then leave it" },
  { key: "?", does: "This sheet" },
];

function Keys({ keys }: { keys: View["keys"] }) {
  return (
    <dl class="keys">
      {keys.map(({ key, does }) => (
        <div key={key + does}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>
      ))}
    </dl>
  );
}

export function Help({ view, onClose }: { view: View; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => { dialog.current?.showModal(); }, []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={onClose}
      onClick={(event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
      <h2>Keys</h2>
      <Keys keys={EVERYWHERE} />
      {view.keys.length > 0 && <><h2>In {view.title}</h2><Keys keys={view.keys} /></>}
      <p>What is shown stands in the address: keep it, send it, go back to it.</p>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
}
