import type { ProfileData } from "../data/page_data";
import { observedParts, spread } from "./over_time";

// What happened in each part of the run.
export interface Tracks {
  parts: number;
  partNs: number;
  calls: Float64Array | undefined; // by samples, of the threads asked for; see spread
  stacks: Float64Array | undefined; // samples, likewise
  compilations: Float64Array | undefined; // that began, of all threads
}

export function tracksOf(profile: ProfileData, hasGroup: (group: number) => boolean): Tracks | undefined {
  const { slices, jit } = profile;
  if (!slices) return undefined;
  const { parts, part_ns: partNs } = slices;
  const sums = (rows: { part: number[]; group: number[] } | null, amounts: readonly number[] | undefined) =>
    rows && amounts && sumOf(cellsOf(rows, amounts, parts, slices.groups.length), parts, hasGroup);
  const compilations = jit && new Float64Array(parts);
  for (const start of jit?.compilations.start_ns ?? []) {
    if (start >= 0) compilations![Math.min(parts - 1, Math.floor(start / partNs))]!++;
  }
  const calls = sums(slices.calls, slices.calls?.calls);
  return { parts, partNs, calls: calls ? spread(calls, observedParts(profile)) : undefined, stacks: sums(slices.stacks, slices.stacks?.samples) ?? undefined,
    compilations: compilations ?? undefined };
}

const cache = new WeakMap<object, Float64Array>();

// By part and group. Kept.
function cellsOf(rows: { part: number[]; group: number[] }, amounts: readonly number[], parts: number, groups: number): Float64Array {
  let cells = cache.get(rows);
  if (!cells) {
    cache.set(rows, cells = new Float64Array(parts * groups));
    for (let i = 0; i < amounts.length; i++) {
      if (rows.part[i]! < parts) cells[rows.part[i]! * groups + rows.group[i]!]! += amounts[i]!;
    }
  }
  return cells;
}

function sumOf(cells: Float64Array, parts: number, hasGroup: (group: number) => boolean): Float64Array {
  const sum = new Float64Array(parts), groups = cells.length / parts;
  for (let cell = 0; cell < cells.length; cell++) if (hasGroup(cell % groups)) sum[Math.floor(cell / groups)]! += cells[cell]!;
  return sum;
}

export interface GroupTrack { group: number; name: string; sampledCalls: number; stacks: number; byPart: Float64Array }

// Of each group of threads; `byPart` is of calls where there are any, else of stacks. Those with most
// first.
export function groupTracks(profile: ProfileData): GroupTrack[] {
  const { slices } = profile;
  if (!slices) return [];
  const { parts } = slices;
  const rows = slices.groups.map((name, group): GroupTrack => ({ group, name, sampledCalls: 0, stacks: 0, byPart: new Float64Array(parts) }));
  const stacksByPart = rows.map(() => new Float64Array(parts));
  slices.calls?.calls.forEach((calls, i) => {
    const row = rows[slices.calls!.group[i]!]!;
    row.sampledCalls += calls;
    row.byPart[Math.min(parts - 1, slices.calls!.part[i]!)]! += calls;
  });
  slices.stacks?.samples.forEach((samples, i) => {
    const group = slices.stacks!.group[i]!;
    rows[group]!.stacks += samples;
    stacksByPart[group]![Math.min(parts - 1, slices.stacks!.part[i]!)]! += samples;
  });
  const observed = observedParts(profile);
  for (const row of rows) row.byPart = row.sampledCalls === 0 ? stacksByPart[row.group]! : spread(row.byPart, observed);
  return rows.sort((a, b) => b.sampledCalls - a.sampledCalls || b.stacks - a.stacks || a.group - b.group);
}

export interface CompilerTrack { name: string; compilations: number; compileNs: number; byPart: Float64Array }

// Of each thread that compiled: how many compilations it made, what they took, and when. Those with
// most first.
export function compilerTracks({ slices, jit }: ProfileData, strings: readonly string[]): CompilerTrack[] {
  if (!slices || !jit) return [];
  const { parts, part_ns: partNs } = slices, rows = new Map<string, CompilerTrack>();
  const { thread, start_ns: starts, end_ns: ends, compile_ns: costs } = jit.compilations;
  starts.forEach((start, i) => {
    if (start < 0) return;
    const name = strings[thread[i]!] ?? "", cost = costs[i]!, end = Math.max(start + 1, ends[i]!);
    let row = rows.get(name);
    if (!row) rows.set(name, row = { name, compilations: 0, compileNs: 0, byPart: new Float64Array(parts) });
    row.compilations++;
    row.compileNs += cost;
    for (let part = Math.floor(start / partNs); part * partNs < end && part < parts; part++) {
      const within = Math.min(end, (part + 1) * partNs) - Math.max(start, part * partNs);
      row.byPart[part]! += cost * within / (end - start);
    }
  });
  return [...rows.values()].sort((a, b) => b.compileNs - a.compileNs);
}
