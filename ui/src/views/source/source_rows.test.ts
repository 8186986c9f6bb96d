import assert from "node:assert/strict";
import { test } from "node:test";
import type { LineFacts } from "../../model/source_index";
import { hottestLine, nextLine, sourceRows, widest } from "./source_rows";

const facts = new Map([[2, 5], [9, 0], [4, 0]].map(([line, calls]) =>
  [line!, { line, calls, hasCalls: calls! > 0, below: line === 9 ? 1 : 0, sites: [], methods: [] } as unknown as LineFacts]));

test("rows are the file's lines, and those beyond its end of which something is known", () => {
  assert.deepEqual(sourceRows(["a", "b", "c"], facts).map(({ line, text, facts: one }) => [line, text, one?.calls]),
    [[1, "a", undefined], [2, "b", 5], [3, "c", undefined], [4, "", 0], [9, "", 0]]);
});

test("without the file rows are the lines of which something is known", () => {
  assert.deepEqual(sourceRows(undefined, facts).map(({ line }) => line), [2, 4, 9]);
});

test("the next line is one with calls or time", () => {
  assert.deepEqual([nextLine(facts, 0, 1), nextLine(facts, 2, 1), nextLine(facts, 9, 1), nextLine(facts, 9, -1), nextLine(facts, 2, -1)],
    [2, 9, undefined, 2, undefined]);
});

test("the hottest line has the most calls", () => {
  assert.equal(hottestLine(facts), 2);
  assert.equal(hottestLine(new Map()), 0);
});

test("a tab goes to the next stop", () => {
  assert.equal(widest(sourceRows(["\tab", "ab\tc", "abcd"], new Map()), 4), 6);
  assert.equal(widest([], 4), 0);
});
