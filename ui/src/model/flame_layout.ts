import { childrenOf, type FlameTree } from "./flame_tree";

// Where each frame is: from `start` on, as wide as its total; and in which row, the root's being 0.
export interface FlameLayout {
  tree: FlameTree;
  start: Float64Array;
  depth: Int32Array;
  frames: Int32Array; // how many it is with all below
  firstChild: Int32Array; // its children: children[firstChild[n]] to before [firstChild[n + 1]],
  children: Int32Array; // from left to right
}

// `compare`: the order of siblings, such as the heaviest first or by name.
export function flameLayout(tree: FlameTree, compare: (a: number, b: number) => number): FlameLayout {
  const count = tree.parent.length;
  const start = new Float64Array(count), depth = new Int32Array(count);
  const frames = new Int32Array(count).fill(1);
  const { start: firstChild, order: children } = childrenOf(tree);
  for (let node = count - 1; node > 0; node--) frames[tree.parent[node]!]! += frames[node]!;
  for (let node = 0; node < count; node++) {
    const from = firstChild[node]!, to = firstChild[node + 1]!;
    if (to - from > 1) children.subarray(from, to).sort(compare);
    let at = start[node]!;
    for (let i = from; i < to; i++) {
      const child = children[i]!;
      start[child] = at;
      depth[child] = depth[node]! + 1;
      at += tree.total[child]!;
    }
  }
  return { tree, start, depth, frames, firstChild, children };
}

// The frames to be drawn, row by row: those of row r are at rowStart[r] to before rowStart[r + 1],
// from left to right.
export interface FlameRows {
  count: number;
  rowStart: number[];
  node: number[];
  x: number[]; // in pixels
  width: number[];
  zoomRow: number; // rows before it have one frame each, of the way to what fills the width
  narrow: number; // so many frames are not among them, as too narrow,
  narrowWeight: number; // with so much weight
}

// `zoom` fills `width` pixels, and so do those above it; what is below is there when it is at least
// `least` pixels wide.
export function flameRows(layout: FlameLayout, zoom: number, width: number, least: number): FlameRows {
  const { tree, start, depth, frames, firstChild, children } = layout;
  const scale = tree.total[zoom]! > 0 ? width / tree.total[zoom]! : 0;
  const rows: FlameRows = {
    count: 0, rowStart: [], node: [], x: [], width: [], zoomRow: depth[zoom]!, narrow: 0, narrowWeight: 0,
  };
  const above: number[] = [];
  for (let at = zoom; at > 0; at = tree.parent[at]!) above.push(tree.parent[at]!);
  for (const node of above.reverse()) {
    rows.rowStart.push(rows.node.length);
    rows.node.push(node);
    rows.x.push(0);
    rows.width.push(width);
  }
  for (let row = [zoom]; row.length > 0;) {
    const below: number[] = [];
    rows.rowStart.push(rows.node.length);
    for (const node of row) {
      rows.node.push(node);
      rows.x.push((start[node]! - start[zoom]!) * scale);
      rows.width.push(tree.total[node]! * scale);
      for (let i = firstChild[node]!; i < firstChild[node + 1]!; i++) {
        const child = children[i]!;
        if (tree.total[child]! * scale >= least) below.push(child);
        else { rows.narrow += frames[child]!; rows.narrowWeight += tree.total[child]!; }
      }
    }
    row = below;
  }
  rows.count = rows.rowStart.length;
  rows.rowStart.push(rows.node.length);
  return rows;
}

// The index of the frame at a point of a row; one that is narrower than a pixel is a pixel wide.
export function frameAt(rows: FlameRows, row: number, x: number): number | undefined {
  if (!(row >= 0 && row < rows.count)) return undefined;
  const begin = rows.rowStart[row]!;
  let low = begin, high = rows.rowStart[row + 1]!;
  while (low < high) { // the first that begins behind the point
    const middle = (low + high) >> 1;
    if (rows.x[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= begin && x < rows.x[index]! + Math.max(1, rows.width[index]!) ? index : undefined;
}

// The index of a frame that is drawn; undefined when it is not.
export function indexOf(layout: FlameLayout, rows: FlameRows, node: number): number | undefined {
  const row = layout.depth[node]!;
  for (let i = rows.rowStart[row] ?? 0; i < (rows.rowStart[row + 1] ?? 0); i++) {
    if (rows.node[i] === node) return i;
  }
  return undefined;
}
