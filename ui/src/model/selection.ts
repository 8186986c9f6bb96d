import type { ContextTree, ProfileData, SliceData } from "../data/page_data";
import { callPairs } from "./call_pairs";
import { countOfCalls, formatCalls, formatCount, formatShare, formatTime, plural } from "./format";
import { byCallee } from "./over_time";
import { PageModel } from "./page_model";
import { hasPart, prepared, selectedCalls } from "./selected_calls";

// A stretch of the run, in some of its threads.
export interface Selection {
  fromNs: number;
  toNs: number; // Infinity: to the end
  groups: ReadonlySet<number> | undefined; // of SliceData.groups; undefined: all
  hasGroup: (group: number) => boolean;
}

// As it stands in the address: times in ms, groups by number ("0.3.4"). Undefined: the whole run.
export function parseSelection(slices: SliceData | null, from: string, to: string, groups: string): Selection | undefined {
  if (!slices) return undefined;
  const time = (text: string, fallback: number) => text !== "" && Number(text) >= 0 ? Number(text) * 1e6 : fallback;
  const fromNs = time(from, 0), toNs = time(to, Infinity);
  const chosen = groups === "" ? undefined
    : new Set(groups.split(".").map(Number).filter((group) => Number.isInteger(group) && group >= 0 && group < slices.groups.length));
  const isAll = !chosen || chosen.size === 0 || chosen.size === slices.groups.length;
  if ((fromNs <= 0 && toNs === Infinity && isAll) || fromNs >= toNs) return undefined;
  return { fromNs, toNs, groups: isAll ? undefined : chosen, hasGroup: (group) => isAll || chosen.has(group) };
}

export function renderSelection({ fromNs, toNs, groups }: Pick<Selection, "fromNs" | "toNs" | "groups">):
    { tfrom: string | undefined; tto: string | undefined; tthr: string | undefined } {
  return {
    tfrom: fromNs > 0 ? String(Math.round(fromNs / 1e6)) : undefined,
    tto: Number.isFinite(toNs) ? String(Math.round(toNs / 1e6)) : undefined,
    tthr: groups && groups.size > 0 ? [...groups].sort((a, b) => a - b).join(".") : undefined,
  };
}

// "1.2 s to 3.4 s, main and 2 more threads"
export function describeSelection(selection: Selection, slices: SliceData, durationNs: number): string {
  const { fromNs, toNs, groups } = selection;
  const names = groups && [...groups].map((group) => slices.groups[group]!);
  return [
    fromNs > 0 || toNs < durationNs ? `${formatTime(fromNs)} to ${formatTime(Math.min(toNs, durationNs))}` : "",
    names && (names.length > 2 ? `${names[0]} and ${names.length - 1} more threads` : names.join(" and ")),
  ].filter(Boolean).join(", ");
}

// Before anybody selects: what all selections and all methods' strips have in common, and one selection, so that the code is
// compiled when it matters.
export function prepareSelections(whole: PageModel): void {
  const { profile: { edges, slices, duration_ns: durationNs }, names } = whole;
  if (!slices?.calls || !edges.calls) return;
  prepared(edges, slices.calls, names.count);
  byCallee(edges, slices.calls);
  const half: Selection = { fromNs: 0, toNs: durationNs / 2, groups: undefined, hasGroup: () => true };
  for (let i = 0; i < WARM_UPS; i++) callPairs(selected(whole, half).model.graph);
}
const WARM_UPS = 2;

// How many calls a group of threads makes in the whole run: as many as a selection of it alone has.
export function callsOfGroup({ profile: { edges, slices, samples }, names }: PageModel, group: number): number {
  if (!slices?.calls || !edges.calls) return 0;
  const only: Selection = { fromNs: 0, toNs: Infinity, groups: new Set([group]), hasGroup: (each) => each === group };
  return selectedCalls(edges, slices.calls, slices.part_ns, names.count, samples, only).total;
}

interface Selected { model: PageModel; notes: string[]; lacksMost: boolean }

// The same page of a selection: edges have the calls in it, stacks its samples, and windows and
// recompilations those that began in it. `notes`: what that does not tell, a sentence each; `lacksMost`:
// calls that no selection has are more than its own.
export function selected(whole: PageModel, selection: Selection): Selected {
  const { profile, data } = whole, slices = profile.slices!;
  const notes: string[] = [];
  const { edges, calls, unselectable } = selectedEdges(whole, selection, notes);
  const changed: ProfileData = {
    ...profile, edges, calls, trees: selectedTrees(profile, selection, notes),
    windows: selectedWindows(profile, slices, selection), jit: selectedJit(profile, selection),
  };
  return {
    model: new PageModel({ ...data, profiles: [...data.profiles.slice(0, -1), changed] }, whole), notes,
    lacksMost: unselectable > (calls ?? 0),
  };
}

