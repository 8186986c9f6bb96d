import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerOf } from "./jit_fixture";
import { decisionsByKind, inlineSites } from "./jit_inlining";

const { ledger } = ledgerOf({
  methods: ["A.a", "A.b", "A.c"],
  compilations: [
    { of: "A.a", level: 3, at: 1, takes: 1 }, { of: "A.a", level: 4, at: 5, takes: 1 },
    { of: "A.b", level: 4, at: 8, takes: 1 },
  ],
  inlinings: [
    { compilation: 0, caller: "A.b", bci: 2, callee: "A.c", ok: true, reason: "inline" },
    { compilation: 0, caller: "A.a", bci: 9, callee: "A.c", ok: false, reason: "too big" },
    { compilation: 0, caller: "A.a", bci: 4, callee: "A.b", ok: true, reason: "inline" },
    { compilation: 1, caller: "A.a", bci: 4, callee: "A.b", ok: true, reason: "inline (hot)" },
    { compilation: 1, caller: "A.a", bci: 9, callee: "A.c", ok: true, reason: "inline (hot)" },
    { compilation: 1, caller: "A.b", bci: 2, callee: "A.c", ok: true, reason: "inline (hot)" },
    { compilation: 1, caller: "A.b", bci: 2, callee: "A.c", ok: true, reason: "inline (hot)" },
    { compilation: 2, caller: "A.b", bci: 2, callee: "A.c", ok: false, reason: "never executed" },
  ],
});
const sites = inlineSites(ledger, 0);

test("a method's own call sites come first, by their place in it", () => {
  assert.deepEqual(sites.map(({ caller, bci, isOwn }) => [caller, bci, isOwn]), [[0, 4, true], [0, 9, true], [1, 2, false]]);
});

test("decisions of all compilations of the method stand at their site, and no others", () => {
  assert.deepEqual(sites[2]!.decisions.map(({ compilation, reason, times }) => [compilation, reason, times]),
    [[0, "inline", 1], [1, "inline (hot)", 2]]);
});

test("decisions of one kind are put together, whichever compilations they are of", () => {
  const decision = (compilation: number, ok: boolean, reason: string) => ({ compilation, ok, reason, times: 1 });
  const kinds = decisionsByKind([decision(0, true, "hot"), decision(1, false, "hot"), decision(2, true, "hot")]);
  assert.deepEqual(kinds.map((kind) => kind.map(({ compilation }) => compilation)), [[0, 2], [1]]);
});

test("where compilations differ, the site says so", () => {
  assert.deepEqual(sites.map(({ agree }) => agree), [true, false, true]);
});
