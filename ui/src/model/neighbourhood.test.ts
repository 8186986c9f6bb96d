import assert from "node:assert/strict";
import { test } from "node:test";
import { EdgeFlag } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { neighbourhood, NEIGHBOURHOOD_DEFAULTS, type NeighbourhoodOptions } from "./neighbourhood";

// Edges written "caller callee calls", a line each; a caller of "-" is none.
function graphOf(text: string, methods = 26): CallGraph {
  const rows = text.trim().split("\n").map((line) => line.trim().split(/\s+/));
  const index = (name: string) => name === "-" ? -1 : name.charCodeAt(0) - 97;
  const calls = rows.map((row) => Number(row[2]));
  return new CallGraph({
    caller: rows.map((row) => index(row[0]!)), callee: rows.map((row) => index(row[1]!)), calls,
    bci: rows.map((_, i) => i), line: rows.map((_, i) => i), inlined: rows.map((row) => Number(row[3] ?? 0)),
    low: calls.map((value) => value / 2), high: calls.map((value) => value * 2),
    flags: rows.map((row) => row[4] === "i" ? EdgeFlag.inferred : EdgeFlag.sampled),
  }, methods);
}
const letter = (method: number) => method < 0 ? "-" : String.fromCharCode(97 + method);
function around(graph: CallGraph, focus: string, options: Partial<NeighbourhoodOptions>) {
  const result = neighbourhood(graph, focus === "-" ? -1 : focus.charCodeAt(0) - 97,
    { ...NEIGHBOURHOOD_DEFAULTS, threshold: 0, ...options });
  return {
    ...result,
    methods: result.nodes.map((node) => letter(node.method)).sort().join(""),
    pairs: result.edges.map((edge) => letter(edge.caller) + letter(edge.callee)).sort(),
  };
}

const CHAIN = graphOf(`
  - a 1
  a b 10
  b c 100
  c d 1000
  x c 3
  d d 7`);

test("steps up and down bound what is shown", () => {
  const one = around(CHAIN, "c", { callers: 1, callees: 1 });
  assert.equal(one.methods, "bcdx");
  assert.deepEqual(one.pairs, ["bc", "cd", "dd", "xc"]);
  assert.equal(around(CHAIN, "c", { callers: 3, callees: 0 }).methods, "-abcx");
  assert.equal(around(CHAIN, "c", { callers: 0, callees: 0 }).methods, "c");
});

test("what is hidden is counted: at each method, and by reason", () => {
  const one = around(CHAIN, "c", { callers: 1, callees: 0 });
  assert.deepEqual(one.hidden.depth, { pairs: 2, calls: 1010 });
  assert.equal(one.shownCalls, 103);
  assert.equal(one.totalCalls, 1121);
  const b = one.nodes.find((node) => letter(node.method) === "b")!;
  assert.deepEqual([b.hiddenCallers, b.hiddenCallees, b.side, b.distance], [1, 0, "caller", 1]);
});

test("a threshold of the focus counts its calls upwards, and those it makes downwards", () => {
  const most = around(CHAIN, "c", { threshold: 0.05 }); // of 103 calls, of 1,000 calls
  assert.deepEqual(most.pairs, ["ab", "bc", "cd", "xc"]);
  assert.deepEqual(most.hidden.threshold, { pairs: 2, calls: 8 });
  assert.deepEqual(around(CHAIN, "c", { threshold: 0.05, of: "all" }).pairs, ["bc", "cd", "xc"]);
});

test("the busiest callers and callees of the focus are there below any threshold", () => {
  const graph = graphOf([..."bcdefgh"].flatMap((other, i) =>
    [`a ${other} ${10 + i}`, `${other} i 1`]).join("\n"));
  const result = around(graph, "a", { threshold: 0.9, callees: 2 });
  assert.deepEqual(result.pairs, ["ad", "ae", "af", "ag", "ah"]);
  assert.deepEqual(result.hidden.threshold, { pairs: 7, calls: 26 });
});

test("call sites of one pair are one edge, whose interval adds up", () => {
  const graph = graphOf(`
    a b 4 2 i
    a b 1 0
    a c 2 2`);
  const [edge, other] = around(graph, "a", {}).edges;
  assert.deepEqual(edge, {
    caller: 0, callee: 1, calls: 5, low: 2.5, high: 10, sites: 2, share: 5 / 7, inferred: true,
    hasInterval: true, inlined: 1,
  });
  assert.deepEqual([other!.inlined, other!.inferred, other!.sites], [2, false, 1]);
});

test("cycles end, and a method that is above and below the focus is shown once", () => {
  const graph = graphOf(`
    a b 5
    b c 5
    c a 4
    a a 2`);
  const result = around(graph, "a", { callers: 5, callees: 5 });
  assert.equal(result.methods, "abc");
  assert.deepEqual(result.pairs, ["aa", "ab", "bc", "ca"]);
});

test("of too many methods those with the most calls on their ways are kept", () => {
  const graph = graphOf(`
    a b 90
    a c 10
    b d 1
    b e 99
    c f 1000000`);
  const result = around(graph, "a", { maxNodes: 3 });
  assert.equal(result.methods, "abe");
  assert.equal(result.methodsBeyondLimit, 3);
  assert.equal(result.hidden.limit.pairs, 2); // ac and bd; cf touches nothing that is shown
});

test("of too many edges the ways to the methods are kept first", () => {
  const graph = graphOf(`
    a b 2
    a c 1
    b c 50
    c b 60`);
  assert.deepEqual(around(graph, "a", { callees: 1, maxEdges: 2 }).pairs, ["ab", "ac"]);
});

test("calls from nowhere known have a caller, which can be in the middle itself", () => {
  assert.equal(around(CHAIN, "-", { callees: 2 }).methods, "-ab");
});
