import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recompilation } from "../../model/jit_ledger";
import { describeGain, describeTime, explainVerdict, formatGain, levelName, tierName } from "./jit_text";
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

test("a verdict is explained by what was paid and what was gained", () => {
  const each = (value: number) => ({ value, low: value, high: value });
  const row = { compileNs: 404e6, before: each(20), after: each(30), callsAfter: 1e6, gain: { value: -414e6, low: -420e6, high: -400e6 } } as Recompilation;
  assert.equal(explainVerdict(row, undefined), "Compiling it took 404 ms. Its 1.00 M calls took 30.0 ms, 10.0 ms more than they would have taken in the version before. In all it lost 414 ms (95 %: −420 ms to −400 ms).");
  assert.match(explainVerdict({ ...row, before: each(50), gain: { value: -384e6, low: -390e6, high: -380e6 } }, undefined), /20\.0 ms less than they would/);
  assert.equal(explainVerdict({ ...row, before: null, after: null, callsAfter: null, gain: null }, { why: "nobody looked", remedy: "look" }),
    "Compiling it took 404 ms. Undecided, as nobody looked: look.");
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
