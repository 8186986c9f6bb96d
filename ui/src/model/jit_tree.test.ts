import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerOf } from "./jit_fixture";
import { jitTree, visibleRows } from "./jit_tree";

const { ledger, names } = ledgerOf({
  methods: ["p.A.a", "p.A.b", "p.B.c", "q.C.d", "q.C.none", "p.A.a"],
  compilations: [
    { of: "p.A.a", level: 3, at: 1, takes: 2 }, { of: "p.A.a", level: 4, at: 5, takes: 7 },
    { of: "p.A.b", level: 3, at: 8, takes: 1 }, { of: "p.B.c", level: 3, at: 9, takes: 20 }, { of: "q.C.d", level: 1, at: 30, takes: 4 },
  ],
  versions: [
    { of: "p.A.a", compilation: 0, from: 3, to: 12, time: 5 }, { of: "p.A.a", compilation: 1, from: 12, to: 99, time: 6 },
    { of: "p.A.b", compilation: 2, from: 9, to: 99 },
  ],
});
const roots = jitTree(ledger, names, () => true);
const shown = (open: string[], column = "compile", descending = true) =>
  visibleRows(roots, ({ id }) => open.includes(id), { column, descending }).map(({ label }) => label);

test("packages and classes have the sums of what is in them", () => {
  const p = roots.find(({ label }) => label === "p")!;
  assert.deepEqual([p.methods, p.compilations, p.compileNs, p.timeNs, p.isTimeKnown], [3, 4, 30e6, 11e6, false]);
  const a = p.children.find(({ label }) => label === "A")!;
  assert.deepEqual([a.methods, a.compileNs], [2, 10e6]);
});

test("methods that were never compiled are not there", () => {
  assert.deepEqual(roots.find(({ label }) => label === "q")!.children[0]!.children.map(({ label }) => label), ["d"]);
});

test("siblings are sorted among themselves, under their parents", () => {
  assert.deepEqual(shown([]), ["p", "q"]);
  assert.deepEqual(shown(["p:p", "c:p.A"]), ["p", "B", "A", "a", "b", "q"]);
  assert.deepEqual(shown(["p:p", "c:p.A"], "name", true), ["q", "p", "B", "A", "b", "a"]);
});

test("a class of which no method is wanted is left out", () => {
  assert.deepEqual(jitTree(ledger, names, (method) => names.name(method) === "d").map(({ label }) => label), ["q"]);
});
