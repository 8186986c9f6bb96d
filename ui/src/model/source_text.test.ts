import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceAround, sourceLine, sourceLines, whyNoSource } from "./source_text";

const sources = { files: { "a/B.java": "one\ntwo\n\nfour\n", "a/Empty.java": "" }, left_out: { "a/C.java": "there was no room for it" } };

test("a file has its lines, and no line after its last end", () => {
  assert.deepEqual(sourceLines(sources, "a/B.java"), ["one", "two", "", "four"]);
  assert.deepEqual(sourceLines(sources, "a/Empty.java"), []);
  assert.equal(sourceLine(sources, "a/B.java", 4), "four");
  assert.equal(sourceLine(sources, "a/B.java", 5), "");
  assert.equal(sourceLine(null, "a/B.java", 1), "");
});

test("lines around one are those that there are", () => {
  assert.deepEqual(sourceAround(sources, "a/B.java", 1, 1), [{ line: 1, text: "one" }, { line: 2, text: "two" }]);
  assert.deepEqual(sourceAround(sources, "a/B.java", 4, 2).map(({ line }) => line), [2, 3, 4]);
  assert.deepEqual(sourceAround(sources, "a/B.java", 3, 0), [{ line: 3, text: "" }]);
});

test("without the line itself there is nothing around it", () => {
  for (const [path, line] of [["a/B.java", 5], ["a/B.java", 0], ["a/C.java", 1], ["constructor", 1]] as const) {
    assert.deepEqual(sourceAround(sources, path, line, 5), []);
  }
  assert.deepEqual(sourceAround(null, "a/B.java", 2, 5), []);
});

test("why a file is not there is said", () => {
  assert.equal(whyNoSource(sources, "a/B.java"), "");
  assert.match(whyNoSource(sources, "a/C.java"), /a\/C.java is not in this page: there was no room/);
  assert.match(whyNoSource(sources, "a/D.java"), /was not found/);
  assert.match(whyNoSource(sources, "constructor"), /was not found/);
  assert.match(whyNoSource(sources, ""), /does not say/);
  assert.match(whyNoSource(null, "a/B.java"), /--sources/);
});
