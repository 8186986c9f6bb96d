import assert from "node:assert/strict";
import { test } from "node:test";
import { filterRecompilations, parseVerdicts, renderVerdicts } from "./jit_filter";
import { ledgerOf } from "./jit_fixture";
import { methodVerdict } from "./jit_verdicts";

// a is compiled twice, the second time in vain; b once, to no use; c once, nobody knows; d never.
const { ledger, names } = ledgerOf({
  methods: ["p.A.a", "p.A.b", "q.C.c", "q.C.d", "p.A.a"], loaders: ["app", "app", "app", "app", "other"],
  compilations: [
    { of: "p.A.a", level: 3, at: 10, takes: 1 }, { of: "p.A.a", level: 4, at: 30, takes: 9 },
    { of: "p.A.b", level: 3, at: -1, takes: 2 }, { of: "q.C.c", level: 4, at: 20, takes: 2 },
    { of: "q.C.c", level: 4, at: 20, takes: 2, osr: true, id: 4 },
  ],
  judged: [
    { compilation: 0, verdict: 0, gain: [50, 40, 60], before: [90, 80, 100], after: [9, 8, 10], calls: 500 },
    { compilation: 1, previous: 0, verdict: 1, gain: [-9, -11, -7] },
    { compilation: 2, verdict: 1, gain: [-2, -2, -1], madeNotEntrant: true },
    { compilation: 3, verdict: 2, gain: [1, -5, 20] },
  ],
  deoptimizations: [
    { at: 70, compilation: 1, of: "q.C.d", reason: "class_check", action: "reinterpret" },
    { at: 60, compilation: 3, of: "p.A.a", reason: "unstable_if", action: "none" },
    { at: 80, compilation: 4, of: "q.C.d", reason: "null_check", action: "none" },
  ],
});
const all = { verdicts: new Set([0, 1, 2] as const), to: undefined, isMadeNotEntrant: false, words: "" };
const found = (filter: Partial<typeof all> | { to: number }) =>
  filterRecompilations(ledger.rows, { ...all, ...filter }, (m) => names.lowerFull(m)).map(({ compilation }) => compilation);

test("a recompilation tells its levels, its cost and what is known of its gain", () => {
  const [first, second] = ledger.rows;
  assert.deepEqual([first!.from, first!.to, second!.from, second!.to], [0, 3, 3, 4]);
  assert.equal(second!.compileNs, 9e6);
  assert.deepEqual(first!.before, { value: 90, low: 80, high: 100 });
  assert.equal(second!.before, null);
});

test("compilations from before the recording took no time that is known", () => {
  assert.equal(ledger.compileNs(2), 0);
  assert.equal(ledger.compileNs(1), 9e6);
});

test("a method of two class loaders is found under one name", () => {
  assert.deepEqual(ledger.jitMethodsOf(0), [0, 4]);
  assert.equal(ledger.loader(4), "other");
});

test("deoptimisations are those in the method, and those in code made for it, by time", () => {
  assert.deepEqual(ledger.deoptimizationsOf(0), [1, 0]);
});

test("code to enter a loop is told from other code of the same compile id", () => {
  assert.deepEqual(ledger.deoptimizationsOf(2), [1, 2]);
});

test("filters are joined, and words are looked for in any order and case", () => {
  assert.deepEqual(found({}), [0, 1, 2, 3]);
  assert.deepEqual(found({ verdicts: parseVerdicts("d") as never }), [1, 2]);
  assert.deepEqual(found({ to: 4 }), [1, 3]);
  assert.deepEqual(found({ isMadeNotEntrant: true }), [2]);
  assert.deepEqual(found({ words: "B p.a" }), [2]);
  assert.deepEqual(found({ words: "B zzz" }), []);
});

test("verdicts of an address that names none are all of them", () => {
  assert.deepEqual([...parseVerdicts("x")], [0, 1, 2]);
  assert.equal(renderVerdicts(parseVerdicts("ud")), "du");
});

test("where a method's recompilations disagree, the sum of their gains decides", () => {
  assert.deepEqual(methodVerdict(ledger, 0), { outcome: "paid off", counts: [1, 1, 0], isMixed: true });
});

test("a method that was never compiled is not one whose compilations are undecided", () => {
  assert.equal(methodVerdict(ledger, 1).outcome, "did not");
  assert.equal(methodVerdict(ledger, 2).outcome, "undecided");
  assert.equal(methodVerdict(ledger, 3).outcome, "never");
});
