import { FlameBuilder, type FlameTree } from "./flame_tree";

// What is done to a tree before it is shown, one after the other; as in Firefox Profiler.
export type Transform =
  | { kind: "focus"; method: number } // Only what is below the method, all its places merged.
  | { kind: "drop"; method: number } // Without the stacks that it is on.
  | { kind: "merge"; method: number } // Its weight goes to its callers; what it calls, they call.
  | { kind: "recursion" }; // A method that calls itself is one frame.

// "f12", "d12", "m12", "r": as they stand in the address, with dots between them.
const LETTERS = { focus: "f", drop: "d", merge: "m" } as const;

export function renderTransforms(transforms: readonly Transform[]): string {
  return transforms.map((each) => each.kind === "recursion" ? "r" : LETTERS[each.kind] + each.method).join(".");
}

// Those of other pages, or that name no method of this one, are left out.
export function parseTransforms(text: string, methods: number): Transform[] {
  return text.split(".").flatMap((part): Transform[] => {
    if (part === "r") return [{ kind: "recursion" }];
    const method = Number(part.slice(1));
    if (!/^[fdm]\d+$/.test(part) || method >= methods) return [];
    const kind = part[0] === "f" ? "focus" : part[0] === "d" ? "drop" : "merge";
    return [{ kind, method }];
  });
}

const GONE = -1;

// Where a frame goes, by where the one above it went: a place in the new tree, or GONE.
export function transformed(tree: FlameTree, transform: Transform, methods: number): FlameTree {
  const builder = new FlameBuilder(methods, tree.level !== null);
  const place = new Int32Array(tree.parent.length);
  if (transform.kind !== "focus") builder.addSelf(0, tree.self[0]!);
  else place[0] = GONE;
  const placeOf = (node: number): number => {
    const above = place[tree.parent[node]!]!, method = tree.method[node]!;
    const isIt = transform.kind !== "recursion" && method === transform.method;
    switch (transform.kind) {
      case "focus":
        if (above === GONE && !isIt) return GONE;
        return builder.child(Math.max(0, above), method, tree.line[node]!);
      case "drop":
        return above === GONE || isIt ? GONE : builder.child(above, method, tree.line[node]!);
      case "merge":
        return isIt ? above : builder.child(above, method, tree.line[node]!);
      case "recursion":
        return tree.parent[node]! > 0 && tree.method[tree.parent[node]!] === method
          ? above : builder.child(above, method, tree.line[node]!);
    }
  };
  for (let node = 1; node < tree.parent.length; node++) {
    const at = place[node] = placeOf(node);
    if (at === GONE) continue;
    builder.addSelf(at, tree.self[node]!);
    const isOwnFrame = at !== place[tree.parent[node]!];
    if (tree.level && isOwnFrame) builder.addCode(at, tree.level[node]!, tree.inlined?.[node] ?? 0, tree.total[node]!);
  }
  return builder.build();
}

const MAX_DEPTH = 256;

// From where time is spent outwards: below the root the methods in which stacks end, below each its
// callers. Callers further away than MAX_DEPTH frames are left out, and counted.
export function inverted(tree: FlameTree, methods: number): { tree: FlameTree; cut: number } {
  const builder = new FlameBuilder(methods, tree.level !== null);
  let cut = 0;
  for (let node = 1; node < tree.parent.length; node++) {
    const weight = tree.self[node]!;
    if (!(weight > 0)) continue;
    let at = 0, depth = 0;
    for (let frame = node; frame > 0; frame = tree.parent[frame]!) {
      if (depth++ === MAX_DEPTH) { cut++; break; }
      at = builder.child(at, tree.method[frame]!);
      if (tree.level) builder.addCode(at, tree.level[frame]!, tree.inlined?.[frame] ?? 0, weight);
    }
    builder.addSelf(at, weight);
  }
  return { tree: builder.build(), cut };
}
