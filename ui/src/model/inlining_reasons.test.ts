import assert from "node:assert/strict";
import { test } from "node:test";
import type { JitData } from "../data/page_data";
import { describeReasons, InliningReasons } from "./inlining_reasons";

// Compiled methods 0 and 1 are one method (7) of two class loaders, 2 is method 9.
const rows = [ // compile_id, osr, caller, bci, callee, ok, reason
  [10, 0, 0, 4, 2, 1, 0], [10, 0, 0, 4, 2, 1, 0], [11, 0, 1, 4, 2, 1, 0], [11, 1, 1, 4, 2, 1, 0],
  [12, 0, 0, 4, 2, 0, 1], [12, 0, 0, 8, 2, 0, 1], [12, 0, 0, 4, 1, 0, 1],
];
const column = (at: number) => rows.map((row) => row[at]!);
const jit = {
  methods: { method: [7, 7, 9], loader: [0, 0, 0] },
  inlinings: {
    compile_id: column(0), osr: column(1), caller: column(2), bci: column(3), callee: column(4),
    ok: column(5), reason: column(6),
  },
} as unknown as JitData;
const reasons = new InliningReasons(jit, ["inline (hot)", "too big"]);

test("a decision counts once a compilation, and of all class loaders together", () => {
  assert.deepEqual(reasons.at(7, 4, 9), [
    { ok: true, reason: "inline (hot)", compilations: 3 },
    { ok: false, reason: "too big", compilations: 1 },
  ]);
});

test("a site has the decisions of its own bytecode index and callee only", () => {
  assert.equal(reasons.at(7, 8, 9).length, 1);
  assert.deepEqual(reasons.at(7, 5, 9), []);
  assert.deepEqual(reasons.at(9, 4, 7), []);
});

test("decisions are told in a sentence", () => {
  assert.equal(describeReasons(reasons.at(7, 4, 9)), "inlined (hot) in 3 compilations; too big in 1");
  assert.equal(describeReasons([{ ok: true, reason: "accessor", compilations: 1 }]),
    "inlined: accessor in 1 compilation");
  assert.equal(describeReasons([{ ok: true, reason: "inline", compilations: 2 }]),
    "inlined in 2 compilations");
});
