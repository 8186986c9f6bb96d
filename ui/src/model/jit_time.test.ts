import assert from "node:assert/strict";
import { test } from "node:test";
import { compileLanes, itemsBetween } from "./compile_lanes";
import { ledgerOf } from "./jit_fixture";
import { SignedScale } from "./signed_scale";
import { threadTicks, warmUpParts, warmUpShares } from "./warm_up";

const busy = ledgerOf({
  methods: ["A.a"],
  compilations: [
    { of: "A.a", level: 3, at: 5, takes: 10 }, { of: "A.a", level: 4, at: 12, takes: 5, thread: "C2" },
    { of: "A.a", level: 1, at: -1, takes: 3 },
  ],
}).ledger.jit;
const run = { unit_ns: 1e6, compilations: busy.compilations, warm_up: {
  end_ns: [10e6, 20e6, 30e6], interpreted: [10, 0, 0], c1: [0, 10, 0], c2: [0, 10, 20], unknown: [0, 0, 0],
  compile_ns: [0, 15e6, 0],
} };

test("a millisecond sampled in each millisecond is one busy thread", () => {
  const parts = warmUpParts(run, 100);
  assert.deepEqual(parts.map(({ busy }) => busy), [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 2, 0]]);
});

test("a compilation is spread over the time that it took", () => {
  const compilers = warmUpParts(run, 100).map((part) => part.compilers);
  assert.deepEqual(compilers, [0.5, 0.5 + 0.5, 0]);
});

test("neighbours are put together where there is no room, and no sample is lost", () => {
  const parts = warmUpParts(run, 2);
  assert.deepEqual(parts.map(({ beginNs, endNs }) => [beginNs, endNs]), [[0, 20e6], [20e6, 30e6]]);
  const samples = parts.reduce((sum, { busy, beginNs, endNs }) => sum + (endNs - beginNs) * busy.reduce((a, b) => a + b), 0);
  assert.equal(samples, 50e6);
});

test("shares of the kinds of code are of all samples; without samples there are none", () => {
  assert.deepEqual(warmUpShares(run), [0.2, 0.2, 0.6, 0]);
  assert.equal(warmUpShares({ warm_up: { ...run.warm_up, interpreted: [], c1: [], c2: [] } }), undefined);
});

test("losses lie as far to the left as gains of their size to the right, small ones apart from nothing", () => {
  const scale = new SignedScale(1e9, 1e4);
  assert.equal(scale.at(0), 0);
  assert.equal(scale.at(1e9), 1);
  assert.equal(scale.at(-1e6), -scale.at(1e6));
  assert.ok(scale.at(1e5) > 0.05 && scale.at(1e5) < scale.at(1e6));
  assert.equal(scale.at(-1e12), -1);
});

test("the axis has a few round numbers of threads", () => {
  assert.deepEqual(threadTicks(2), [0.5, 1, 1.5, 2]);
  assert.deepEqual(threadTicks(0.36), [0.1, 0.2, 0.3]);
  assert.deepEqual(threadTicks(33), [10, 20, 30]);
});

const { jit } = ledgerOf({
  methods: ["A.a"],
  compilations: [
    { of: "A.a", level: 3, at: 5, takes: 30 }, { of: "A.a", level: 3, at: 1, takes: 2 }, { of: "A.a", level: 3, at: -1, takes: 2 },
    { of: "A.a", level: 4, at: 3, takes: 90, thread: "C2" }, { of: "A.a", level: 3, at: 50, takes: 1 }, { of: "A.a", level: 3, at: 7, takes: 1 },
  ],
}).ledger;
const lanes = compileLanes(jit, (index) => String(index));

test("each compiler thread has its compilations by time, and earlier ones have no place", () => {
  assert.deepEqual(lanes.map(({ items }) => items), [[3], [1, 0, 5, 4]]);
});

test("what reaches into a stretch of time is found, also if it began long before", () => {
  const among = (from: number, to: number) => {
    const [first, end] = itemsBetween(jit, lanes[1]!, from * 1e6, to * 1e6);
    return lanes[1]!.items.slice(first, end);
  };
  assert.deepEqual(among(20, 40), [0, 5]);
  assert.deepEqual(among(0, 2), [1]);
  assert.deepEqual(among(60, 70), []);
});
