import assert from "node:assert/strict";
import { test } from "node:test";
import type { UnexecutedData } from "../data/page_data";
import { unexecutedIn } from "./unexecuted";

const data: UnexecutedData = { caller: [3, 5, 3], bci: [1, 2, 9], line: [10, 20, 0], callee: [7, 8, 7], left_out: 0 };
const of = (unexecuted: UnexecutedData | null, method: number) => unexecutedIn({ unexecuted }, method);

test("a method has its unexecuted calls in their order", () => {
  assert.deepEqual(of(data, 3), [{ bci: 1, line: 10, callee: 7 }, { bci: 9, line: 0, callee: 7 }]);
  assert.deepEqual(of(data, 4), []);
});

test("what the page leaves out, or the profile does not list, is not known", () => {
  assert.equal(of(null, 3), undefined);
  assert.equal(of({ ...data, left_out: 1 }, 4), undefined);
  assert.equal(of({ ...data, left_out: 1 }, 5)?.length, 1);
});
