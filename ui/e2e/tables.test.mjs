// Tables: their columns, their width, the keyboard, paper.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./browser.mjs";
import { browsed, eventually, pageOf, stateOf } from "./harness.mjs";
import { fullName, namedEdge, readPageData, shortName } from "./page_data.mjs";

const on = browsed();
const data = readPageData(pageOf("jit"));
const { callee } = namedEdge(data);
const methods = (page) => page.getByRole("grid", { name: "Methods" });

test("columns without room are named, and shown when asked for", () => on("jit", {}, async (page) => {
  const button = page.getByRole("button", { name: /more columns?: .*Callees.* of Methods/ });
  const heading = methods(page).getByRole("columnheader", { name: "Callees" });
  assert.equal(await heading.count(), 0);
  await button.click();
  await heading.waitFor();
  assert.equal((await stateOf(page)).cols, "all");
}));

test("a column is as wide as the longest number in it", () => on("jit", {}, async (page) => {
  const callers = page.getByRole("region", { name: "Callers" });
  await eventually(async () => assert.deepEqual(await callers.locator(".cell.num").evaluateAll((cells) =>
    cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)), []));
}));

test("a large screen's list has more columns", () => on("jit", {}, async (page) => {
  const count = () => methods(page).getByRole("columnheader").count();
  const before = await count();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await eventually(async () => assert.ok(await count() > before));
}));

test("the list becomes wider by dragging and by keys, and the address keeps its width", () => on("jit", {}, async (page) => {
  const width = async () => (await page.getByRole("region", { name: "Methods" }).boundingBox()).width;
  const line = page.getByRole("separator", { name: "Width of the methods" });
  const before = await width(), box = await line.boundingBox();
  await page.mouse.move(box.x + 3, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 83, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await eventually(async () => assert.ok(Math.abs(await width() - before - 80) < 4, `${await width()} after ${before}`));
  const kept = await width();
  await page.reload();
  await page.locator("main[data-view]").waitFor();
  await eventually(async () => assert.ok(Math.abs(await width() - kept) < 2));
  await line.focus();
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => assert.ok(await width() < kept));
  await line.dblclick();
  await eventually(async () => assert.equal(await width(), before));
}));

test("arrow down in the search goes to the first hit, wherever the list was", () => on("jit", {}, async (page) => {
  await methods(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("/");
  await page.keyboard.type(fullName(data, callee).split("(")[0]);
  await settled(page);
  await page.keyboard.press("ArrowDown");
  const active = () => page.evaluate(() => {
    const { activeElement } = document, id = activeElement.getAttribute("aria-activedescendant");
    const row = id && document.getElementById(id);
    return row && { grid: activeElement.getAttribute("aria-label"), index: row.getAttribute("aria-rowindex"), name: row.querySelector(".sr").textContent };
  });
  await eventually(async () => assert.deepEqual(await active(), { grid: "Methods", index: "2", name: shortName(data, callee) }));
  await page.keyboard.press("Enter");
  await eventually(async () => assert.equal((await stateOf(page)).method, fullName(data, callee)));
}));

test("a search begins at its best match, wherever the selected method is in its answer", () => on("jit", {}, async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("a");
  await settled(page);
  assert.equal(await methods(page).evaluate((grid) => grid.scrollTop), 0);
}));

test("on paper a table has all its rows", () => on("jit", { gq: "get" }, async (page) => {
  const rows = () => methods(page).locator(".row").count();
  const all = Number(await methods(page).getAttribute("aria-rowcount")) - 1;
  const before = await rows();
  assert.ok(before < all, "there are more rows than in sight");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await rows(), all);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await rows(), before);
  await page.emulateMedia({ media: "print" });
  await eventually(async () => assert.equal(await rows(), all));
  const cut = await methods(page).evaluate((grid) => grid.getBoundingClientRect().height < grid.scrollHeight - 2);
  assert.equal(cut, false, "rows run out of the table");
  await page.setViewportSize({ width: 720, height: 1000 }); // paper
  const [rowsEnd, panelEnd] = await page.evaluate(() => [".graph-methods .row:last-child", ".graph-methods"]
    .map((selector) => document.querySelector(selector).getBoundingClientRect().bottom));
  const pinned = await methods(page).locator(".row > :first-child").evaluateAll((cells) => cells.filter((cell) => getComputedStyle(cell).position === "sticky").length);
  assert.equal(pinned, 0, "nothing scrolls on paper");
  assert.ok(rowsEnd <= panelEnd + 1, `rows end at ${rowsEnd}, their part of the page at ${panelEnd}`);
}));

test("on paper nothing lies on the table of changes", () => on("compare", { view: "compare", cshow: "all" }, async (page) => {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await settled(page);
  await eventually(async () => {
    const [rowsEnd, wordsBegin, wordsEnd, graphBegin] = await page.evaluate(() => [
      document.querySelector(".compare-parts .row:last-child").getBoundingClientRect().bottom,
      document.querySelector(".compare-words").getBoundingClientRect().top,
      Math.max(...[...document.querySelectorAll(".compare-words > *")].map((part) => part.getBoundingClientRect().bottom)),
      document.querySelector(".compare-graph .canvas").getBoundingClientRect().top,
    ]);
    assert.ok(rowsEnd <= wordsBegin && wordsEnd <= graphBegin, `rows end at ${rowsEnd}, words are at ${wordsBegin} to ${wordsEnd}, the graph begins at ${graphBegin}`);
  });
}));

test("on paper a table has the columns that there is room for, and names the others", () => on("jit", { view: "jit", jverdict: "012" }, async (page) => {
  const table = page.getByRole("grid", { name: "Recompilations" });
  const headings = () => table.getByRole("columnheader").count();
  const before = await headings();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await eventually(async () => assert.ok(await headings() < before));
  const [end, room] = await table.evaluate((grid) => [Math.max(...[...grid.querySelectorAll("[role=columnheader]")].map((cell) => cell.getBoundingClientRect().right)), innerWidth]);
  assert.ok(end <= room, `columns end at ${end}, the paper at ${room}`);
  await page.getByText(/more columns?: .*Notes/).waitFor();
}));

test("a name without room is cut by an ellipsis, not by the end of its cell", () => on("jit", {}, async (page) => {
  const cut = await page.locator(".data-table .row .method-label").evaluateAll((labels) => labels.filter((label) =>
    [...label.children].some((part) => !part.classList.contains("sr") &&
      part.getBoundingClientRect().right > label.closest(".cell").getBoundingClientRect().right + 0.5)).map((label) => label.textContent));
  assert.deepEqual(cut, []);
}));
