// YP_PAGES=FOLDER node --test e2e/: pages of real profiles, tried as a person would. The folder has
// jit.html (yp run --jit), compare.html (of two), edges.html (--mode edges), hostile.html (of
// hostile names) and empty.html (of nothing); cli/integration/page_test.py makes them.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { addressOf, launch, open, PHONE, WIDE } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["graph", "contexts", "jit", "sampling", "compare"];
const folder = process.env.YP_PAGES;
if (!folder) throw new Error("YP_PAGES names the folder of the pages");
const pageOf = (name) => path.join(folder, `${name}.html`);

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

// Opens a page, does something, and fails for whatever went wrong meanwhile.
async function on(name, state, action, options = {}) {
  const context = await browser.newContext({ viewport: WIDE, acceptDownloads: true, ...options });
  try {
    const { page, problems } = await open(context, addressOf(pageOf(name), state));
    await action(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

const settled = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150)));
}));

describe("every view", () => {
  for (const view of VIEWS) {
    for (const name of ["jit", "compare", "edges", "empty", "hostile"]) {
      test(`${view} of ${name} opens without an error or a request`, () =>
        on(name, { view }, async (page) => {
          await settled(page);
          assert.equal(await page.locator("main").getAttribute("data-view"), view);
          assert.ok((await page.locator("main").innerText()).trim().length > 10);
        }));
    }
  }
});

describe("accessibility", () => {
  for (const view of VIEWS) {
    for (const theme of ["light", "dark"]) {
      test(`axe finds nothing serious in ${view}, ${theme}`, () =>
        on(view === "compare" ? "compare" : "jit", { view, theme }, async (page) => {
          await settled(page);
          await page.evaluate(axe);
          const found = await page.evaluate(() => window.axe.run());
          const serious = found.violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`);
          assert.deepEqual(serious, []);
        }));
    }
  }
});

describe("small and wide screens", () => {
  for (const view of VIEWS) {
    for (const viewport of [WIDE, PHONE]) {
      test(`${view} needs no sideways scrolling at ${viewport.width} pixels`, () =>
        on(view === "compare" ? "compare" : "jit", { view }, async (page) => {
          await settled(page);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= viewport.width, `${width} pixels wide`);
        }, { viewport }));
    }
  }
});

describe("habits", () => {
  test("a method is found by search, its callers are shown, and back goes back", () =>
    on("jit", {}, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("JavacParser.term");
      const row = page.getByRole("row").filter({ hasText: "JavacParser.term" }).first();
      await row.click();
      await page.getByRole("heading", { name: /Callers/ }).first().waitFor();
      assert.match(decodeURIComponent(await page.evaluate(() => location.hash)), /method=.*JavacParser/);
      const text = await page.locator("main").innerText();
      assert.match(text, /JavacParser/);
      await page.goBack();
      await settled(page);
      assert.doesNotMatch(await page.evaluate(() => location.hash), /method=/);
    }));

  test("an address that was kept shows the same again", () =>
    on("jit", { view: "jit" }, async (page) => {
      await page.keyboard.press("1");
      await page.keyboard.press("/");
      await page.keyboard.type("JavacParser");
      await page.getByRole("row").filter({ hasText: "JavacParser" }).first().click();
      await settled(page);
      const shown = await page.locator("main h2, main h3").first().innerText();
      const address = page.url();
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator("main[data-view]").waitFor();
      await settled(page);
      assert.equal(await page.locator("main h2, main h3").first().innerText(), shown);
    }));

  test("keys lead to every view, and a sheet tells them", () =>
    on("jit", {}, async (page) => {
      for (const [i, view] of VIEWS.entries()) {
        await page.keyboard.press(String(i + 1));
        await page.locator(`main[data-view="${view}"]`).waitFor();
      }
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }));

  test("colours are chosen by a key, and kept in the address", () =>
    on("jit", {}, async (page) => {
      const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.keyboard.press("t");
      const light = await colour();
      await page.keyboard.press("t");
      assert.notEqual(await colour(), light);
      assert.match(page.url(), /theme=dark/);
    }));
});

describe("taking away", () => {
  for (const view of ["graph", "contexts", "jit"]) {
    test(`${view} is saved as a picture and as a drawing`, () =>
      on("jit", { view }, async (page) => {
        await settled(page);
        const into = await mkdtemp(path.join(tmpdir(), "yp-page-"));
        for (const [kind, begin] of [["SVG", "<svg"], ["PNG", "\x89PNG"]]) {
          const button = page.getByRole("button", { name: kind, exact: true }).first();
          const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
          const file = path.join(into, `x.${kind}`);
          await download.saveAs(file);
          const bytes = await readFile(file, "latin1");
          assert.ok(bytes.startsWith(begin), `${kind} begins with ${bytes.slice(0, 20)}`);
          assert.ok(bytes.length > 1000, `${bytes.length} bytes`);
        }
      }));
  }
});

describe("hostile names", () => {
  test("are shown as text, and run nothing", () =>
    on("hostile", {}, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("onerror");
      await settled(page);
      assert.match(await page.locator("main").innerText(), /<img src=x onerror=/);
      assert.equal(await page.locator("main img").count(), 0);
      for (const view of VIEWS) await page.keyboard.press(String(VIEWS.indexOf(view) + 1));
    }));
});
