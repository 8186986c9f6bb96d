import { useEffect, useMemo } from "preact/hooks";
import type { PageModel } from "../model/page_model";
import { parseSelection, prepareSelections, renderSelection, selected, type Selection } from "../model/selection";
import { setParams, useParams } from "../state/url_state";

const KEPT = 4;
const PREPARE_AFTER_MS = 900; // when the first view stands
const kept = new WeakMap<PageModel, Map<string, ReturnType<typeof selected>>>();

export interface Shown {
  model: PageModel; // of the selection
  selection: Selection | undefined; // undefined: the whole run
  notes: readonly string[]; // what the selection does not tell
  lacksMost: boolean; // more calls are in no selection than are in this one
}

// What is shown of a page: the whole, or the selection that stands in the address. The last few are
// kept, for the ways back.
export function useSelection(whole: PageModel): Shown {
  useEffect(() => {
    const later = window.requestIdleCallback ?? setTimeout; // Safari has none.
    setTimeout(() => later(() => prepareSelections(whole)), PREPARE_AFTER_MS);
  }, [whole]);
  const text = useParams();
  const from = text.get("tfrom") ?? "", to = text.get("tto") ?? "", groups = text.get("tthr") ?? "";
  return useMemo(() => {
    const selection = parseSelection(whole.profile.slices, from, to, groups);
    if (!selection) return { model: whole, selection, notes: [], lacksMost: false };
    let known = kept.get(whole);
    if (!known) kept.set(whole, known = new Map());
    const key = `${from} ${to} ${groups}`;
    const made = known.get(key) ?? selected(whole, selection);
    known.delete(key);
    known.set(key, made);
    for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
    return { ...made, selection };
  }, [whole, from, to, groups]);
}

export function select(next: Pick<Selection, "fromNs" | "toNs" | "groups">): void {
  setParams(renderSelection(next), "push");
}

export function selectAll(): void { setParams({ tfrom: undefined, tto: undefined, tthr: undefined }); }
