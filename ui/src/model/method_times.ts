import type { ContextTree, ProfileData } from "../data/page_data";

export interface MethodTimes {
  unit: "time" | "samples"; // time: nanoseconds
  self: Float64Array; // by method
  total: Float64Array; // with all that it calls; what is within itself again counts once
  all: number;
  hidden: number; // of contexts that were left out of the page: in `all`, of no method
}

const cache = new WeakMap<ProfileData, MethodTimes | undefined>();

// Times of methods as stack samples have them; undefined when no time was sampled. Kept.
export function methodTimes(profile: ProfileData, methods: number): MethodTimes | undefined {
  if (!cache.has(profile)) {
    const tree = timeTree(profile);
    cache.set(profile, tree && timesOfTree(tree, methods));
  }
  return cache.get(profile);
}

function timeTree(profile: ProfileData): ContextTree | undefined {
  return profile.trees.find((each) => each.unit === "samples" && each.parent.length > 1);
}

// Time (or samples) in the calls that a method makes at a line, with all that these call: by caller,
// then by line. What is within a call of the same line again counts once. Undefined as above. Kept.
export function timesBySite(profile: ProfileData): ReadonlyMap<number, ReadonlyMap<number, number>> | undefined {
  if (!siteCache.has(profile)) {
    const tree = timeTree(profile);
    siteCache.set(profile, tree && sitesOfTree(tree));
  }
  return siteCache.get(profile);
}
const siteCache = new WeakMap<ProfileData, Map<number, Map<number, number>> | undefined>();

function sitesOfTree(tree: ContextTree): Map<number, Map<number, number>> {
  const scale = tree.sample_ns > 0 ? tree.sample_ns : 1;
  const below = Float64Array.from(tree.weight, (weight) => weight * scale);
  for (let node = tree.parent.length - 1; node > 0; node--) below[tree.parent[node]!]! += below[node]!;
  const times = new Map<number, Map<number, number>>();
  for (let node = 1; node < tree.parent.length; node++) {
    const line = tree.line[node]!, parent = tree.parent[node]!, caller = tree.method[parent]!;
    if (line <= 0 || caller < 0 || isWithinItself(tree, node, caller, line)) continue;
    let lines = times.get(caller);
    if (!lines) times.set(caller, lines = new Map());
    lines.set(line, (lines.get(line) ?? 0) + below[node]!);
  }
  return times;
}

// Whether a frame further out is a call from the same line.
function isWithinItself(tree: ContextTree, node: number, caller: number, line: number): boolean {
  for (let at = tree.parent[node]!; at > 0; at = tree.parent[at]!) {
    if (tree.line[at] === line && tree.method[tree.parent[at]!] === caller) return true;
  }
  return false;
}

function timesOfTree(tree: ContextTree, methods: number): MethodTimes {
  const count = tree.parent.length;
  const scale = tree.sample_ns > 0 ? tree.sample_ns : 1;
  const below = Float64Array.from(tree.weight, (weight) => weight * scale);
  for (let node = count - 1; node > 0; node--) below[tree.parent[node]!]! += below[node]!;

  const firstChild = new Int32Array(count).fill(-1), sibling = new Int32Array(count).fill(-1);
  for (let node = count - 1; node > 0; node--) {
    sibling[node] = firstChild[tree.parent[node]!]!;
    firstChild[tree.parent[node]!] = node;
  }
  const self = new Float64Array(methods), total = new Float64Array(methods);
  const active = new Uint32Array(methods); // how often it is on the way from the root
  let node = 0;
  for (;;) {
    const method = tree.method[node]!;
    if (method >= 0) {
      self[method]! += tree.weight[node]! * scale;
      if (active[method]!++ === 0) total[method]! += below[node]!;
    }
    if (firstChild[node]! >= 0) { node = firstChild[node]!; continue; }
    for (;;) {
      if (tree.method[node]! >= 0) active[tree.method[node]!]!--;
      if (node === 0 || sibling[node]! >= 0) break;
      node = tree.parent[node]!;
    }
    if (node === 0) break;
    node = sibling[node]!;
  }
  const hidden = tree.hidden_weight * scale;
  return { unit: tree.sample_ns > 0 ? "time" : "samples", self, total, all: below[0]! + hidden, hidden };
}
