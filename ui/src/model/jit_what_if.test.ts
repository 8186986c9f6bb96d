import assert from "node:assert/strict";
import { test } from "node:test";
import { whatIfOf } from "./jit_what_if";

const columns = (name: string, low: number, value: number, high: number) =>
  ({ name, phrase: `had it been ${name}`, low: [0, low], value: [0, value], high: [0, high] });
const what_if = {
  method: [9, 4], time_ns: [1, 20], compile_ns: [1, 8],
  strategies: [columns("never", -50, -30, -10), columns("level-1", 2, 5, 9), columns("at-once", -1, 3, 7)],
};

test("a strategy saves, costs more, or nobody knows", () => {
  assert.deepEqual(whatIfOf({ what_if }, 4)!.strategies.map(({ name, saved, verdict }) => [name, saved.value, verdict]),
    [["never", -30, 1], ["level-1", 5, 0], ["at-once", 3, 2]]);
});

test("what was not estimated is told apart from nothing saved", () => {
  assert.equal(whatIfOf({ what_if }, 5), undefined);
  assert.equal(whatIfOf({ what_if: null }, 4), undefined);
});
