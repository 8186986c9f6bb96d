import assert from "node:assert/strict";
import { test } from "node:test";
import { CallGraph } from "./call_graph";
import { bandLabel, callsWithin, certainties, certaintyBands, formatRelative, inferredShare } from "./certainty";

// 900 ± 100, 90 + 90 - 45 (inferred), 10 + 30 - 10, and one without a call.
const edges = {
  caller: [0, 0, 0, 0], bci: [1, 2, 3, 4], line: [1, 2, 3, 4], callee: [1, 1, 1, 1],
  calls: [10, 900, 90, 0], low: [0, 800, 45, 0], high: [40, 1000, 180, 0], flags: [2, 2, 18, 2],
  inlined: [0, 0, 2, 0],
};
const all = certainties(new CallGraph(edges, 2));

test("how sure an edge is goes by its interval, the most called edge first", () => {
  assert.deepEqual(all.map(({ edge }) => edge), [1, 2, 0]);
  assert.ok(Math.abs(all[0]!.relative - 1 / 9) < 1e-12);
  assert.deepEqual(all.map(({ isInferred }) => isInferred), [false, true, false]);
});

test("each edge is in one band, and bands without one are left out", () => {
  const bands = certaintyBands(all);
  assert.deepEqual(bands.map((band) => [bandLabel(band), band.edges]), [["above 1 %", 2], ["0.1 to 1 %", 1]]);
  assert.equal(bands[0]!.worst, 0.75);
  assert.equal(bands[1]!.median, 2);
});

test("an edge that has all the calls is in a band, too", () => {
  const bands = certaintyBands([{ edge: 0, share: 1, relative: 0, isInferred: false }]);
  assert.deepEqual(bands.map((band) => band.edges), [1]);
});

test("the rarest edges are told by what they are below", () => {
  assert.equal(bandLabel(certaintyBands([{ edge: 0, share: 1e-7, relative: 9, isInferred: false }])[0]!),
    "0.001 % or less");
});

test("calls are known as far as their edges are", () => {
  assert.equal(callsWithin(all, 0.2), 0.9);
  assert.equal(callsWithin(all, 0.01), 0);
  assert.equal(inferredShare(all), 0.09);
});

test("widths have two digits, and an end", () => {
  assert.deepEqual([0.0641, 0.643, 15.594, 94.591, 1241.591, NaN].map(formatRelative),
    ["6.4 %", "64 %", "1,600 %", "9,500 %", "over 10,000 %", "?"]);
});
