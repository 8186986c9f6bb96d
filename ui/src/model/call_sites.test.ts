import assert from "node:assert/strict";
import { test } from "node:test";
import { EdgeFlag } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { describeCalls, describeFlags, sandwich } from "./call_sites";

const graph = new CallGraph({
  caller: [0, 0, -1, 1, 1], bci: [1, 5, -1, 2, 7], line: [10, 11, 0, 20, 21], callee: [1, 1, 1, 2, 1],
  calls: [10, 30, 50, 6, 10], low: [5, 20, 40, 6, 9], high: [20, 40, 60, 6, 12],
  flags: [2, 2, 2, 1, 18], inlined: [0, 1, 0, 2, 0],
}, 3);

test("callers and callees have a row a call site, most calls first, with their share", () => {
  const { callers, callees } = sandwich(graph, 1);
  assert.deepEqual(callers.map(({ other, bci, share }) => [other, bci, share]),
    [[-1, -1, 0.5], [0, 5, 0.3], [0, 1, 0.1], [1, 7, 0.1]]);
  assert.deepEqual(callees.map(({ other, line, low, high }) => [other, line, low, high]),
    [[1, 21, 9, 12], [2, 20, 6, 6]]);
});

test("a call of itself stands on both sides; the root has callees only", () => {
  const { callers, callees } = sandwich(graph, -1);
  assert.deepEqual([callers.length, callees.length], [0, 1]);
});

test("a count tells its interval, or that it has none, or that it was only found", () => {
  const site = { calls: 1500, low: 1000, high: 2000, flags: EdgeFlag.sampled };
  assert.equal(describeCalls(site, true), "1.50 (1.00 – 2.00) k");
  assert.equal(describeCalls({ ...site, flags: EdgeFlag.sampled | EdgeFlag.noInterval }, true), "1.50 k (no interval)");
  assert.equal(describeCalls({ ...site, low: 1500, high: 1500, flags: EdgeFlag.exact }, true), "1,500");
  assert.equal(describeCalls(site, false), "found");
});

test("flags are told in words", () => {
  assert.equal(describeFlags(EdgeFlag.sampled | EdgeFlag.inferred), "inferred");
  assert.equal(describeFlags(EdgeFlag.sampled | EdgeFlag.noInterval), "sampled, no interval");
});
