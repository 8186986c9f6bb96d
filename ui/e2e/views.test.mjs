// Every view of every page: it opens, is accessible, and has room.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { PHONE, settled, WIDE } from "./browser.mjs";
import { browsed, pageFor, pageOf, PAGES, VIEWS } from "./harness.mjs";
import { fullName, mostRecompiled, readPageData } from "./page_data.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const on = browsed();

async function assertAccessible(page) {
  await settled(page);
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  assert.ok(found.passes.length > 10, "axe has looked at something");
  assert.deepEqual(found.violations
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`), []);
}

async function assertNoSidewaysScrolling(page) {
  const [inside, width] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inside <= width, `${inside} pixels in a page of ${width}`);
}

describe("every view opens without an error or a request", () => {
  for (const view of VIEWS) {
    for (const name of PAGES) {
      test(`${view} of ${name}`, () => on(name, { view }, async (page) => {
        assert.equal(await page.locator("main").getAttribute("data-view"), view);
        assert.ok((await page.locator("main").innerText()).trim().length > 10);
      }));
    }
  }
});

describe("axe finds nothing", () => {
  for (const view of VIEWS) {
    for (const theme of ["light", "dark"]) {
      test(`in ${view}, ${theme}`, () => on(pageFor(view), { view, theme }, assertAccessible));
    }
  }
  test("in compared methods", () => on("compare", { view: "compare", cby: "methods", cshow: "all" }, assertAccessible));
  test("in changes that may be chance", () => on("compare", { view: "compare", cshow: "all" }, assertAccessible));
  test("in the sheet of keys", () => on("jit", {}, async (page) => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await assertAccessible(page);
  }));
  test("in what a view says that has nothing to show", () => on("edges", { view: "jit" }, assertAccessible));
  test("on a phone", () => on("jit", {}, assertAccessible, { viewport: PHONE }));
});

describe("no view scrolls sideways", () => {
  for (const view of VIEWS) {
    for (const viewport of [WIDE, PHONE]) {
      test(`${view} at ${viewport.width} pixels`, () =>
        on(pageFor(view), { view }, assertNoSidewaysScrolling, { viewport }));
    }
    test(`${view} with long names at ${PHONE.width} pixels`, () =>
      on("hostile", { view }, assertNoSidewaysScrolling, { viewport: PHONE }));
  }
});

// Tables within their width, headings and numbers within their columns. Code scrolls sideways.
async function assertNothingCut(page) {
  await settled(page);
  const cut = await page.evaluate(() => {
    const range = document.createRange();
    const widthIn = (element) => {
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    };
    const cells = [...document.querySelectorAll('[role="columnheader"], [role="gridcell"].num')]
      .filter((cell) => widthIn(cell) > cell.clientWidth + 1).map((cell) => cell.textContent);
    const tables = [...document.querySelectorAll('[role="grid"], .jit-scroll')]
      .filter((table) => table.scrollWidth > table.clientWidth && table.getAttribute("aria-label") !== "Source").map((table) => table.getAttribute("aria-label"));
    return [...cells, ...tables];
  });
  assert.deepEqual(cut, []);
}

describe(`no heading, number or table is cut at ${WIDE.width} pixels`, () => {
  for (const view of VIEWS) {
    test(`in ${view}`, () => on(pageFor(view), { view }, assertNothingCut));
  }
  test("in compared methods", () => on("compare", { view: "compare", cby: "methods", cshow: "all" }, assertNothingCut));
  for (const jtab of ["list", "tree", "time"]) {
    test(`in jit, ${jtab}, with a method's panel`, () => {
      const data = readPageData(pageOf("jit"));
      return on("jit", { view: "jit", jtab, method: fullName(data, mostRecompiled(data)) }, assertNothingCut);
    });
  }
});

test("of a comparison nothing vanishes on a phone, and both profiles are told", () => on("compare", { view: "compare", cshow: "all" }, async (page) => {
  const headings = () => page.getByRole("grid", { name: "Changes" }).getByRole("columnheader").allTextContents();
  const phone = (await headings()).map((text) => text.replace(/ [▾▴]$/, "")).sort();
  assert.ok(["Before", "After", "Factor", "Calls before", "Calls after", "95 % interval", "At"].every((title) => phone.includes(title)), phone.join(", "));
  assert.equal(await page.getByRole("list", { name: "The profiles" }).getByRole("listitem").count(), 2);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await settled(page);
  assert.deepEqual((await headings()).map((text) => text.replace(/ [▾▴]$/, "")).sort(), phone);
}, { viewport: PHONE }));
