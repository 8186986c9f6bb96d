import { childrenOf, type FlameTree } from "./flame_tree";
import type { Names } from "./names";

// A method's part in a tree: what ended in it, and the stacks that it is on, each counted once.
export interface MethodWeight {
  method: number;
  self: number;
  total: number;
  frames: number;
  isRecursive: boolean; // It is below itself, be it far below.
}

export function methodWeights(tree: FlameTree, methods: number): Map<number, MethodWeight> {
  const found = new Map<number, MethodWeight>();
  const { start, order } = childrenOf(tree);
  const next = start.slice(); // the child that is to be visited next
  const open = new Int32Array(methods); // how many frames of a method are on the way here
  for (let node = 0; ;) {
    const child = next[node]! < start[node + 1]! ? order[next[node]!++]! : undefined;
    if (child === undefined) {
      if (node === 0) return found;
      open[tree.method[node]!]!--;
      node = tree.parent[node]!;
      continue;
    }
    const method = tree.method[child]!, times = open[method] ?? 0;
    let row = found.get(method);
    if (!row) found.set(method, row = { method, self: 0, total: 0, frames: 0, isRecursive: false });
    row.self += tree.self[child]!;
    row.frames++;
    if (times === 0) row.total += tree.total[child]!;
    else row.isRecursive = true;
    open[method] = times + 1;
    node = child;
  }
}

export interface PackageWeight { name: string; self: number }

// What ended in the classes of each package, the most first.
export function packageWeights(tree: FlameTree, names: Names): PackageWeight[] {
  const self = new Map<string, number>();
  const own = new Float64Array(names.count);
  for (let node = 1; node < tree.parent.length; node++) own[tree.method[node]!]! += tree.self[node]!;
  own.forEach((weight, method) => {
    const name = names.packageName(method);
    if (weight > 0) self.set(name, (self.get(name) ?? 0) + weight);
  });
  return [...self].map(([name, weight]) => ({ name, self: weight }))
    .sort((a, b) => b.self - a.self || (a.name < b.name ? -1 : 1));
}
