import assert from "node:assert/strict";
import { test } from "node:test";
import type { EdgeColumns, SliceData } from "../data/page_data";
import { hasPart, prepared, selectedCalls } from "./selected_calls";
import type { Selection } from "./selection";

// As format/profile/selection_unittest.cc: main (0) calls a (1) and b (2); a has inlined c (3).
const edges: EdgeColumns = {
  caller: [0, 0, 1], bci: [1, 2, 3], line: [1, 2, 3], callee: [1, 2, 3], calls: [1000, 500, 8000],
  low: [500, 250, 4000], high: [2000, 1000, 16000], flags: [2, 2, 16], inlined: [0, 0, 2],
};
const slices: NonNullable<SliceData["calls"]> = {
  part: [1, 3, 3], group: [0, 0, 1], edge: [0, 0, 1], calls: [600, 400, 500], units: [1, 1, 1],
  sampled: [1000, 500, 0], inferred: [0, 0, 8000],
};
const SECOND = 1e9;
const select = (changes: Partial<Selection>) => {
  const { calls, interval, ...others } = selectedCalls(edges, slices, SECOND, 4, 15,
    { fromNs: 0, toNs: Infinity, groups: undefined, hasGroup: () => true, ...changes });
  const all = edges.callee.map((_, edge) => interval(edge));
  return { ...others, calls: [...calls], low: all.map(({ low }) => low), high: all.map(({ high }) => high) };
};

test("a time has the calls that were sampled in it, and those they inlined", () => {
  const { calls, unseen, mostUnseen, high, total } = select({ toNs: 2 * SECOND });
  assert.deepEqual(calls, [600, 0, 4800]);
  assert.equal(total, 5400);
  assert.deepEqual([unseen, mostUnseen, high[1]], [1, 300, 300]);
});

test("a thread has its own calls", () => {
  assert.deepEqual(select({ hasGroup: (group) => group === 1 }).calls, [0, 500, 0]);
});

test("all of it is all", () => {
  assert.deepEqual(select({}).calls, [1000, 500, 8000]);
});

test("intervals hold the chance of the selection, and no more than the whole run", () => {
  const { low, high } = select({ toNs: 2 * SECOND });
  assert.ok(low[0]! < 300 && low[0]! > 0);
  assert.ok(high[0]! > 1200 && high[0]! <= 2000);
});

test("where nothing was sampled, nothing is known but what the whole run says", () => {
  const { calls, high, mostUnseen } = select({ toNs: SECOND });
  assert.deepEqual(calls, [0, 0, 0]);
  assert.deepEqual(high, [2000, 1000, 16000]);
  assert.equal(mostUnseen, Infinity);
});

test("calls of callers that nobody is known to call are in no selection", () => {
  const alone = { ...slices, sampled: [0, 500, 0], calls: [0, 0, 500] };
  assert.equal(prepared(edges, alone, 4).unplaced, 8000);
  const { calls } = selectedCalls(edges, alone, SECOND, 4, 15, { fromNs: 0, toNs: Infinity, groups: undefined, hasGroup: () => true });
  assert.deepEqual([...calls], [0, 500, 0]);
});

test("what the VM counted is no sample's", () => {
  assert.equal(prepared(edges, { ...slices, sampled: [700, 500, 0] }, 4).counted, 300);
});

test("a part is in a time by its middle", () => {
  assert.deepEqual([0, 1, 2].map((part) => hasPart({ fromNs: 40, toNs: 200 }, part, 100)), [true, true, false]);
});
