import assert from "node:assert/strict";
import { test } from "node:test";
import { countOfCalls, formatAbout, formatCalls, formatCount, formatInterval, formatShare, formatShort, formatTime } from "./format";

test("counts have separators and are whole", () => {
  assert.equal(formatCount(1234567), "1,234,567");
  assert.equal(formatCount(0.034), "<1");
  assert.equal(formatCount(2.5), "3");
  assert.equal(formatCount(-1200), "-1,200");
  assert.equal(formatCount(NaN), "?");
});

test("short numbers keep three digits and never show a thousand of a unit", () => {
  assert.equal(formatShort(999), "999");
  assert.equal(formatShort(999_600), "1.00 M");
  assert.equal(formatShort(12_340), "12.3 k");
  assert.equal(formatShort(2.5), "2.50");
});

test("calls are whole, and an estimate of less than one says so", () => {
  assert.equal(formatCalls(0), "0");
  assert.equal(formatCalls(0.3), "<1");
  assert.equal(formatCalls(5.3), "5");
  assert.equal(formatCalls(999.7), "1.00 k");
  assert.equal(formatInterval(0.3, 0, 1), "<1 (0 – 1)");
  assert.deepEqual([0, 0.3, 1, 1.2, 2].map(countOfCalls), ["0 calls", "<1 calls", "1 call", "1 call", "2 calls"]);
  assert.equal(formatAbout(0), "about 0");
  assert.equal(formatAbout(0.3), "less than 1");
  assert.equal(formatAbout(999.7), "about 1.00 k");
});

test("shares that are hardly there are not shown as nothing", () => {
  assert.equal(formatShare(0.123), "12.3 %");
  assert.equal(formatShare(1e-9), "<0.01 %");
  assert.equal(formatShare(0), "0.00 %");
});

test("times choose their unit", () => {
  assert.equal(formatTime(1.5e6), "1.50 ms");
  assert.equal(formatTime(999_960), "1.00 ms");
  assert.equal(formatTime(61e9), "1 min 1 s");
  assert.equal(formatTime(-2e3), "−2.00 µs");
});

test("an exact number stands without an interval", () => {
  assert.equal(formatInterval(5, 5, 5), "5");
  assert.equal(formatInterval(5, 4, 7), "5 (4 – 7)");
});

test("a number and its interval say a unit once, if it is one", () => {
  assert.equal(formatInterval(3110, 2180, 4360, formatTime), "3.11 (2.18 – 4.36) µs");
  assert.equal(formatInterval(833, 583, 1170, formatTime), "833 ns (583 ns – 1.17 µs)");
  assert.equal(formatInterval(70e9, 65e9, 80e9, formatTime), "1 min 10 s (1 min 5 s – 1 min 20 s)");
  assert.equal(formatInterval(1.2e6, 0.98e6, 1.5e6), "1.20 M (980 k – 1.50 M)");
});
