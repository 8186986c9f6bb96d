import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSort, renderSort, sortedBy } from "./sorting";

test("rows of equal keys keep their order, whichever way they are sorted", () => {
  const rows = [["a", 1], ["b", 2], ["c", 1]] as const;
  const names = (descending: boolean) => sortedBy(rows, (row) => row[1], descending).map(([name]) => name);
  assert.deepEqual(names(false), ["a", "c", "b"]);
  assert.deepEqual(names(true), ["b", "a", "c"]);
});

test("what is not known comes last, whichever way it is sorted", () => {
  assert.deepEqual(sortedBy([NaN, 1, NaN, 2], (x) => x, true), [2, 1, NaN, NaN]);
  assert.deepEqual(sortedBy([NaN, 1, NaN, 2], (x) => x, false), [1, 2, NaN, NaN]);
});

test("an order survives the address", () => {
  for (const sort of [{ column: "calls", descending: true }, { column: "name", descending: false }]) {
    assert.deepEqual(parseSort(renderSort(sort)), sort);
  }
});

test("rows in order stay so, and what has no number comes last all the same", () => {
  assert.deepEqual(sortedBy([3, 3, 1], (n) => n, true), [3, 3, 1]);
  assert.deepEqual(sortedBy([NaN, 2], (n) => n, true), [2, NaN]);
  assert.deepEqual(sortedBy([NaN], (n) => n, false), [NaN]);
});
