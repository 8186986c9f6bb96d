import assert from "node:assert/strict";
import { test } from "node:test";
import { dotsPath, logScale } from "./scale";

test("the scale goes from one power of ten to another around its values", () => {
  const scale = logScale(0.3, 40);
  assert.deepEqual(scale.decades, [0.1, 1, 10, 100]);
  assert.ok(Math.abs(scale.at(1) - 1 / 3) < 1e-12);
  assert.deepEqual([scale.at(0.001), scale.at(1e9)], [0, 1]);
});

test("one value has a scale, too", () => {
  assert.deepEqual(logScale(10, 10).decades, [10, 100]);
});

test("a wide scale has few lines", () => {
  assert.ok(logScale(1e-8, 1e4).decades.length <= 6);
});

test("dots in one place are drawn once", () => {
  assert.equal(dotsPath([[1, 2], [1.2, 1.9], [30, 2]]), "M1 2h0M30 2h0");
});
