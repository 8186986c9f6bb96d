import assert from "node:assert/strict";
import { test } from "node:test";
import { frameKey, frameOf, parseTransforms, renderTransforms } from "./flame_address";
import { A, B, D, frameIn, NAMES, treeOf } from "./flame_fixture";
import type { Transform } from "./flame_transforms";

test("transforms survive the address, by their methods' names", () => {
  const all: Transform[] = [
    { kind: "focus", method: D }, { kind: "recursion" }, { kind: "drop", method: A },
    { kind: "merge", method: B }, { kind: "callers", method: A }, { kind: "leaf", method: A },
    { kind: "loops", method: A },
  ];
  const text = renderTransforms(all, NAMES);
  assert.ok(text.startsWith("fpkg.D.run()V..r..d"));
  assert.deepEqual(parseTransforms(text, NAMES), all);
});

test("those of other pages do no harm", () => {
  assert.deepEqual(parseTransforms("x..f..fno.such()V..q1..r", NAMES), [{ kind: "recursion" }]);
  assert.deepEqual(parseTransforms("f(root)", NAMES), []);
});

test("a frame is found by its key, but not in another tree", () => {
  const tree = treeOf("a;b;c 1\na;d 1"), other = treeOf("b;a;c 1\na;d 1");
  const key = frameKey(tree, frameIn(tree, "a;b;c"), NAMES);
  assert.equal(frameOf(tree, key, NAMES), frameIn(tree, "a;b;c"));
  assert.equal(frameOf(other, key, NAMES), 0);
});

test("the whole needs no key, and nonsense means the whole", () => {
  const tree = treeOf("a;b 1");
  assert.equal(frameKey(tree, 0, NAMES), "");
  for (const key of ["", "1", "1.x", "-1.0", "1e9.0", "99.0"]) assert.equal(frameOf(tree, key, NAMES), 0, key);
});
