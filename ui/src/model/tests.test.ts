import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData, TestData } from "../data/page_data";
import { testsOf } from "./tests";

const tests = { name: ["a", "b"], reached: [[3, 5], [5]] } as unknown as TestData;
const of = (data: TestData | null, method: number) => testsOf({ tests: data } as ProfileData, method);

test("a method has the tests that reach it", () => {
  assert.deepEqual([3, 5, 4].map((method) => of(tests, method)), [[0], [0, 1], []]);
});

test("without tests, and of too many, nothing is known", () => {
  assert.equal(of(null, 3), undefined);
  assert.equal(of({ ...tests, reached: null }, 3), undefined);
});
