import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten } from "./shorten";

test("a label that has room stays as it is", () => {
  assert.equal(shorten("HashMap.put", 11), "HashMap.put");
});

test("the class gives way before the method", () => {
  const text = shorten("AbstractAnnotationConfigBuilder.put", 20);
  assert.ok(text.endsWith(".put") && text.startsWith("Abstract") && text.includes("…"), text);
  assert.equal(text.length, 20);
});

test("of a long method both ends stay", () => {
  const text = shorten("Shape.recomputeAllTheBoundsOfEverythingInSight", 24);
  assert.equal(text.length, 24);
  assert.ok(text.startsWith("Sha") && text.endsWith("Sight"), text);
});

test("no label is longer than the limit", () => {
  for (const label of ["a".repeat(50), `${"a".repeat(30)}.${"b".repeat(30)}`, "x." + "b".repeat(40)]) {
    for (let limit = 3; limit < 40; limit++) assert.ok(shorten(label, limit).length <= limit, label);
  }
});
