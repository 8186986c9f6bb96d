import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOpen, renderOpen, type OpenNodes } from "./jit_tree_open";

const open = (base: OpenNodes["base"], ...ids: string[]): OpenNodes => ({ base, toggled: new Set(ids) });

test("packages stand in the address by name, their classes behind them", () => {
  const nodes = open("default", "p:java.util", "c:java.util.List", "c:java.lang.String", "c:java.util.HashMap$Node");
  assert.equal(renderOpen(nodes), "-java.lang .String java.util .HashMap$Node .List");
  assert.deepEqual(new Set(parseOpen(renderOpen(nodes)).toggled), new Set(nodes.toggled));
});

test("all and none are one sign, and nodes can be exceptions of them", () => {
  assert.equal(renderOpen(open("all")), "*");
  assert.equal(renderOpen(open("none", "p:a")), "- a");
  assert.deepEqual(parseOpen("* a .B"), open("all", "p:a", "c:a.B"));
  assert.deepEqual(parseOpen(""), open("default"));
});

test("nodes survive, whatever their names are", () => {
  for (const ids of [["p:", "c:Main"], ["c:Main"], ["p:-a b", "c:-a b.*%", "c:-a b.-"], ["p:*"], ["p:\u202e<b>", "c:\u202e<b>.%41"]]) {
    assert.deepEqual(new Set(parseOpen(renderOpen(open("default", ...ids))).toggled), new Set(ids));
  }
});

test("what does not read is ignored", () => {
  assert.deepEqual(parseOpen("a .%zz .B  "), open("default", "p:a", "c:a.B"));
});
