import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerOf } from "./jit_fixture";
import { eventSpan, versionsOf } from "./jit_versions";

// The paper's example, factor() of SciMark's LU (section VII): 6.826 ms a call, 15 calls; then 233
// calls; then 1799 at 0.783 ms. What a call took between is made up.
const story = ledgerOf({
  methods: ["LU.factor"],
  compilations: [{ of: "LU.factor", level: 3, at: 100, takes: 2 }, { of: "LU.factor", level: 4, at: 500, takes: 5 }],
  judged: [
    { compilation: 0, verdict: 0, before: [6.826e6, 6e6, 7.5e6], after: [1e6, 0.9e6, 1.1e6], calls: 233 },
    { compilation: 1, previous: 0, verdict: 0, before: [1.2e6, 1.1e6, 1.3e6], after: [0.783e6, 0.7e6, 0.8e6], calls: 1799 },
  ],
  versions: [
    { of: "LU.factor", compilation: -1, from: 0, to: 102, time: 102.39, calls: 15 },
    { of: "LU.factor", compilation: 0, from: 102, to: 505, time: 233, calls: 233 },
    { of: "LU.factor", compilation: 1, from: 505, to: 2000, time: 1400, calls: 1799 },
  ],
  deoptimizations: [{ at: 1500, compilation: 1, of: "LU.factor", reason: "r", action: "a" }],
  end: 2000,
});
const versions = versionsOf(story.ledger, 0);

test("what remained at a level is the calls of all later versions at its own speed", () => {
  assert.equal(versions[0]!.laterCalls, 233 + 1799);
  assert.ok(Math.abs(versions[0]!.remaining!.value - 13_870.4e6) < 0.1e6);
  assert.equal(versions[0]!.remaining!.low, 2032 * 6e6);
  assert.equal(versions[2]!.remaining, null);
});

test("a version is compared with the next by the work that both did", () => {
  assert.equal(versions[1]!.perCall!.value, 1e6);
  assert.equal(versions[0]!.beforeNext, versions[1]!.made!.before, "what the recompilation says of a call before");
  assert.equal(versions.at(-1)!.beforeNext, null);
  assert.equal(versions[1]!.executed!.high, 233 * 1.1e6);
  assert.equal(versions[1]!.remaining!.value, 1799 * 1.2e6);
});

test("levels and compile times are those of the code that was current", () => {
  assert.deepEqual(versions.map(({ level, compileNs }) => [level, compileNs]), [[0, 0], [3, 2e6], [4, 5e6]]);
});

test("where the calls of a later version are not known, it says that there were more", () => {
  const { ledger } = ledgerOf({
    methods: ["A.a"], compilations: [{ of: "A.a", level: 3, at: 1, takes: 1 }, { of: "A.a", level: 4, at: 5, takes: 1 }],
    versions: [
      { of: "A.a", compilation: -1, from: 0, to: 2, time: 2, calls: 4 },
      { of: "A.a", compilation: 0, from: 2, to: 6, time: 3, calls: 30 },
      { of: "A.a", compilation: 1, from: 6, to: 9 },
    ],
  });
  const [interpreted, , last] = versionsOf(ledger, 0);
  assert.deepEqual([interpreted!.laterCalls, interpreted!.isLaterKnown], [30, false]);
  assert.equal(interpreted!.remaining!.value, 15e6);
  assert.deepEqual([last!.executed, last!.perCall], [null, null]);
});

test("the span of events has room on both sides, and ends with the run", () => {
  const [begin, end] = eventSpan(story.ledger, 0);
  assert.ok(begin < 100e6 && begin >= 0);
  assert.ok(end > 1500e6 && end <= 2000e6);
});
