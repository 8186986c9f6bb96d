// What the tests of pages share. YP_PAGES names a folder with jit.html (yp run --jit), sources.html
// (the same with sources, of which line 7 of a file is "// 7"), compare.html (of two profiles),
// edges.html (--mode edges), hostile.html (of hostile names) and empty.html (of no calls):
// cli/integration/page_test.py makes them of recordings, run.mjs of given pages.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { addressOf, launch, load, problemsOf, settled, WIDE } from "./browser.mjs";

export const VIEWS = ["graph", "contexts", "source", "jit", "sampling", "compare"];
export const PAGES = ["jit", "sources", "compare", "edges", "empty", "hostile"];

export function pageOf(name) {
  const folder = process.env.YP_PAGES;
  if (!folder) throw new Error("YP_PAGES names the folder of the pages; run.mjs sets it");
  return path.join(folder, `${name}.html`);
}

// The page on which a view has something to show.
export function pageFor(view) { return { compare: "compare", source: "sources" }[view] ?? "jit"; }

// What is in the address, by name.
export async function stateOf(page) {
  return Object.fromEntries(new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)));
}

// What a page comes to show is not there at once: asked again until the assertions hold, for some
// seconds, then their failure is the test's.
export async function eventually(assertions) {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await delay(50);
  }
}

// A browser for the tests of a file. The function that it gives opens a page in a state, waits until
// it is drawn, does something with it, and fails for whatever went wrong meanwhile. `permissions` are
// those of the page, `viewport` is its size.
//
// One page after the other is loaded in the same tab, as it keeps the compiled script: that takes half
// of the processor's time. A page has its state in its address alone, so none sees the one before. The
// tab of a test that failed is closed.
export function browsed() {
  let browser;
  const tabs = new Map();
  before(async () => { browser = await launch(); });
  after(async () => { await browser?.close(); });

  async function tabWith(permissions) {
    const key = permissions.join();
    if (!tabs.has(key)) {
      const context = await browser.newContext({ acceptDownloads: true, permissions });
      const page = await context.newPage();
      tabs.set(key, { page, problems: problemsOf(page), close: () => { tabs.delete(key); return context.close(); } });
    }
    return tabs.get(key);
  }

  return async (name, state, action, { permissions = [], viewport = WIDE } = {}) => {
    const { page, problems, close } = await tabWith(permissions);
    try {
      // Another address of the same file, alone, would only change the page's state.
      await page.goto("about:blank");
      await page.emulateMedia({ media: null });
      await page.setViewportSize(viewport);
      await load(page, addressOf(pageOf(name), state));
      await settled(page);
      await action(page);
      await settled(page);
      assert.deepEqual(problems, []);
    } catch (error) {
      await close();
      throw error;
    }
  };
}
