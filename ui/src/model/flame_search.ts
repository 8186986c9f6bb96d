import type { FlameTree } from "./flame_tree";
import type { Names } from "./names";
import { hasAll, wordsOf } from "./words";

// What a search finds in a tree.
export interface FlameMatches {
  isMatch: Uint8Array; // by method
  methods: number; // that match and are in the tree
  frames: number;
  weight: number; // in or below what matches: frames inside of others count once
  outermost: number[]; // frames that match with none above that does, the heaviest first
}

// Names that have all the words in them, in any order; none for an empty query.
export function matchingMethods(names: Names, query: string): Uint8Array {
  const words = wordsOf(query);
  const isMatch = new Uint8Array(names.count);
  if (words.length === 0) return isMatch;
  for (let method = 0; method < names.count; method++) {
    if (hasAll(names.lowerFull(method), words)) isMatch[method] = 1;
  }
  return isMatch;
}

export function matchesIn(tree: FlameTree, isMatch: Uint8Array): FlameMatches {
  const inside = new Uint8Array(tree.parent.length), methods = new Set<number>();
  const outermost: number[] = [];
  let frames = 0, weight = 0;
  for (let node = 1; node < tree.parent.length; node++) {
    const matches = isMatch[tree.method[node]!] === 1;
    if (matches) { frames++; methods.add(tree.method[node]!); }
    if (inside[tree.parent[node]!]) { inside[node] = 1; continue; }
    if (!matches) continue;
    inside[node] = 1;
    weight += tree.total[node]!;
    outermost.push(node);
  }
  outermost.sort((a, b) => tree.total[b]! - tree.total[a]! || a - b);
  return { isMatch, methods: methods.size, frames, weight, outermost };
}

const LEAST_OF_WIDTH = 0.02;

// The frame that is to fill the width so that `node` can be seen: the one that does if it can be seen
// there already, else the outermost in which it has a fiftieth of the width.
export function zoomToSee(tree: FlameTree, node: number, zoom: number): number {
  const isWide = (around: number) => tree.total[node]! >= LEAST_OF_WIDTH * tree.total[around]!;
  let at = node;
  while (at > zoom) at = tree.parent[at]!;
  if (at === zoom && isWide(zoom)) return zoom;
  let around = node;
  while (around > 0 && isWide(tree.parent[around]!)) around = tree.parent[around]!;
  return around;
}
