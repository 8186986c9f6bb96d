// node e2e/screenshots.mjs JIT.html FOLDER: the README's pictures of a page.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { addressOf, launch, open } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
if (!file || !folder) {
  console.error("usage: node e2e/screenshots.mjs JIT.html FOLDER");
  process.exit(2);
}
const PICTURES = [
  { name: "calls", state: { theme: "light" } },
  { name: "contexts", state: { view: "contexts", theme: "light" } },
  { name: "jit", state: { view: "jit", theme: "light" } },
  { name: "trust", state: { view: "sampling", theme: "dark" } },
];
mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const { name, state } of PICTURES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
    const { page } = await open(context, addressOf(file, state));
    await page.waitForTimeout(1500); // the graph's layout, and its way there
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await context.close();
    console.log(path.join(folder, `${name}.png`));
  }
} finally {
  await browser.close();
}
