import assert from "node:assert/strict";
import { test } from "node:test";
import { describeGain, describeTime, formatGain, levelName, tierName } from "./jit_text";
import { itemAt } from "./timeline_drawing";

test("gains have a sign, and an interval or the word that there is none", () => {
  assert.equal(formatGain(1.2e6), "+1.20 ms");
  assert.equal(describeGain({ value: -2e9, low: -3e9, high: 1e6 }), "−2.00 s (−3.00 s to +1.00 ms)");
  assert.equal(describeGain({ value: 5, low: 5, high: 5 }), "+5.00 ns (no interval)");
  assert.equal(describeTime({ value: 5e3, low: 4e3, high: 6e3 }), "5.00 (4.00 – 6.00) µs");
});

test("levels have HotSpot's names, or those of the project's own compiler", () => {
  assert.deepEqual([0, 3, 4, 10, 12].map(levelName), ["interpreted", "C1 tier 3", "C2", "BASE", "OPT2"]);
  assert.equal(tierName(11), "OPT1");
});

const drawn = { boxes: [
  { compilation: 1, x: 10, end: 100, y: 20 }, { compilation: 2, x: 101, end: 102, y: 20 }, { compilation: 3, x: 10, end: 100, y: 70 },
] };

test("the nearest compilation of the lane under the pointer is found, narrow ones too", () => {
  assert.equal(itemAt(drawn, 50, 30), 1);
  assert.equal(itemAt(drawn, 103, 30), 2);
  assert.equal(itemAt(drawn, 50, 80), 3);
  assert.equal(itemAt(drawn, 200, 30), undefined);
  assert.equal(itemAt(drawn, 50, 60), undefined);
});
