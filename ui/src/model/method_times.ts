import type { ContextTree, ProfileData } from "../data/page_data";

export interface MethodTimes {
  unit: "time" | "samples"; // time: nanoseconds
  self: Float64Array; // by method
  total: Float64Array; // with all that it calls; what is within itself again counts once
  all: number;
  hidden: number; // of contexts that were left out of the page: in `all`, of no method
}

// Times of methods as stack samples have them; undefined when no time was sampled.
export function methodTimes(profile: ProfileData, methods: number): MethodTimes | undefined {
  const tree = profile.trees.find((each) => each.unit === "samples" && each.parent.length > 1);
  return tree && timesOfTree(tree, methods);
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
