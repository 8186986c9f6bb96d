import assert from "node:assert/strict";
import { test } from "node:test";
import { hasAll, wordsOf } from "./words";

test("words may come in any order, between any spaces, in capitals", () => {
  const words = wordsOf("  Put\tHASH ");
  assert.deepEqual(words, ["put", "hash"]);
  assert.ok(hasAll("java.util.hashmap.put", words));
  assert.ok(!hasAll("java.util.hashmap.get", words));
});

test("nothing typed leaves nothing out", () => {
  assert.ok(hasAll("anything", wordsOf("   ")));
});
