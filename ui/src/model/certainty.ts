import type { CallGraph } from "./call_graph";

// How sure an edge's number of calls is: half the width of its 95 % interval, of the number.
export interface Certainty { edge: number; share: number; relative: number; isInferred: boolean }

const known = new WeakMap<CallGraph, readonly Certainty[]>();

// Of the edges that have calls, the most called first. Made once for a graph.
export function certainties(graph: CallGraph): readonly Certainty[] {
  const before = known.get(graph);
  if (before) return before;
  const found: Certainty[] = [];
  for (let edge = 0; edge < graph.count; edge++) {
    const calls = graph.edges.calls[edge]!;
    if (calls <= 0) continue;
    found.push({
      edge, share: graph.share(edge), relative: (graph.high(edge) - graph.low(edge)) / 2 / calls,
      isInferred: graph.isInferred(edge),
    });
  }
  found.sort((a, b) => b.share - a.share);
  known.set(graph, found);
  return found;
}

// Edges whose share of all calls is above `from` and at most `to`, all of which have `calls` of all.
export interface CertaintyBand {
  from: number;
  to: number;
  edges: number;
  calls: number;
  median: number;
  worst: number;
}

const BANDS = [1, 0.01, 0.001, 0.0001, 0.00001, 0];

// From the most called on; bands without an edge are left out.
export function certaintyBands(all: readonly Certainty[]): CertaintyBand[] {
  const inside: Certainty[][] = BANDS.slice(1).map(() => []);
  for (const each of all) inside[BANDS.slice(1).findIndex((from) => each.share > from)]?.push(each);
  return inside.flatMap((edges, i) => {
    if (edges.length === 0) return [];
    const relative = edges.map((edge) => edge.relative).sort((a, b) => a - b);
    return [{
      from: BANDS[i + 1]!, to: BANDS[i]!, edges: edges.length,
      calls: edges.reduce((sum, { share }) => sum + share, 0),
      median: relative[Math.floor(relative.length / 2)]!, worst: relative[relative.length - 1]!,
    }];
  });
}

// The share of all calls that is on edges whose half width is at most this, of their calls.
export function callsWithin(all: readonly Certainty[], relative: number): number {
  return all.reduce((sum, each) => each.relative <= relative ? sum + each.share : sum, 0);
}

export function inferredShare(all: readonly Certainty[]): number {
  return all.reduce((sum, each) => each.isInferred ? sum + each.share : sum, 0);
}

export function medianOf(some: readonly Certainty[]): number {
  return some.map(({ relative }) => relative).sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? NaN;
}

const MOST_RELATIVE = 100; // A wider interval says no more than that nothing is known.

// Two digits: "6.4 %", "64 %", "1,600 %".
export function formatRelative(relative: number): string {
  if (!Number.isFinite(relative)) return "?";
  if (relative > MOST_RELATIVE) return `over ${formatRelative(MOST_RELATIVE)}`;
  const percent = Number((100 * relative).toPrecision(2));
  return `${String(percent).replace(/\B(?=(\d{3})+$)/g, ",")} %`;
}

// "above 1 %", "0.1 to 1 %", "0.001 % or less": of all calls.
export function bandLabel({ from, to }: CertaintyBand): string {
  const percent = (share: number) => String(Number((100 * share).toPrecision(3)));
  if (to >= 1) return `above ${percent(from)} %`;
  return from > 0 ? `${percent(from)} to ${percent(to)} %` : `${percent(to)} % or less`;
}
