import assert from "node:assert/strict";
import { test } from "node:test";
import { A, B, C, frameIn, letter, linesOf, METHODS, NAMES, treeOf } from "./flame_fixture";
import { methodWeights, packageWeights } from "./flame_methods";
import { collapsed } from "./flame_text";
import { inlinedShare, mainLevel, pathOf, samePlace, SEVERAL } from "./flame_tree";

test("frames of one method below the same frame are one, whatever their code is", () => {
  const tree = treeOf("a;b0 3\na;b4! 5\na;c 1");
  assert.deepEqual(linesOf(tree), ["a;b 8", "a;c 1"]);
  const b = frameIn(tree, "a;b");
  assert.equal(mainLevel(tree, b), 4);
  assert.equal(inlinedShare(tree, b), 5 / 8);
});

test("code that is not known is told apart from interpreted code", () => {
  const tree = treeOf("a 3\nb0 1");
  assert.deepEqual([mainLevel(tree, frameIn(tree, "a")), mainLevel(tree, frameIn(tree, "b"))], [-1, 0]);
});

test("a frame's total has all below it, and the path leads to it", () => {
  const tree = treeOf("a;b;c 2\na;b 3\na 1");
  assert.equal(tree.total[frameIn(tree, "a;b")], 5);
  assert.equal(tree.total[0], 6);
  assert.deepEqual(pathOf(tree, frameIn(tree, "a;b;c")).map((node) => tree.method[node]), [A, B, C]);
});

test("frames without any weight are left out", () => {
  assert.equal(treeOf("a;b 0\na 1").parent.length, 2);
});

test("a call site stands where all calls have the same, else there are several", () => {
  const one = treeOf("a;b 1"), two = treeOf("a0;b 1\na4;b 1");
  assert.ok(one.line[frameIn(one, "a;b")]! > 0);
  assert.equal(two.line[frameIn(two, "a;b")], SEVERAL);
});

test("a recursive method's total counts each stack once", () => {
  const rows = [...methodWeights(treeOf("a;b;a 2\na;b 1\nb;c 4"), METHODS).values()];
  assert.deepEqual(rows.sort((x, y) => x.method - y.method), [
    { method: A, self: 2, total: 3, frames: 2, isRecursive: true },
    { method: B, self: 1, total: 7, frames: 2, isRecursive: false },
    { method: C, self: 4, total: 4, frames: 1, isRecursive: false },
  ]);
});

test("stacks of thousands of frames need no recursion", () => {
  const tree = treeOf(`${Array(5000).fill("a").join(";")} 1`);
  assert.equal(pathOf(tree, tree.parent.length - 1).length, 5000);
  assert.equal(methodWeights(tree, METHODS).get(A)!.total, 1);
});

test("packages have what ends in their classes, the most first", () => {
  assert.deepEqual(packageWeights(treeOf("a;b 2\na;d 5\nc 1"), NAMES),
    [{ name: "pkg", self: 5 }, { name: "first", self: 3 }]);
});

test("a frame is found again by its methods, those that are gone left out", () => {
  const from = treeOf("a;b;c;d 1"), to = treeOf("a;c;d 1\na;b;d 1");
  const d = frameIn(from, "a;b;c;d");
  assert.equal(samePlace(from, d, treeOf("x;y 1")), 0);
  assert.equal(samePlace(from, d, treeOf("c;d 1\nd 5")), 2);
  assert.equal(samePlace(from, d, to), frameIn(to, "a;b;d"));
});

test("stacks as text are those below a frame, in whole numbers", () => {
  const tree = treeOf("a;b;c 2.4\na;b 3\na 1");
  assert.equal(collapsed(tree, letter, frameIn(tree, "a;b")), "a;b 3\na;b;c 2\n");
});

test("stacks that the text has no room for are counted, the lightest of them, and no weight is lost", () => {
  const lines = collapsed(treeOf("a 1\nb 70\nc 2\nd 0.4\nd;e 0.3"), letter, 0, 10).trim().split("\n");
  assert.deepEqual(lines, ["b 70", "c 2", "(3 lighter stacks) 2"]);
});

test("names cannot break a line or a stack", () => {
  assert.equal(collapsed(treeOf("a;b 1"), () => "x;y\n z"), "x,y  z;x,y  z 1\n");
});
