import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData } from "../data/page_data";
import { profileFacts } from "./profile_facts";

const profile = (changes: object) => ({
  kind: "sampled", config: { mode: "cbs", "jvm.version": "17.0.1" }, duration_ns: 2e9, calls: 1e6,
  edges: { callee: [1, 2, 3] }, ...changes,
}) as unknown as ProfileData;

test("a profile says what it is of", () => {
  assert.deepEqual(Object.values(profileFacts(profile({}))),
    ["", "cbs", "JDK 17.0.1", "2.00 s", "about 1.00 M calls", "3 edges"]);
  const one = profileFacts(profile({ kind: "exact", calls: 1, edges: { callee: [1] } }));
  assert.deepEqual([one.calls, one.edges], ["1 call", "1 edge"]);
  assert.equal(profileFacts(profile({ config: { title: "build 7" } })).title, "build 7");
});

test("what is known in part only is a lower bound", () => {
  assert.equal(profileFacts(profile({ is_lower_bound: true })).calls, "at least 1.00 M calls");
});

test("exact numbers are not about so many, and edges that were found have none", () => {
  assert.equal(profileFacts(profile({ kind: "exact" })).calls, "1.00 M calls");
  const found = profileFacts(profile({ kind: "edges", calls: null, config: {} }));
  assert.deepEqual([found.kind, found.jdk, found.calls, found.edges], ["edges", "", "", "3 edges found"]);
});
