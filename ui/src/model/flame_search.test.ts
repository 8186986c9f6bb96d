import assert from "node:assert/strict";
import { test } from "node:test";
import { A, B, C, frameIn, NAMES, treeOf } from "./flame_fixture";
import { matchesIn, matchingMethods, zoomToSee } from "./flame_search";

function found(query: string): number[] {
  const isMatch = matchingMethods(NAMES, query);
  return [...isMatch.keys()].filter((method) => isMatch[method]);
}

test("all words must be in the name, in any order and case", () => {
  assert.deepEqual(found("FIRST run"), [A, B, C]);
  assert.deepEqual(found("run first.b"), [B]);
  assert.deepEqual(found("first pkg"), []);
});

test("no words find nothing", () => {
  assert.deepEqual(found("  "), []);
});

test("nested matches count once in the weight", () => {
  const matches = matchesIn(treeOf("a;b;a 5\nb;a 2\nc 3"), matchingMethods(NAMES, "first.a"));
  assert.equal(matches.weight, 7);
  assert.deepEqual([matches.frames, matches.methods], [3, 1]);
});

test("one goes from match to match, the heaviest first and not into one", () => {
  const tree = treeOf("b;a 2\na;b;a 5");
  const { outermost } = matchesIn(tree, matchingMethods(NAMES, "first.a"));
  assert.deepEqual(outermost, [frameIn(tree, "a"), frameIn(tree, "b;a")]);
});

test("a match that can be seen leaves the zoom, one that cannot gets a fiftieth of the width", () => {
  const tree = treeOf("a;b;c 1\na;b;d 30\na;e 900\nf 69");
  const c = frameIn(tree, "a;b;c"), b = frameIn(tree, "a;b"), a = frameIn(tree, "a");
  assert.equal(zoomToSee(tree, c, b), b);
  assert.equal(zoomToSee(tree, c, 0), b);
  assert.equal(zoomToSee(tree, c, frameIn(tree, "f")), b);
  assert.equal(zoomToSee(tree, b, a), a);
  assert.equal(zoomToSee(tree, b, frameIn(tree, "f")), 0);
});
