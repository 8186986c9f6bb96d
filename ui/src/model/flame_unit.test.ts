import assert from "node:assert/strict";
import { test } from "node:test";
import { flameUnit, wilson } from "./flame_unit";

test("samples read as time when it is known what one stands for", () => {
  assert.equal(flameUnit({ unit: "samples", sample_ns: 1e6 }).format(1500), "1.50 s (1,500 samples)");
  assert.equal(flameUnit({ unit: "samples", sample_ns: 0 }).format(1), "1 sample");
});

test("how often a frame was called is told apart from the calls below it", () => {
  const calls = flameUnit({ unit: "calls", sample_ns: 0 });
  assert.deepEqual(calls.frame(1, 1234), ["called 1 time", "1,234 calls with all below it"]);
  assert.deepEqual(calls.frame(0, 5), ["no call of it seen", "5 calls with all below it"]);
  const estimated = flameUnit({ unit: "estimated calls", sample_ns: 0 });
  assert.deepEqual(estimated.frame(0.3, 12345.6), ["called less than once", "about 12.3 k calls with all below it"]);
  assert.equal(calls.self.title, "Calls");
  const time = flameUnit({ unit: "samples", sample_ns: 0 });
  assert.deepEqual(time.frame(1, 3), ["3 samples", "itself 1 sample"]);
  assert.equal(time.self.title, "Self");
});

test("calls are exact, estimates are about", () => {
  assert.equal(flameUnit({ unit: "calls", sample_ns: 0 }).format(1234567), "1,234,567 calls");
  assert.equal(flameUnit({ unit: "estimated calls", sample_ns: 0 }).format(1234567), "about 1.23 M calls");
});

test("shares of samples have an interval, exact ones and the whole have none", () => {
  assert.match(flameUnit({ unit: "samples", sample_ns: 1 }).share(10, 100), /^10\.0 % \(5\.5–17\.4 %\)$/);
  assert.equal(flameUnit({ unit: "samples", sample_ns: 1 }).share(100, 100), "100.0 %");
  assert.equal(flameUnit({ unit: "calls", sample_ns: 0 }).share(10, 100), "10.0 %");
});

// R's prop.test(10, 100, correct = FALSE): 0.0552 to 0.1744.
test("the interval is Wilson's", () => {
  const [low, high] = wilson(10, 100);
  assert.ok(Math.abs(low - 0.0552) < 5e-5 && Math.abs(high - 0.1744) < 5e-5, `${low} ${high}`);
  assert.equal(wilson(0, 50)[0], 0);
  assert.ok(wilson(0, 50)[1] > 0.05);
  assert.ok(wilson(50, 50)[1] > 1 - 1e-12);
});
