import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerOf } from "./jit_fixture";
import { tellsCompilations } from "./jit_lacks";

test("a recording without compilations tells that there were none, unless it says that it does not", () => {
  const none = ledgerOf({ methods: [], compilations: [] }).ledger.jit;
  assert.equal(tellsCompilations(none), true);
  assert.equal(tellsCompilations({ ...none, lacks: ["code that was made not entrant: off"] }), true);
  assert.equal(tellsCompilations({ ...none, lacks: ["compilations: jdk.Compilation was off"] }), false);
  assert.equal(tellsCompilations({ ...none, lacks: ["what the compilers did (none: it is off)"] }), false);
  assert.equal(tellsCompilations({ ...none, lacks: ["compilations shorter than 10 us: record"] }), true);
});
