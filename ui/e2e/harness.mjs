// What the tests of pages share. YP_PAGES names a folder with jit.html (yp run --jit), compare.html
// (of two profiles), edges.html (--mode edges), hostile.html (of hostile names) and empty.html (of no
// calls): cli/integration/page_test.py makes them of recordings, run.mjs of given pages.

import assert from "node:assert/strict";
import path from "node:path";
import { after, before } from "node:test";
import { addressOf, launch, open, settled, WIDE } from "./browser.mjs";

export const VIEWS = ["graph", "contexts", "jit", "sampling", "compare"];
export const PAGES = ["jit", "compare", "edges", "empty", "hostile"];

export function pageOf(name) {
  const folder = process.env.YP_PAGES;
  if (!folder) throw new Error("YP_PAGES names the folder of the pages; run.mjs sets it");
  return path.join(folder, `${name}.html`);
}

// The page on which a view has something to show.
export function pageFor(view) { return view === "compare" ? "compare" : "jit"; }

// What is in the address, by name.
export async function stateOf(page) {
  return Object.fromEntries(new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)));
}

// A browser for the tests of a file. The function that it gives opens a page in a state, does
// something with it, and fails for whatever went wrong meanwhile.
export function browsed() {
  let browser;
  before(async () => { browser = await launch(); });
  after(async () => { await browser?.close(); });
  return async (name, state, action, options = {}) => {
    const context = await browser.newContext({ viewport: WIDE, acceptDownloads: true, ...options });
    try {
      const { page, problems } = await open(context, addressOf(pageOf(name), state));
      await action(page);
      await settled(page);
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  };
}
