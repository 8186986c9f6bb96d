// Names of methods are whatever a class file has: they are shown as text, and nothing in them runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./browser.mjs";
import { browsed, eventually, pageOf, stateOf, VIEWS } from "./harness.mjs";
import { fullName, readPageData } from "./page_data.mjs";

const on = browsed();
const data = readPageData(pageOf("hostile"));
const names = data.methods.name.map((_, method) => fullName(data, method));

// Elements that only a name could have brought, and traces of what it would have run.
async function assertHarmless(page) {
  await settled(page);
  assert.equal(await page.locator("main img, main iframe, main script, body > script[src]").count(), 0);
  assert.equal(await page.evaluate(() => document.scripts.length), 2, "the data and the page's own");
}

for (const part of ["<img src=x onerror=", "</script><script>", "\u202e", "LLLLLLLLLLLLLLLLLLLL"]) {
  test(`a name with ${JSON.stringify(part)} is found, selected and shown in every view`, () =>
    on("hostile", {}, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.insertText(part);
      const methods = page.getByRole("grid", { name: "Methods" });
      const found = names.filter((name) => name.includes(part)).length;
      await eventually(async () => assert.equal(Number(await methods.getAttribute("aria-rowcount")), 1 + found));
      await methods.getByRole("row").nth(1).click();
      await eventually(async () => {
        const full = (await stateOf(page)).method;
        assert.ok(names.includes(full) && full.includes(part), full?.slice(0, 100));
        const title = await page.getByRole("region", { name: "Selected method" })
          .getByRole("heading", { level: 2 }).textContent();
        assert.ok(full.startsWith(title) && title.includes(part), title.slice(0, 100));
      });
      await assertHarmless(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      for (const [i, view] of VIEWS.entries()) {
        await page.keyboard.press(String(i + 1));
        await page.locator(`main[data-view="${view}"]`).waitFor();
        await assertHarmless(page);
      }
    }));
}

test("an address cannot bring markup into the page", () =>
  on("hostile", { method: "<img src=x onerror=alert(9)>", gq: '"><svg onload=alert(8)>', theme: '"><b>' }, async (page) => {
    await assertHarmless(page);
    assert.equal(await page.locator("main b").count(), 0);
    assert.match(await page.locator("main").innerText(), /<img src=x onerror=alert\(9\)>/);
  }));

test("a page of no calls says so", () => on("empty", {}, async (page) => {
  assert.match(await page.locator("main").innerText(), /No call/);
}));
