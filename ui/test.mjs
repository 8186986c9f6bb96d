// node test.mjs [FILTER]: bundles the tests beside the sources and runs them by Node's runner.

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, "node_modules", ".yp-tests");

function tests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return tests(file);
    return /\.test\.tsx?$/.test(entry.name) ? [file] : [];
  });
}

const found = tests(path.join(here, "src")).filter((file) => file.includes(process.argv[2] ?? ""));
if (found.length === 0) {
  console.error("no tests found");
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here, entryPoints: found, outdir: out, outbase: here, bundle: true,
  platform: "node", format: "esm", target: "node18", jsx: "automatic", jsxImportSource: "preact",
  outExtension: { ".js": ".mjs" }, logLevel: "warning", sourcemap: "inline",
});
const files = found.map((file) =>
  path.join(out, path.relative(here, file)).replace(/\.tsx?$/, ".mjs"));
process.exit(spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files],
  { stdio: "inherit" }).status ?? 1);
