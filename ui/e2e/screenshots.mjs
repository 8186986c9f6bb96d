// node e2e/screenshots.mjs JIT.html FOLDER [COMPARE.html]: the README's pictures of pages.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { addressOf, launch, open, settled } from "./browser.mjs";

const [file, folder, compared] = process.argv.slice(2);
if (!file || !folder) {
  console.error("usage: node e2e/screenshots.mjs JIT.html FOLDER [COMPARE.html]");
  process.exit(2);
}
const PICTURES = [
  { name: "calls", file, state: { theme: "light" } },
  { name: "contexts", file, state: { view: "contexts", theme: "light" } },
  { name: "jit", file, state: { view: "jit", theme: "light" } },
  { name: "trust", file, state: { view: "sampling", theme: "dark" } },
  ...(compared ? [{ name: "compare", file: compared, state: { view: "compare", cshow: "all", theme: "light" } }] : []),
];
const SIZE = { width: 1280, height: 760 };

mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const { name, file: of, state } of PICTURES) {
    const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 2 });
    const { page, problems } = await open(context, addressOf(of, state));
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await settled(page);
    const picture = path.join(folder, `${name}.png`);
    await page.screenshot({ path: picture });
    await context.close();
    console.log(picture);
  }
} finally {
  await browser.close();
}
