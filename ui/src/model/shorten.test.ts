import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten, shortenClass } from "./shorten";

test("a label that has room stays as it is", () => {
  assert.equal(shorten("HashMap.put", 11), "HashMap.put");
});

test("packages give way before the class, and the class and the method stay whole", () => {
  const name = "org.eclipse.jdt.internal.Parser.consumeToken";
  assert.equal(shorten(name, 30), "o.e.j.i.Parser.consumeToken");
  assert.equal(shorten(name, 20), "Parser.consumeToken");
  assert.equal(shortenClass("java.util.HashMap", 12), "j.u.HashMap");
  assert.equal(shortenClass("java.util.HashMap", 8), "HashMap");
  assert.equal(shortenClass("AbstractConfig", 9), "Abst…nfig");
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
