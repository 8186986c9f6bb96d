import assert from "node:assert/strict";
import { test } from "node:test";
import { CallGraph } from "./call_graph";

// main calls a from two places, a calls b and itself, something native calls b.
const [MAIN, A, B] = [0, 1, 2];
const graph = new CallGraph({
  caller: [MAIN, MAIN, A, A, -1], bci: [1, 5, 2, 9, -1], line: [1, 2, 3, 4, 0],
  callee: [A, A, B, A, B], calls: [10, 30, 5, 2, 3], low: [8, 25, 5, 1, 3], high: [12, 36, 5, 4, 3],
  flags: [2, 18, 1, 2, 2], inlined: [0, 2, 0, 0, 0],
}, 3);

test("edges are found by their caller and by their callee", () => {
  assert.deepEqual([...graph.edgesFrom(MAIN)], [0, 1]);
  assert.deepEqual([...graph.edgesFrom(A)], [2, 3]);
  assert.deepEqual([...graph.edgesFrom(-1)], [4]);
  assert.deepEqual([...graph.edgesTo(B)], [2, 4]);
  assert.deepEqual([...graph.edgesTo(MAIN)], []);
  assert.deepEqual([...graph.edgesTo(-1)], []);
});

test("edges that were found count as one each, of calls that are not known", () => {
  const found = new CallGraph({ ...graph.edges, calls: null, low: null, high: null }, 3);
  assert.deepEqual([...found.callsOf], [0, 3, 2]);
  assert.equal(found.high(1), 1);
});

test("calls are added up, and callers are counted once however many call sites they have", () => {
  assert.equal(graph.total, 50);
  assert.deepEqual([...graph.callsOf], [0, 42, 8]);
  assert.deepEqual([...graph.callsBy], [40, 7, 0]);
  assert.deepEqual([...graph.callers], [0, 2, 2]);
  assert.deepEqual([...graph.callees], [1, 2, 0]);
});

test("the line of a place in the bytecode is that of the edges from there", () => {
  assert.deepEqual([graph.lineAt(MAIN, 5), graph.lineAt(A, 9)], [2, 4]);
  assert.deepEqual([graph.lineAt(MAIN, 2), graph.lineAt(-1, -1), graph.lineAt(B, 1)], [0, 0, 0]);
});

test("only inferred edges are told to be inferred", () => {
  assert.deepEqual([0, 1, 2].map((edge) => graph.isInferred(edge)), [false, true, false]);
});
