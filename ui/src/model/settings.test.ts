import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsOf } from "./settings";

const means = (key: string, value: string) => settingsOf({ [key]: value })[0]!.means;

test("settings that decide what is seen come first, the others by name", () => {
  assert.deepEqual(settingsOf({ walk: "x", scope: "all", armed_call_ps: "1", mode: "cbs" }).map(({ key }) => key),
    ["mode", "scope", "armed_call_ps", "walk"]);
});

test("a setting is told in words, and one that is not known keeps its value alone", () => {
  assert.match(means("budget_ppm", "5000"), /^0\.5 % of/);
  assert.equal(means("budget_ppm", "0"), "no limit");
  assert.equal(means("cost.drain_cpu_ns", "69123866"), "69.1 ms");
  assert.equal(means("start_time_ns", "1795555584337524576"), "2026-11-24 21:26:24 UTC");
  assert.equal(means("start_time_ns", "soon"), "");
  assert.deepEqual(settingsOf({ mode: "of the future" }), [{ key: "mode", value: "of the future", means: "" }]);
});

test("a key that every object has is no setting that is known", () => {
  assert.equal(means("constructor", "x"), "");
});
