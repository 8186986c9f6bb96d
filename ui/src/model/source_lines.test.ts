import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceAround } from "./source_lines";

const sources = { "a/B.java": { 1: "one", 2: "two", 4: "four", 9: "nine" } };
const around = (line: number, reach: number) =>
  sourceAround(sources, "a/B.java", line, reach).map(({ line: at }) => at);

test("lines near a call site are those the page has", () => {
  assert.deepEqual(around(2, 2), [1, 2, 4]);
  assert.deepEqual(around(4, 0), [4]);
  assert.deepEqual(sourceAround(sources, "a/B.java", 4, 0), [{ line: 4, text: "four" }]);
});

test("without the line itself there is nothing to show", () => {
  assert.deepEqual(around(3, 5), []);
  assert.deepEqual(sourceAround(sources, "a/C.java", 2, 5), []);
  assert.deepEqual(sourceAround(sources, "constructor", 2, 5), []);
  assert.deepEqual(sourceAround(null, "a/B.java", 2, 5), []);
});
