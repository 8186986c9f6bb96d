import assert from "node:assert/strict";
import { test } from "node:test";
import type { DiffData } from "../data/page_data";
import { changesOf, describeTotals, factorOf, formatPoints, formatSmallShare, linesOfSeveralSites, matching, methodChanges, pairsAround } from "./compare";
import { Names } from "./names";

const names = new Names({
  strings: ["app.Main", "main", "()V", "app.Cache", "get", "put"],
  methods: { class: [0, 3, 3], name: [1, 4, 5], descriptor: [2, 2, 2], file: [-1, -1, -1] },
});
const [MAIN, GET, PUT] = [0, 1, 2];
const diff: DiffData = {
  overlap: 80, tested: 4, significant: 2, error_rate: 0.05, unknown: "", exact: false, filters: [], hidden: 1,
  caller: [MAIN, MAIN, GET, -1], bci: [1, 9, 4, -1], line: [3, 7, 5, 0], callee: [GET, GET, PUT, MAIN],
  before: [0.5, 0, 0.2, 0.3], after: [0.2, 0.4, 0.2, 0.2], low: [-0.35, 0.35, -0.1, -0.2],
  high: [-0.25, 0.45, 0.1, 0.05], adjusted_p: [0.001, 0.002, 1, 0.4],
  calls_before: [50, 0, 20, 30], calls_after: [20, 40, 20, 20],
  methods: {
    tested: 3, significant: 1, hidden: 1, method: [GET, PUT], before: [0.5, 0.25], after: [0.75, 0.25],
    low: [0.05, -0.125], high: [0.45, 0.125], adjusted_p: [0.01, 1],
    calls_before: [50, 25], calls_after: [75, 25],
  },
};

test("changes are significant as far as the error rate allows", () => {
  assert.deepEqual(changesOf(diff).map(({ isSignificant }) => isSignificant), [true, true, false, false]);
});

test("the numbers of all calls stand beside the shares", () => {
  assert.equal(describeTotals(7.69e9, 8e8), "All calls: 7.69 G before, 800 M after (÷ 9.6); shares are parts of these.");
  assert.equal(describeTotals(null, 5), "");
});

test("what was not there before is new, and what is not there any more is gone", () => {
  assert.equal(factorOf(0, 0.4), "new");
  assert.equal(factorOf(0.1, 0), "gone");
  assert.equal(factorOf(0.2, 0.5), "× 2.5");
  assert.equal(factorOf(0.5, 0.2), "÷ 2.5");
  assert.equal(factorOf(0.001, 0.15), "× 150");
  assert.equal(factorOf(0.0001, 0.2), "× 2,000");
  assert.equal(factorOf(1, 1e-5), "÷ 100,000");
});

test("two sites of a line are told apart, two receivers of one site are not", () => {
  const at = (line: number, bci: number) => ({ caller: MAIN, line, bci });
  assert.deepEqual([...linesOfSeveralSites([at(3, 1), at(3, 1), at(4, 6), at(4, 9), at(5, 12)])], [`${MAIN} 4`]);
});

test("points have a sign", () => {
  assert.equal(formatPoints(0.00123), "+0.123");
  assert.equal(formatPoints(-0.5), "−50.000");
  assert.equal(formatPoints(0), "±0");
});

test("small numbers are told apart, too", () => {
  assert.equal(formatPoints(-0.0000271), "−0.0027");
  assert.deepEqual([0.5, 0.012, 0.0000346, 2e-9, 0].map(formatSmallShare),
    ["50.0 %", "1.20 %", "0.0035 %", "0.00000020 %", "0"]);
});

test("a search may name caller and callee together", () => {
  const changes = changesOf(diff);
  assert.deepEqual(matching(changes, names, "MAIN cache").map(({ index }) => index), [0, 1]);
  assert.equal(matching(changes, names, "nobody").length, 0);
  assert.equal(matching(changes, names, " ").length, 4);
});

test("call sites of one pair are one edge of the graph", () => {
  const { pairs, hidden } = pairsAround(changesOf(diff), GET, 10);
  assert.equal(hidden, 0);
  const main = pairs.find(({ caller }) => caller === MAIN)!;
  assert.deepEqual([main.sites, main.significant], [2, 2]);
  assert.ok(Math.abs(main.after - main.before - 0.1) < 1e-12);
  assert.ok(!pairs.some(({ caller }) => caller === -1), "the root is no neighbour");
});

test("what there is no room for is counted", () => {
  assert.equal(pairsAround(changesOf(diff), GET, 1).hidden, 1);
});

test("methods are compared as a whole, and tell how many of their call sites changed", () => {
  assert.deepEqual(methodChanges(diff, changesOf(diff)), [
    { method: GET, before: 0.5, after: 0.75, change: 0.25, low: 0.05, high: 0.45, p: 0.01, callsBefore: 50, callsAfter: 75, isSignificant: true, sites: 2, significant: 2 },
    { method: PUT, before: 0.25, after: 0.25, change: 0, low: -0.125, high: 0.125, p: 1, callsBefore: 25, callsAfter: 25, isSignificant: false, sites: 1, significant: 0 },
  ]);
});
