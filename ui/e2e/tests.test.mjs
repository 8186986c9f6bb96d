// A suite that was recorded with its tests: methods say which tests reach them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { PHONE, WIDE } from "./browser.mjs";
import { browsed, eventually, pageOf } from "./harness.mjs";
import { fullName, pageWithData, readPageData } from "./page_data.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const on = browsed();
const data = readPageData(pageOf("edges"));
const { edges } = data.profiles.at(-1);
const called = edges.callee[0], uncalled = edges.callee.find((method) => method !== called);
const NAMES = ["shop.CartTest.adds()", "shop.CartTest.<b>refuses</b>()", "shop.CartTest.last()"];
const tests = {
  name: NAMES, duration_ns: [1e6, 2e6, 3e6], methods: [1, 1, 0], methods_only: [0, 0, 0], edges: [1, 1, 0], edges_only: [0, 0, 0],
  reached: [[called], [called], []],
};
const unexecuted = { caller: [called, called], bci: [900, 901], line: [0, 0], callee: [data.strings.length, data.strings.length], left_out: 0 };
writeFileSync(pageOf("suite"), pageWithData(pageOf("edges"),
  { ...data, strings: [...data.strings, "shop.<b>Cart</b>.refuse([I)V"], profiles: [...data.profiles.slice(0, -1), { ...data.profiles.at(-1), tests, unexecuted }] }));
const details = (page) => page.getByRole("region", { name: "Selected method" });

test("a method names the tests that reach it", () => on("suite", { method: fullName(data, called) }, async (page) => {
  await details(page).getByText("2 tests of 3 (66.7 %) reach it").click();
  await eventually(async () => assert.match(await details(page).locator("li").nth(1).innerText(), /<b>refuses<\/b>/));
}));

test("one that no test reaches says so", () => on("suite", { method: fullName(data, uncalled) }, async (page) => {
  await details(page).getByText("No test of 3 reaches it.").waitFor();
}));

test("a method names the calls that were never executed", () => on("suite", { method: fullName(data, called) }, async (page) => {
  await details(page).getByText("2 calls in it were never executed").click();
  await eventually(async () => assert.match(await details(page).getByRole("listitem").filter({ hasText: "refuse" }).first().innerText(), /<b>Cart<\/b>\.refuse\(int\[\]\) bytecode 900/));
}));

test("methods are sorted by their tests", () => on("suite", { method: fullName(data, called) }, async (page) => {
  await page.getByRole("columnheader", { name: "Tests" }).getByRole("button").click();
  const first = page.getByRole("grid", { name: "Methods" }).locator('[aria-rowindex="2"]');
  await eventually(async () => assert.equal(await first.getByRole("gridcell").nth(1).innerText(), "2"));
}));

test("without tests there is no word of them", () => on("edges", {}, async (page) => {
  assert.equal(await page.locator(".graph-tests").count(), 0);
  assert.equal(await page.getByRole("columnheader", { name: "Tests" }).count(), 0);
}));

for (const viewport of [WIDE, PHONE]) {
  test(`they are accessible at ${viewport.width} pixels`, () => on("suite", { method: fullName(data, called) }, async (page) => {
    for (const summary of await page.locator(".graph-head summary").all()) await summary.click();
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run());
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`), []);
  }, { viewport }));
}
