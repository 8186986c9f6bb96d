import assert from "node:assert/strict";
import { test } from "node:test";
import { whatIfOf } from "./jit_what_if";

const columns = (low: number, value: number, high: number) => ({ low: [0, low], value: [0, value], high: [0, high] });
const what_if = {
  method: [9, 4], time_ns: [1, 20], compile_ns: [1, 8],
  never: columns(-50, -30, -10), level_1: columns(2, 5, 9), at_once: columns(-1, 3, 7),
};

test("a way saves, costs more, or nobody knows", () => {
  assert.deepEqual(whatIfOf({ what_if }, 4)!.ways.map(({ way, verdict }) => [way, verdict]),
    [["never", 1], ["level_1", 0], ["at_once", 2]]);
});

test("what was not estimated is told apart from nothing saved", () => {
  assert.equal(whatIfOf({ what_if }, 5), undefined);
  assert.equal(whatIfOf({ what_if: null }, 4), undefined);
});
