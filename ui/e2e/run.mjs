// node e2e/run.mjs --jit J.html --compare C.html --edges E.html [--only NAME]: tries pages in Chromium,
// by all tests or those of files with NAME in theirs. The pages with sources, of hostile names and of
// no calls are made of the first one.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromiumPath, NO_CHROMIUM } from "./browser.mjs";
import { pageWithData, readPageData, sourcePath } from "./page_data.mjs";

const HOSTILE = ["<img src=x onerror=alert(1)>", '"></script><script>alert(2)</script>',
  "'`${alert(3)}`", "\u202egnp.\u202c", "L".repeat(5000)];

// A profile's first names become hostile ones, as names of methods and of classes.
function withHostileNames(data) {
  const { edges } = data.profiles.at(-1);
  const hottest = edges.calls.map((_, edge) => edge).sort((a, b) => edges.calls[b] - edges.calls[a]);
  const methods = [...new Set(hottest.map((edge) => edges.callee[edge]))];
  for (const [i, text] of HOSTILE.entries()) {
    const at = data.strings.push(text) - 1;
    data.methods.name[methods[i]] = at;
    data.methods.class[methods[i + HOSTILE.length]] = at;
  }
  return data;
}

// Every file of a method is there, and says at each line which it is.
function withSources(data) {
  const files = {}, text = Array.from({ length: 5000 }, (_, i) => `// ${i + 1}\n`).join("");
  data.methods.file.forEach((_, method) => { if (sourcePath(data, method)) files[sourcePath(data, method)] = text; });
  return { ...data, sources: { files, left_out: {} } };
}

function withoutCalls(data) {
  const profile = data.profiles.at(-1);
  const none = (columns) => Object.fromEntries(Object.entries(columns)
    .map(([key, value]) => [key, Array.isArray(value) ? [] : value]));
  return {
    ...data, strings: [], diff: null, methods: none(data.methods),
    profiles: [{ ...profile, edges: none(profile.edges), windows: none(profile.windows), trees: [],
      threads: none(profile.threads), jit: null, samples: 0, calls: 0 }],
  };
}

function main() {
  const { values: { only, ...values } } = parseArgs({
    options: {
      jit: { type: "string" }, compare: { type: "string" }, edges: { type: "string" }, only: { type: "string", default: "" },
    },
  });
  if (!values.jit || !values.compare || !values.edges) {
    console.error("usage: node e2e/run.mjs --jit J.html --compare C.html --edges E.html [--only NAME]");
    return 2;
  }
  if (!chromiumPath()) {
    console.error(NO_CHROMIUM);
    return 2;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "yp-pages-"));
  try {
    for (const [name, file] of Object.entries(values)) copyFileSync(file, path.join(folder, `${name}.html`));
    const made = { sources: withSources, hostile: withHostileNames, empty: withoutCalls };
    for (const [name, change] of Object.entries(made)) {
      writeFileSync(path.join(folder, `${name}.html`), pageWithData(values.jit, change(readPageData(values.jit))));
    }
    const here = path.dirname(fileURLToPath(import.meta.url));
    const tests = readdirSync(here).filter((name) => name.endsWith(".test.mjs") && name.includes(only)).map((name) => path.join(here, name));
    return spawnSync(process.execPath, ["--test", ...tests],
      { stdio: "inherit", env: { ...process.env, YP_PAGES: folder } }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

process.exitCode = main();
