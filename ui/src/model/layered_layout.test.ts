import assert from "node:assert/strict";
import { test } from "node:test";
import { layeredLayout, type LayoutInput } from "./layered_layout";

const node = (id: number, rank: number, cluster?: string) => ({ id, width: 80, height: 30, rank, cluster });
const edge = (from: number, to: number) => ({ from, to, width: 40, height: 12 });
const input = (changes: Partial<LayoutInput>): LayoutInput => ({
  direction: "down", nodes: [node(-1, -1), node(5, 0), node(7, 1)],
  edges: [edge(-1, 5), edge(5, 7), edge(7, -1), edge(5, 5)], ...changes,
});

test("callers are above, callees below; to the left and right if so asked", () => {
  const down = layeredLayout(input({}));
  assert.ok(down.nodes[0]!.y < down.nodes[1]!.y && down.nodes[1]!.y < down.nodes[2]!.y);
  const right = layeredLayout(input({ direction: "right" }));
  assert.ok(right.nodes[0]!.x < right.nodes[1]!.x && right.nodes[1]!.x < right.nodes[2]!.x);
});

test("an edge back up begins at its caller and ends at its callee", () => {
  const { nodes, edges } = layeredLayout(input({}));
  const points = edges[2]!.points;
  const near = (a: { x: number; y: number }, b: { x: number; y: number }) =>
    Math.abs(a.x - b.x) <= 41 && Math.abs(a.y - b.y) <= 16;
  assert.ok(near(points[0]!, nodes[2]!), "begins at the callee below");
  assert.ok(near(points[points.length - 1]!, nodes[0]!), "ends at the caller above");
  assert.deepEqual(edges[3], { points: [], label: undefined });
});

test("calls both ways between two methods are two lines", () => {
  const { edges } = layeredLayout(input({ edges: [edge(5, 7), edge(7, 5)] }));
  assert.notDeepEqual(edges[0]!.label, edges[1]!.label);
});

test("nodes do not overlap, and lie in their cluster's frame and in the drawing", () => {
  const nodes = Array.from({ length: 40 }, (_, i) => node(i, i === 0 ? 0 : 1 + i % 3, i % 2 ? "odd" : "even"));
  const result = layeredLayout({
    direction: "down", nodes,
    edges: nodes.slice(1).map(({ id }) => edge(Math.floor((id - 1) / 3), id)),
  });
  result.nodes.forEach((a, i) => {
    assert.ok(a.x >= 0 && a.x <= result.width && a.y >= 0 && a.y <= result.height);
    result.nodes.forEach((b, j) => {
      assert.ok(i === j || Math.abs(a.x - b.x) >= 80 || Math.abs(a.y - b.y) >= 30, `${i} and ${j}`);
    });
    const frame = result.clusters.find(({ name }) => name === (i % 2 ? "odd" : "even"))!;
    assert.ok(a.x >= frame.x && a.x <= frame.x + frame.width && a.y >= frame.y && a.y <= frame.y + frame.height);
  });
});

test("where there is room nodes move apart, keep their size, and all stays in the drawing", () => {
  const tight = layeredLayout(input({ direction: "right" }));
  const { nodes, edges, width, height } = layeredLayout(input({ direction: "right", room: { width: 9000, height: tight.height } }));
  assert.ok(width > 1.4 * tight.width && width < 1.8 * tight.width, `${width} of ${tight.width}`);
  for (const { x, y } of [...nodes, ...edges.flatMap(({ points }) => points)]) {
    assert.ok(x >= -0.01 && x <= width + 0.01 && y >= -0.01 && y <= height + 0.01, `${x} ${y}`);
  }
  const first = edges[0]!.points[0]!, from = nodes[0]!;
  assert.ok(Math.abs(first.x - from.x - 40) < 1, "a line still begins at its node's side");
});
