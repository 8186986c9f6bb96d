import assert from "node:assert/strict";
import { test } from "node:test";
import { descending } from "./by_calls";

const order = (numbers: number[], indices = numbers.map((_, i) => i)) =>
  [...descending(Uint32Array.from(indices), Float64Array.from(numbers))];

test("the largest come first, and equal ones keep their order", () => {
  assert.deepEqual(order([3, 1, 3, 0, 2 ** 40, 0.5, 1e300, 3]), [6, 4, 0, 2, 7, 1, 5, 3]);
});

test("only those that are asked for", () => {
  assert.deepEqual(order([5, 9, 7, 9], [3, 0, 1]), [3, 1, 0]);
});

test("as a sort by comparisons has it, and what is given stays", () => {
  const numbers = Array.from({ length: 5000 }, (_, i) => (i * 7919 % 613) * (i % 3 === 0 ? 1e9 : 0.25));
  const indices = Uint32Array.from(numbers, (_, i) => i), before = indices.slice();
  const sorted = [...indices].sort((a, b) => numbers[b]! - numbers[a]! || a - b);
  assert.deepEqual([...descending(indices, Float64Array.from(numbers))], sorted);
  assert.deepEqual(indices, before);
});

test("none, one, and all the same", () => {
  assert.deepEqual([order([]), order([4]), order([2, 2, 2])], [[], [0], [0, 1, 2]]);
});
