import assert from "node:assert/strict";
import test from "node:test";
import type { ProfileData } from "../data/page_data";
import { methodOverTime, observedParts, spread } from "./over_time";

test("what is observed now and then is spread to the nearest parts, and its sum stays", () => {
  const observed = Uint8Array.of(0, 1, 0, 0, 0, 1, 0);
  assert.deepEqual([...spread(Float64Array.of(0, 8, 0, 0, 0, 6, 0), observed)], [2, 2, 2, 2, 2, 2, 2]);
  assert.deepEqual([...spread(Float64Array.of(0, 8, 0, 0, 0, 0, 0), observed)], [2, 2, 2, 2, 0, 0, 0], "a tick without calls says that there were none");
  assert.deepEqual([...spread(Float64Array.of(1, 0, 3), undefined)], [1, 0, 3]);
});

// main (0) calls work (1), sampled in both halves; work has check (2) inlined, and check itself (3) in it.
const profile = {
  ticks: 2,
  edges: { caller: [0, 1, 2], callee: [1, 2, 3] },
  windows: { start_ns: [50, 350] },
  slices: {
    part_ns: 100, parts: 4, groups: ["main", "pool"], thread_group: [],
    calls: { part: [0, 3, 3], group: [0, 0, 1], edge: [0, 0, 0], calls: [30, 60, 10], units: [1, 1, 1], sampled: [100, 0, 0], inferred: [0, 1000, 500] },
    stacks: null,
  },
} as unknown as ProfileData;

test("inlined calls of a method are where its callers are called", () => {
  assert.deepEqual([...methodOverTime(profile, 1, () => true)!], [30, 0, 0, 70]);
  assert.deepEqual([...methodOverTime(profile, 2, () => true)!], [300, 0, 0, 700]);
  assert.deepEqual([...methodOverTime(profile, 3, () => true)!], [150, 0, 0, 350]);
  assert.deepEqual([...methodOverTime(profile, 3, (group) => group === 1)!], [0, 0, 0, 50]);
  assert.equal(methodOverTime(profile, 0, () => true), undefined, "nobody is known to call it");
});

test("methods that inline each other have the times of their samples", () => {
  const circle = structuredClone(profile);
  circle.edges.caller = [0, 1, 2];
  circle.edges.callee = [1, 2, 1];
  assert.deepEqual([...methodOverTime(circle, 2, () => true)!].map(Math.round), [300, 0, 0, 700]);
});

test("parts with a tick are observed, and all where calls are counted down all the time", () => {
  assert.deepEqual([...observedParts(profile)!], [1, 0, 0, 1]);
  assert.equal(observedParts({ ...profile, ticks: 0 }), undefined);
});
