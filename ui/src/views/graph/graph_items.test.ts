import assert from "node:assert/strict";
import { test } from "node:test";
import { Names } from "../../model/names";
import type { Neighbourhood, NeighbourEdge } from "../../model/neighbourhood";
import { canvasEdges, canvasNodes, shownAndHidden } from "./graph_items";

const names = new Names({
  strings: ["a.b.C", "run", "()V", "D", "go"],
  methods: { class: [0, 3], name: [1, 4], descriptor: [2, 2], file: [-1, -1] },
});
const edge = (changes: Partial<NeighbourEdge>): NeighbourEdge => ({
  caller: 0, callee: 1, calls: 100, low: 10, high: 1000, sites: 3, share: 0.25, inferred: false,
  hasInterval: true, inlined: 0, ...changes,
});
const shown: Neighbourhood = {
  nodes: [
    { method: 0, distance: 0, side: "focus", hiddenCallers: 1, hiddenCallees: 2 },
    { method: -1, distance: 1, side: "caller", hiddenCallers: 0, hiddenCallees: 0 },
    { method: 1, distance: 1, side: "callee", hiddenCallers: 0, hiddenCallees: 0 },
  ],
  edges: [
    edge({}), edge({ caller: 1, calls: 25, low: 25, high: 25, sites: 1, inferred: true, inlined: 2 }),
    edge({ caller: -1, callee: 0, calls: 4, hasInterval: false, sites: 1 }),
  ],
  shownCalls: 129, totalCalls: 400, methodsBeyondLimit: 0,
  hidden: { threshold: { pairs: 2, calls: 4 }, limit: { pairs: 0, calls: 0 }, depth: { pairs: 1, calls: 40 } },
};

test("callers have lower ranks than the focus, callees higher ones", () => {
  const nodes = canvasNodes(shown, names, [0, 125], "package", true);
  assert.deepEqual(nodes.map(({ rank }) => rank), [0, -1, 1]);
  assert.deepEqual(nodes.map(({ cluster }) => cluster), ["a.b", undefined, ""]);
  assert.deepEqual(nodes.map(({ detail }) => detail), ["no call seen", undefined, "125 calls"]);
  assert.match(nodes[0]!.title, /a\.b\.C\.run\(\)V[^]*1 caller not shown, 2 callees not shown/);
});

test("edges are wider with more calls, and tell their interval, their sites and inlining", () => {
  const [most, exact, without] = canvasEdges(shown, names, true);
  assert.ok(most!.width > exact!.width && exact!.width > without!.width);
  const { low, value, high } = most!.interval!;
  assert.deepEqual([low, value.toFixed(6), high], [0, "0.500000", 1]);
  assert.deepEqual([exact!.interval, without!.interval], [undefined, undefined]);
  assert.match(most!.title, /100 \(10 – 1\.00 k\) calls, 25\.0 % of all[^]*3 call sites/);
  assert.match(exact!.title, /1 call site\n[^]*inferred[^]*inlined/);
  assert.match(without!.title, /\(root\)[^]*4 \(no interval\)/);
  assert.deepEqual([exact!.dashed, most!.dashed], [true, false]);
});

test("edges that were only found have one width, and no number", () => {
  const edges = canvasEdges(shown, names, false);
  assert.equal(new Set(edges.map(({ width }) => width)).size, 1);
  assert.ok(edges.every(({ label, interval, title }) => !label && !interval && !title.includes("calls,")));
});

test("it is always said how much is hidden and why", () => {
  const [first, second, ...more] = shownAndHidden(shown, 9, true);
  assert.match(first!, /3 of 9 methods and 3 edges, 32\.3 % of all calls/);
  assert.match(second!, /2 below the threshold \(1\.0 % .*1 further away or beside \(10\.0 %/);
  assert.deepEqual(more, []);
  assert.match(shownAndHidden({ ...shown, methodsBeyondLimit: 7 }, 9, true)[2]!, /7 methods .* left out/);
  assert.ok(!shownAndHidden(shown, 9, false).join().includes("%"));
});
