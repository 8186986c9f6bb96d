import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowHead, layoutInput, neighbourInDirection, nodeLines, smoothPath } from "./canvas_geometry";

test("arrow keys go to the nearest node of their direction, and stay when there is none", () => {
  const nodes = [
    { id: 1, x: 0, y: 0 }, { id: 2, x: 100, y: 5 }, { id: 3, x: 60, y: 80 }, { id: 4, x: 0, y: 50 },
  ];
  assert.equal(neighbourInDirection(nodes, 1, 1, 0), 2);
  assert.equal(neighbourInDirection(nodes, 1, 0, 1), 4);
  assert.equal(neighbourInDirection(nodes, 4, 0, -1), 1);
  assert.equal(neighbourInDirection(nodes, 1, -1, 0), undefined);
});

test("a loop's label is part of its node, which has room for it", () => {
  const node = { id: 1, label: "A.b", title: "", detail: "1 call" };
  const loop = { from: 1, to: 1, width: 1, title: "", label: "123 M, which is long" };
  const [alone] = layoutInput([node], [], "down").nodes;
  const [looped] = layoutInput([node], [loop], "down").nodes;
  assert.ok(looped!.width > alone!.width);
});

test("a long name does not cost its parameters their room", () => {
  const label = (text: string) => nodeLines({ id: 1, label: text, title: "" }, undefined)[0]!.text;
  const long = "stringFromByteBufferMatchesWhateverIsLongerThanTheRoom";
  assert.equal(label(`${long}(int, …)`), `${label(long)}(int, …)`);
  assert.ok(label(long).length < long.length);
  assert.equal(label("(root)"), "(root)");
});

test("a class has its own line, above its method's, and its packages give way first", () => {
  const owner = "org.eclipse.jdt.internal.compiler.SelectionOnAllocation";
  const lines = nodeLines({ id: 1, label: "getGroupDataIfAbsent", owner, symbol: "▲", detail: "3 calls", title: "" }, undefined);
  assert.deepEqual(lines.map(({ text }) => text),
    ["▲ o.e.j.i.c.SelectionOnAllocation", "getGroupDataIfAbsent", "3 calls"]);
});

test("a line passes through its points, and its arrow's tip is its end", () => {
  const points = [{ x: 0, y: 0 }, { x: 10, y: 20 }, { x: 30, y: 40 }];
  assert.match(smoothPath(points, "down"), /^M0 0C.* 10 20C.* 30 40$/);
  assert.match(arrowHead(points, 4, "down"), /^M30 40L[\d. -]+ 34L/);
  assert.match(arrowHead(points.toReversed(), 4, "right"), /^M0 0L6 /);
  assert.equal(smoothPath([], "down"), "");
});
