import { useMemo } from "preact/hooks";
import { plural } from "../model/format";
import type { PageModel } from "../model/page_model";
import { describeSelection } from "../model/selection";
import { useParam } from "../state/url_state";
import { BrushChart } from "./brush_chart";
import { ThreadTracks } from "./thread_tracks";
import { useShortcuts } from "./shortcuts";
import { selectAll, select, type Shown } from "./use_selection";

// Calls, samples and compilations over the run, of which a part can be chosen, and the threads:
// what all views show is of that.
export function TimeBar({ whole, shown }: { whole: PageModel; shown: Shown }) {
  const { slices, duration_ns: durationNs } = whole.profile;
  const { selection, notes, lacksMost } = shown;
  const [open, setOpen] = useParam("tracks", "no");
  const isOpen = open === "yes";
  const [named] = useParam("method", "");
  const method = useMemo(() => {
    const id = named ? whole.names.find(named) : undefined;
    return id === undefined ? undefined : { id, name: whole.names.name(id), title: whole.names.label(id) };
  }, [whole, named]);
  useShortcuts({ w: selectAll, t: () => setOpen(isOpen ? "no" : "yes") });
  if (!slices) return null;
  const words = selection ? describeSelection(selection, slices, durationNs) : `the whole run, ${slices.groups.length === 1 ? slices.groups[0] : "all threads"}`;
  const range = { fromNs: selection?.fromNs ?? 0, toNs: selection?.toNs ?? Infinity, groups: selection?.groups };
  return (
    <section class="time-bar" aria-label="Time and threads">
      <div class="time-row">
        <span class="time-words" role="status" title={words}>{words}</span>
        <BrushChart profile={whole.profile} range={range} method={method} onRange={(fromNs, toNs) => select({ ...range, fromNs, toNs })} />
        <button type="button" aria-expanded={isOpen} title="Choose threads (t)" onClick={() => setOpen(isOpen ? "no" : "yes")}>
          {selection?.groups ? `${selection.groups.size} of ${plural(slices.groups.length, "thread")}` : "Threads"}</button>
        <button type="button" disabled={!selection} title="The whole run, all threads (w)" onClick={selectAll}>Whole run</button>
      </div>
      {isOpen && <ThreadTracks whole={whole} range={range} onGroups={(groups) => select({ ...range, groups })} />}
      {notes.length > 0 && <Notes notes={notes} isOpen={lacksMost} />}
    </section>
  );
}

function Notes({ notes, isOpen }: { notes: readonly string[]; isOpen: boolean }) {
  return (
    <details class="time-notes" open={isOpen}>
      <summary>{plural(notes.length, "thing")} that this selection does not tell</summary>
      <ul>{notes.map((note) => <li key={note}>{note}</li>)}</ul>
    </details>
  );
}
