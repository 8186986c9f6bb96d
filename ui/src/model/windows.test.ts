import assert from "node:assert/strict";
import { test } from "node:test";
import { binned, pointsOf, threadsOf } from "./windows";
import type { ProfileData } from "../data/page_data";

const windows = {
  tick: [1, 1, 2, 3], thread: [7, 8, 7, 7], start_ns: [30, 5, 10, 95], latency_ns: [4, -1, 6, 8],
  duration_ns: [1000, 2000, 0, 500], interval_ns: [1, 1, 1, 1], calls: [10, 100, 5, 20], samples: [1, 9, 1, 2],
};

test("points are of one thread in the order of time, and what is not known is not 0", () => {
  const points = pointsOf(windows, 7);
  assert.deepEqual(points.map(({ ns }) => ns), [10, 30, 95]);
  assert.ok(Number.isNaN(points[0]!.density));
  assert.deepEqual(points.slice(1).map(({ density }) => density), [10, 40]);
  assert.ok(Number.isNaN(pointsOf(windows, 8)[0]!.latencyNs));
});

test("bins have the least, the median and the largest of their windows", () => {
  const bins = binned(pointsOf(windows, undefined), ({ calls }) => calls, 100, 2);
  assert.deepEqual(bins.map(({ low, median, high, windows: n }) => [low, median, high, n]),
    [[5, 10, 100, 3], [20, 20, 20, 1]]);
});

test("a window that begins when the run ends is in the last bin", () => {
  const at = pointsOf({ ...windows, start_ns: [100, 100, 100, 100] }, undefined);
  assert.equal(binned(at, ({ calls }) => calls, 100, 4)[0]!.fromNs, 75);
});

test("threads with most calls come first, and one without a name has its number", () => {
  const rows = threadsOf({ windows, threads: { id: [8], name: ["worker"] } } as unknown as ProfileData);
  assert.deepEqual(rows.map(({ name, windows: n, calls }) => [name, n, calls]),
    [["worker", 1, 100], ["thread 7", 3, 35]]);
});

test("threads of one name are told apart by their numbers", () => {
  const rows = threadsOf({ windows, threads: { id: [7, 8], name: ["worker", "worker"] } } as unknown as ProfileData);
  assert.deepEqual(rows.map(({ name }) => name), ["worker (8)", "worker (7)"]);
});
