// A part of the run, and some of its threads: all views show what is of them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { PHONE, settled, WIDE } from "./browser.mjs";
import { browsed, eventually, pageOf, stateOf } from "./harness.mjs";
import { readPageData } from "./page_data.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const on = browsed();
const { slices, calls, duration_ns: durationNs } = readPageData(pageOf("jit")).profiles.at(-1);
const bar = (page) => page.getByRole("region", { name: "Time and threads" });
const facts = (page) => page.locator(".top .facts").innerText();
// A part of the run in which calls were sampled, and of which calls are elsewhere.
const part = slices.calls.part[Math.floor(slices.calls.part.length / 2)];
const ofPart = { tfrom: String(part * slices.part_ns / 1e6), tto: String((part + 1) * slices.part_ns / 1e6) };

test("a part of the run is brushed, kept in the address, and left by a key", () => on("jit", {}, async (page) => {
  const before = await facts(page), chart = await page.locator(".time-chart svg").boundingBox();
  const at = (share) => [chart.x + share * chart.width, chart.y + 10];
  await page.mouse.move(...at(0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.45));
  await page.mouse.move(...at(0.6), { steps: 3 });
  await page.mouse.up();
  await eventually(async () => assert.notEqual(await facts(page), before));
  const { tfrom, tto } = await stateOf(page);
  assert.ok(Math.abs(Number(tfrom) * 1e6 / durationNs - 0.3) < 0.1 && Math.abs(Number(tto) * 1e6 / durationNs - 0.6) < 0.1, `${tfrom} to ${tto}`);
  const shown = await facts(page);
  await page.reload();
  await eventually(async () => assert.equal(await facts(page), shown));
  await page.keyboard.press("w");
  await eventually(async () => assert.equal(await facts(page), before));
  assert.equal((await stateOf(page)).tfrom, undefined);
}));

test("the calls of a method that was chosen are a strip over the run", () => on("jit", {}, async (page) => {
  const strip = page.locator(".time-chart rect.method");
  assert.equal(await strip.count(), 0);
  await page.getByRole("grid", { name: "Methods" }).getByRole("row").nth(2).click();
  await strip.first().waitFor();
  const name = (await page.locator(".time-labels .method").getAttribute("title")).replace(/^calls of (.*\.)?/, "");
  assert.ok((await page.locator(".graph-head h2").innerText()).endsWith(name.replace(/\(.*/, "")), name);
  assert.match(await strip.first().locator("title").textContent(), / (about [\d.]+( [kMG])?|less than 1) of /);
}));

test("a thread has the calls that a selection of it alone shows", () => on("jit", { tracks: "yes" }, async (page) => {
  const row = bar(page).getByRole("listitem").filter({ hasText: "calls" }).first();
  await eventually(async () => assert.match(await row.innerText(), /[\d.]+ ?[kMG]? calls, /));
  const [, calls] = /([\d.]+( [kMG])?) calls, /.exec(await row.innerText());
  await row.getByRole("button").click();
  await eventually(async () => assert.ok((await facts(page)).includes(`about ${calls} calls`), `${await facts(page)}: ${calls}`));
}));

test("the ends of the selection move by keys", () => on("jit", {}, async (page) => {
  const begin = page.getByRole("slider", { name: "Begin of the selection" });
  await begin.focus();
  await page.keyboard.press("ArrowRight");
  await eventually(async () => assert.equal((await stateOf(page)).tfrom, String(slices.part_ns / 1e6)));
  await page.getByRole("slider", { name: "End of the selection" }).focus();
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => assert.ok(Number((await stateOf(page)).tto) * 1e6 < durationNs));
  await page.keyboard.press("Home");
  await eventually(async () => assert.equal((await stateOf(page)).tto, String(2 * slices.part_ns / 1e6)));
}));

describe("every view shows the selection", () => {
  const cases = [
    ["graph", (page) => page.getByRole("grid", { name: "Methods" }).locator('.row [role="gridcell"].num').allInnerTexts()],
    ["contexts", (page) => page.locator(".contexts-facts").innerText()],
    ["source", (page) => page.getByRole("grid", { name: "Files" }).locator('[role="gridcell"].num').allInnerTexts()],
    ["sampling", (page) => page.getByRole("region", { name: "In words" }).innerText()],
    ["jit", async (page) => { await page.getByText("Of a part of the run").waitFor(); return page.locator(".jit-count").innerText(); }],
  ];
  for (const [view, told] of cases) {
    test(view, () => on("jit", { view, ...ofPart, ...(view === "jit" && { jv: "pdu" }) }, async (page) => {
      const shown = JSON.stringify(await told(page));
      await page.keyboard.press("w");
      await eventually(async () => {
        assert.equal((await stateOf(page)).tfrom, undefined);
        if (view === "jit") assert.notEqual(await page.locator(".jit-count").innerText(), JSON.parse(shown));
        else assert.notEqual(JSON.stringify(await told(page)), shown);
      });
    }));
  }
});

test("one thread is shown alone, and what that does not tell is said", () => on("jit", {}, async (page) => {
  await page.keyboard.press("t");
  assert.equal(await bar(page).getByRole("checkbox").count(), slices.groups.length);
  await bar(page).getByText(/^C[12] CompilerThread0$/).first().waitFor();
  await bar(page).getByRole("button", { name: /^only/ }).first().click();
  await eventually(async () => assert.match((await stateOf(page)).tthr ?? "", /^\d+$/));
  await bar(page).getByRole("button", { name: /^1 of / }).waitFor();
  assert.equal(await bar(page).getByRole("checkbox", { checked: true }).count(), 1);
  await page.getByRole("button", { name: "Whole run" }).click();
  await eventually(async () => assert.equal((await stateOf(page)).tthr, undefined));
}));

test("a selection says which calls are in none", () => on("jit", ofPart, async (page) => {
  const notes = page.locator(".time-notes"); // open where they matter most
  if (!await notes.evaluate(({ open }) => open)) await page.getByText(/this selection does not tell/).click();
  await page.getByText(/not seen in the selection: each may have up to/).waitFor();
  const all = Number(calls);
  assert.ok(all > 0);
}));

test("a profile without times has no such bar", () => on("edges", {}, async (page) => {
  assert.equal(await bar(page).count(), 0);
}));

for (const viewport of [WIDE, PHONE]) {
  test(`threads over time are accessible and have room at ${viewport.width} pixels`, () => on("jit", { tracks: "yes", ...ofPart }, async (page) => {
    await settled(page);
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run());
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`), []);
    const [inside, width] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(inside <= width, `${inside} pixels in a page of ${width}`);
  }, { viewport }));
}

test("the chart stays where it is when a part of the run is selected", () => on("jit", {}, async (page) => {
  const place = () => page.locator(".time-chart").evaluate((chart) => { const { left, width } = chart.getBoundingClientRect(); return [left, width]; });
  const before = await place();
  await page.evaluate((hash) => { location.hash = hash; }, new URLSearchParams(ofPart).toString());
  await page.getByText(/this selection does not tell/).waitFor();
  assert.deepEqual(await place(), before);
}));

test("the threads' rows have an axis of their own", () => on("jit", { tracks: "yes" }, async (page) => {
  const [axis, bars] = await page.locator(".time-threads").evaluate((list) => [list.querySelector(".time-axis-ticks"), list.querySelector("li svg")].map((part) => {
    const { left, right } = part.getBoundingClientRect();
    return [Math.round(left), Math.round(right)];
  }));
  assert.deepEqual(axis, bars);
}));
