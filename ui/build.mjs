// node build.mjs --out FILE: the page as one file, with <!--YP_DATA--> where a profile's data goes.
// Nothing is fetched: scripts, styles and workers are inlined, and the page's policy names the
// hashes of its scripts.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
};

async function bundle(entry, extra = {}) {
  const { outputFiles } = await build({
    ...common, ...extra, entryPoints: [entry], outdir: "out",
  });
  return outputFiles;
}

// `import source from "worker:./layout_worker"`: the worker's whole script, as a string.
const workers = {
  name: "worker",
  setup(builder) {
    builder.onResolve({ filter: /^worker:/ }, (args) => ({
      namespace: "worker",
      path: path.resolve(args.resolveDir, args.path.slice("worker:".length)),
    }));
    builder.onLoad({ filter: /.*/, namespace: "worker" }, async (args) => {
      const [script] = await bundle(`${args.path}.ts`, { format: "iife" });
      return { contents: script.text, loader: "text" };
    });
  },
};

function hash(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

export async function page() {
  const files = await bundle("src/main.tsx", { format: "iife", plugins: [workers] });
  const css = files.find((file) => file.path.endsWith(".css"))?.text.trim() ?? "";
  // A script ends at the first "</script", wherever it stands.
  const js = files.find((file) => file.path.endsWith(".js")).text.trim()
    .replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(js)}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "connect-src 'self'",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>Yieldpoint</title>
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
<div id="app"><p class="loading">Opening the profile…</p></div>
<noscript>This page shows a profile by JavaScript, which is switched off.</noscript>
<!--YP_DATA-->
<script>${js}</script>
</body>
</html>
`;
}

const at = process.argv.indexOf("--out");
if (at >= 0) {
  const out = path.resolve(process.argv[at + 1]);
  await mkdir(path.dirname(out), { recursive: true });
  await writeFile(out, await page());
}
