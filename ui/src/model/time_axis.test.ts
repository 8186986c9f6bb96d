import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, timeTicks, zoomed } from "./time_axis";

const labels = (from: number, to: number, count: number) => timeTicks(from, to, count).map(({ label }) => label);

test("ticks are round, in one unit, and told apart", () => {
  assert.deepEqual(labels(0, 20e9, 4), ["0", "5 s", "10 s", "15 s", "20 s"]);
  assert.deepEqual(labels(1.2e9, 1.3e9, 4), ["1.20 s", "1.25 s", "1.30 s"]);
  assert.deepEqual(labels(0, 3e6, 3), ["0", "1 ms", "2 ms", "3 ms"]);
  assert.deepEqual(labels(5, 5, 3), []);
});

test("zooming keeps the moment under the pointer where it is", () => {
  assert.deepEqual(zoomed([0, 100e6], 25e6, 0.5, [0, 100e6]), [12.5e6, 62.5e6]);
});

test("neither zooming out nor moving leaves the run", () => {
  assert.deepEqual(zoomed([80e6, 100e6], 90e6, 100, [0, 100e6]), [0, 100e6]);
  assert.deepEqual(moved([80e6, 90e6], 50e6, [0, 100e6]), [90e6, 100e6]);
  assert.deepEqual(moved([80e6, 90e6], -200e6, [0, 100e6]), [0, 10e6]);
});
