// Source files: opened from rows and frames, with what is known of their lines.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PHONE, settled } from "./browser.mjs";
import { browsed, eventually, pageOf, stateOf } from "./harness.mjs";
import { fullName, readPageData, shortName, sourcePath } from "./page_data.mjs";

const on = browsed();
const data = readPageData(pageOf("sources"));
const { edges } = data.profiles.at(-1);

// The most called edge whose caller has a line there and a name of its own, and whose callee has another file.
const chosen = edges.calls.map((_, edge) => edge).sort((a, b) => edges.calls[b] - edges.calls[a]).find((edge) => {
  const caller = edges.caller[edge], callee = edges.callee[edge];
  return caller >= 0 && edges.line[edge] > 1 && sourcePath(data, caller) && sourcePath(data, callee) && sourcePath(data, caller) !== sourcePath(data, callee);
});
const caller = edges.caller[chosen], callee = edges.callee[chosen], line = edges.line[chosen], path = sourcePath(data, caller);

const code = (page) => page.getByRole("grid", { name: "Source" });
const selected = (page) => code(page).locator('[aria-selected="true"]');

// The chosen line is in sight, with its text.
const shows = (page, wanted) => eventually(async () => {
  const [number, text] = await selected(page).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect(), grid = row.closest('[role="grid"]').getBoundingClientRect();
    return top >= grid.top && bottom <= grid.bottom ? [row.firstElementChild.textContent, row.querySelector("code").textContent] : [];
  });
  assert.deepEqual([number, text], [String(wanted), `// ${wanted}`]);
});

test("a click on a call site's line shows the whole file at it, and back leads back", () =>
  on("sources", { method: fullName(data, caller) }, async (page) => {
    await page.getByRole("region", { name: "Callees" }).getByRole("button", { name: String(line), exact: true }).first().click();
    await page.locator('main[data-view="source"]').waitFor();
    await shows(page, line);
    assert.equal(await code(page).getAttribute("aria-rowcount"), String(5000 + 1));
    const state = await stateOf(page);
    assert.deepEqual([state.src, state.srcline, state.method], [path, String(line), fullName(data, caller)]);
    await page.goBack();
    await page.locator('main[data-view="graph"]').waitFor();
  }));

test("a line tells its calls, and leads to the code of what it calls", () =>
  on("sources", { view: "source", src: path, srcline: String(line) }, async (page) => {
    await shows(page, line);
    assert.notEqual(await selected(page).locator('[role="gridcell"]').nth(1).innerText(), "");
    const details = page.getByRole("region", { name: "Selected line" });
    await details.getByText(/ calls, .* % of all/).first().waitFor();
    const own = data.strings[data.methods.class[callee]] + "." + data.strings[data.methods.name[callee]];
    await details.getByRole("button", { name: own, exact: true }).first().click();
    await eventually(async () => assert.equal((await stateOf(page)).src, sourcePath(data, callee)));
    await details.getByText("Begins here").waitFor();
  }));

describe("the key S shows the selected method's code", () => {
  for (const view of ["graph", "contexts", "jit"]) {
    test(`from ${view}`, () => on("sources", { view, method: fullName(data, callee) }, async (page) => {
      await page.keyboard.press("S");
      await page.locator('main[data-view="source"]').waitFor();
      await eventually(async () => assert.equal((await stateOf(page)).src, sourcePath(data, callee)));
      if (data.methods.line[callee] > 0) await shows(page, data.methods.line[callee]);
    }));
  }
});

test("the selected method's file is shown, and the code follows its keys", () =>
  on("sources", { view: "source", method: fullName(data, caller) }, async (page) => {
    await page.getByRole("heading", { name: path }).waitFor();
    const lines = [...new Set(edges.line.filter((at, edge) => at > data.methods.line[caller] && edges.caller[edge] >= 0 && sourcePath(data, edges.caller[edge]) === path))];
    await page.keyboard.press("n");
    await shows(page, Math.min(...lines));
    await page.keyboard.press("g");
    await page.locator('main[data-view="graph"]').waitFor();
  }));

test("files are found by their names, and the first is taken by Enter", () => on("sources", { view: "source" }, async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type(path.replaceAll("/", ".").toLowerCase());
  await page.keyboard.press("Enter");
  await eventually(async () => assert.equal((await stateOf(page)).src, path));
  await page.getByRole("grid", { name: "Methods of the file" }).getByText(shortName(data, caller), { exact: true }).first().waitFor();
}));

test("without sources the lines of which something is known are listed, and how to get the code is said", () =>
  on("jit", { view: "source", src: path, srcline: String(line) }, async (page) => {
    await page.getByText("--sources", { exact: false }).first().waitFor();
    await eventually(async () => assert.equal(await selected(page).locator('[role="gridcell"]').first().innerText(), String(line)));
    assert.ok(Number(await code(page).getAttribute("aria-rowcount")) < 5000);
  }));

test("a file that there is not is said not to be", () => on("sources", { view: "source", src: "<b>/No.java" }, async (page) => {
  await page.getByText("<b>/No.java was not found").waitFor();
}));

test("on a phone the code is in the page's width, and can be read", () =>
  on("sources", { view: "source", src: path, srcline: String(line) }, async (page) => {
    await settled(page);
    await shows(page, line);
    const { x, width } = await code(page).boundingBox();
    assert.ok(x >= 0 && x + width <= PHONE.width);
  }, { viewport: PHONE }));
