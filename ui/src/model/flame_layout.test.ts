import assert from "node:assert/strict";
import { test } from "node:test";
import { frameIn, letter, treeOf } from "./flame_fixture";
import { flameLayout, flameRows, frameAt, indexOf } from "./flame_layout";
import type { FlameTree } from "./flame_tree";

const heaviestFirst = (tree: FlameTree) => flameLayout(tree, (a, b) => tree.total[b]! - tree.total[a]!);
const tree = treeOf("a;b 30\na;c 60\nd 10");
const layout = heaviestFirst(tree);

// "name x width" a frame, row by row.
function shown(zoom: number, width: number, least: number): string[] {
  const rows = flameRows(layout, zoom, width, least);
  return Array.from({ length: rows.count }, (_, row) => {
    const frames: string[] = [];
    for (let i = rows.rowStart[row]!; i < rows.rowStart[row + 1]!; i++) {
      const node = rows.node[i]!;
      frames.push(`${node ? letter(tree.method[node]!) : "*"} ${rows.x[i]} ${rows.width[i]}`);
    }
    return frames.join(", ");
  });
}

test("the heaviest comes first, and widths are weights", () => {
  assert.deepEqual(shown(0, 100, 1), ["* 0 100", "a 0 90, d 90 10", "c 0 60, b 60 30"]);
});

test("siblings stand in the order that is asked for", () => {
  const byName = flameLayout(tree, (a, b) => tree.method[a]! - tree.method[b]!);
  assert.equal(byName.start[frameIn(tree, "a;b")], 0);
  assert.equal(byName.start[frameIn(tree, "a;c")], 30);
});

test("a frame that fills the width has those above it as wide", () => {
  assert.deepEqual(shown(frameIn(tree, "a;b"), 100, 1), ["* 0 100", "a 0 100", "b 0 100"]);
  assert.equal(flameRows(layout, frameIn(tree, "a;b"), 100, 1).zoomRow, 2);
});

test("what is too narrow is counted with all that is below it, its weight once", () => {
  const wide = heaviestFirst(treeOf("a;b 99\nc;d;e 1"));
  const { narrow, narrowWeight, node } = flameRows(wide, 0, 50, 1);
  assert.deepEqual([node.length, narrow, narrowWeight], [3, 3, 1]);
});

test("the frame at a point is found, and none beside", () => {
  const rows = flameRows(layout, 0, 100, 1);
  const at = (row: number, x: number) => {
    const index = frameAt(rows, row, x);
    return index === undefined ? "" : letter(tree.method[rows.node[index]!]!);
  };
  assert.deepEqual([at(2, 0), at(2, 59.9), at(2, 60), at(2, 89), at(2, 90.5), at(2, -1), at(3, 5), at(-1, 5)],
    ["c", "c", "b", "b", "", "", "", ""]);
});

test("a sliver can be pointed at as if it were a pixel wide", () => {
  const rows = flameRows(layout, 0, 2, 0.1);
  assert.equal(rows.node[frameAt(rows, 1, 2.5)!], frameIn(tree, "d"));
});

test("it is known whether a frame is drawn", () => {
  const rows = flameRows(layout, 0, 20, 3);
  assert.equal(rows.node[indexOf(layout, rows, frameIn(tree, "a;c"))!], frameIn(tree, "a;c"));
  assert.equal(indexOf(layout, rows, frameIn(tree, "d")), undefined);
});
