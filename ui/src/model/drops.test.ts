import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData } from "../data/page_data";
import { dropsOf } from "./drops";

const of = (drops: Record<string, number>) => dropsOf({ drops } as unknown as ProfileData);

test("what there was nothing to see of is no loss, and what is not known is one", () => {
  assert.deepEqual(of({ never_heard_of: 1, in_compiler: 50, ring_full: 3, walk_mismatch: 2 })
    .map(({ reason, kind }) => [reason, kind]), [
    ["in_compiler", "nothing to see"], ["ring_full", "lost"], ["walk_mismatch", "corrected"], ["never_heard_of", "lost"],
  ]);
});

test("a reason without words has its own name, and a method keeps why it was left", () => {
  assert.equal(of({ never_heard_of: 1 })[0]!.words, "never heard of");
  assert.equal(of({ "method left: code too large": 4 })[0]!.words,
    "methods that could not be observed: code too large");
});
