// node e2e/screenshots.mjs JIT.html FOLDER [--compare COMPARE.html] [--sources SOURCES.html]: the
// pictures of pages in the documentation.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { addressOf, launch, open, settled } from "./browser.mjs";
import { readPageData } from "./page_data.mjs";

const { values, positionals: [file, folder] } = parseArgs({
  allowPositionals: true, options: { compare: { type: "string" }, sources: { type: "string" } },
});
if (!file || !folder) {
  console.error("usage: node e2e/screenshots.mjs JIT.html FOLDER [--compare COMPARE.html] [--sources SOURCES.html]");
  process.exit(2);
}
// A third of the run, from its first third on.
function aPart() {
  const { slices, duration_ns: durationNs } = readPageData(file).profiles.at(-1);
  const ms = (share) => String(Math.round(share * durationNs / slices.part_ns) * slices.part_ns / 1e6);
  return { tfrom: ms(1 / 3), tto: ms(2 / 3), tracks: "yes" };
}

const PICTURES = [
  { name: "calls", file, state: { theme: "light" } },
  { name: "time", file, state: { theme: "light", ...aPart() } },
  { name: "contexts", file, state: { view: "contexts", theme: "light" } },
  { name: "jit", file, state: { view: "jit", theme: "light" } },
  { name: "trust", file, state: { view: "sampling", theme: "dark" } },
  ...(values.sources ? [{ name: "source", file: values.sources, state: { view: "source", theme: "light", src: "java/util/HashMap.java" } }] : []),
  ...(values.compare ? [{ name: "compare", file: values.compare, state: { view: "compare", cshow: "all", theme: "light" } }] : []),
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
