import { childrenOf, type FlameTree } from "./flame_tree";

// Where each frame is: from 0 on, as wide as its weight; and in which row, the root's being 0.
export interface FlameLayout {
  tree: FlameTree;
  start: Float64Array;
  depth: Int32Array;
  children: (node: number) => Int32Array; // from left to right
}

// `compare`: the order of siblings, such as the heaviest first or by name.
export function flameLayout(tree: FlameTree, compare: (a: number, b: number) => number): FlameLayout {
  const count = tree.parent.length;
  const start = new Float64Array(count), depth = new Int32Array(count);
  const unordered = childrenOf(tree);
  const ordered = new Map<number, Int32Array>();
  const children = (node: number): Int32Array => {
    const few = unordered.of(node);
    if (few.length < 2) return few;
    let sorted = ordered.get(node);
    if (!sorted) ordered.set(node, sorted = few.slice().sort(compare));
    return sorted;
  };
  const pending = [0];
  while (pending.length > 0) {
    const node = pending.pop()!;
    let at = start[node]!;
    for (const child of children(node)) {
      start[child] = at;
      depth[child] = depth[node]! + 1;
      at += tree.total[child]!;
      pending.push(child);
    }
  }
  return { tree, start, depth, children };
}

export interface Box { node: number; x: number; width: number; row: number }

// The frames to be drawn when `zoom` fills `width` pixels: it, those above it (as wide as all) and
// what is below it and at least `least` pixels wide; and how many, with which weight, are narrower.
export function visibleBoxes(layout: FlameLayout, zoom: number, width: number, least: number):
    { boxes: Box[]; rows: number; narrow: number; narrowWeight: number } {
  const { tree, start, depth } = layout;
  const scale = tree.total[zoom]! > 0 ? width / tree.total[zoom]! : 0;
  const boxes: Box[] = [];
  for (let at = tree.parent[zoom]!; at !== zoom; at = tree.parent[at]!) {
    boxes.push({ node: at, x: 0, width, row: depth[at]! });
    if (at === 0) break;
  }
  let rows = depth[zoom]! + 1, narrow = 0, narrowWeight = 0;
  const pending = [zoom];
  while (pending.length > 0) {
    const node = pending.pop()!;
    const wide = tree.total[node]! * scale;
    boxes.push({ node, x: (start[node]! - start[zoom]!) * scale, width: wide, row: depth[node]! });
    rows = Math.max(rows, depth[node]! + 1);
    for (const child of layout.children(node)) {
      if (tree.total[child]! * scale >= least) pending.push(child);
      else { narrow++; narrowWeight += tree.total[child]!; }
    }
  }
  return { boxes, rows, narrow, narrowWeight };
}

// The frame at a point of the rows; nothing beside them.
export function boxAt(boxes: readonly Box[], x: number, row: number): Box | undefined {
  return boxes.find((box) => box.row === row && x >= box.x && x < box.x + Math.max(1, box.width));
}

// How much of the tree is in or below frames that match: nested ones count once.
export function matchedWeight(tree: FlameTree, matches: (method: number) => boolean): number {
  const inside = new Uint8Array(tree.parent.length);
  let weight = 0;
  for (let node = 1; node < tree.parent.length; node++) {
    if (inside[tree.parent[node]!]) inside[node] = 1;
    else if (matches(tree.method[node]!)) { inside[node] = 1; weight += tree.total[node]!; }
  }
  return weight;
}