function selectedEdges({ profile, names }: PageModel, selection: Selection, notes: string[]): Pick<ProfileData, "edges" | "calls"> & { unselectable: number } {
  const { edges, slices } = profile;
  if (!slices?.calls || !edges.calls) {
    notes.push("Numbers of calls are those of the whole run: they have neither times nor threads.");
    return { edges, calls: profile.calls, unselectable: 0 };
  }
  const { counted, unplaced } = prepared(edges, slices.calls, names.count);
  const chosen = selectedCalls(edges, slices.calls, slices.part_ns, names.count, profile.samples, selection);
  const all = profile.calls ?? 0, share = (calls: number) => formatShare(all > 0 ? calls / all : 0);
  if (counted > 0.005 * all) {
    notes.push(`${countOfCalls(counted)}, ${share(counted)} of the run's, were counted by the VM, without times and threads: they are in no selection.` +
      (counted > chosen.total ? ` The ${formatCalls(chosen.total)} of this one may be a small part of its calls.` : ""));
  }
  if (unplaced > 0.005 * all) {
    notes.push(`${formatCalls(unplaced)}, ${share(unplaced)}, were inferred for callers of which no call was seen: they are in no selection, either.`);
  }
  if (chosen.unseen > 0) {
    notes.push(chosen.mostUnseen === Infinity ? "No call was sampled in the selection."
      : `${plural(chosen.unseen, "edge")} of ${formatCount(edges.calls.length)} ${chosen.unseen === 1 ? "was" : "were"} not seen in the selection: each may have up to ${countOfCalls(chosen.mostUnseen)} in it.`);
  }
  return { edges: { ...edges, calls: chosen.calls, low: null, high: null, interval: chosen.interval }, calls: chosen.total, unselectable: counted + unplaced };
}

function selectedTrees({ trees, slices }: ProfileData, selection: Selection, notes: string[]): ContextTree[] {
  const kept = trees.filter(({ unit }) => unit === "samples");
  if (kept.length < trees.length) notes.push("Contexts of calls have neither times nor threads: there are none of the selection.");
  if (!slices?.stacks) {
    if (kept.length > 0) notes.push("The times and threads of stacks are not known: there are none of the selection.");
    return [];
  }
  const { part, group, node, samples } = slices.stacks;
  return kept.map((tree) => {
    const weight = new Array<number>(tree.weight.length).fill(0);
    for (let i = 0; i < node.length; i++) {
      if (selection.hasGroup(group[i]!) && hasPart(selection, part[i]!, slices.part_ns)) weight[node[i]!]! += samples[i]!;
    }
    return { ...tree, weight, hidden_nodes: 0, hidden_weight: 0 };
  });
}

function selectedWindows({ windows, threads }: ProfileData, slices: SliceData, { fromNs, toNs, groups, hasGroup }: Selection): ProfileData["windows"] {
  const groupOf = new Map(threads.id.map((id, i) => [id, slices.thread_group[i]!]));
  return onlyRows(windows, (i) => windows.start_ns[i]! >= fromNs && windows.start_ns[i]! < toNs &&
    (!groups || hasGroup(groupOf.get(windows.thread[i]!) ?? -1)));
}

function selectedJit({ jit }: ProfileData, { fromNs, toNs }: Selection): ProfileData["jit"] {
  if (!jit || (fromNs <= 0 && toNs === Infinity)) return jit;
  const { recompilations, compilations } = jit;
  return { ...jit, recompilations: onlyRows(recompilations, (i) => {
    const began = compilations.start_ns[recompilations.compilation[i]!]!;
    return began >= fromNs && began < toNs;
  }) };
}

// Of columns of equal length the rows that are kept.
function onlyRows<Columns extends object>(columns: Columns, keeps: (row: number) => boolean): Columns {
  const lists = Object.entries(columns) as [string, unknown[]][];
  const rows = (lists[0]?.[1] ?? []).map((_, i) => i).filter(keeps);
  return Object.fromEntries(lists.map(([key, list]) => [key, rows.map((i) => list[i])])) as Columns;
}
