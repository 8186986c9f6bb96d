// node e2e/measure.mjs PAGE.html [--runs N] [--json]: how fast a page is, in Chromium. Medians of N
// runs [7], with their range.
//   shown: from the navigation's start to the first view (the page's own mark)
//   graph: from there to the first graph, painted
//   search: from a letter to its answer, painted; of the letters of a method's name the slowest
//   layout: from a change of the graph's depth to the new graph, painted
//   brush: from another part of the run to its calls, painted
//   threads: likewise, from other threads
// Where the profile has no times, as exact ones, brush and threads are those of the same page whose
// calls are spread over the parts of a run and some threads.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { addressOf, launch, open, WIDE } from "./browser.mjs";
import { namedEdge, pageWithData, readPageData, shortName } from "./page_data.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "7" }, json: { type: "boolean", default: false } },
});
const [file] = positionals;
const runs = Number(values.runs);
if (!file || !(runs > 0)) {
  console.error("usage: node e2e/measure.mjs PAGE.html [--runs N] [--json]");
  process.exit(2);
}
const data = readPageData(file);
const word = shortName(data, namedEdge(data).callee).split(".").pop();

const PARTS = 60, THREADS = 8, SLICES_OF_AN_EDGE = 2;

// Each edge is sampled in two parts of the run, in one thread each.
function withTimes(page) {
  const profile = page.profiles.at(-1), { edges } = profile;
  const rows = edges.callee.flatMap((_, edge) => Array.from({ length: SLICES_OF_AN_EDGE }, (__, i) =>
    ({ edge, part: (edge * 7 + i * 31) % PARTS, group: (edge + i) % THREADS, calls: edges.calls[edge] / SLICES_OF_AN_EDGE })));
  rows.sort((a, b) => a.part - b.part || a.group - b.group || a.edge - b.edge);
  const column = (of) => rows.map(of);
  const timed = {
    ...profile, kind: "sampled", samples: rows.length,
    slices: {
      part_ns: Math.ceil(profile.duration_ns / PARTS), parts: PARTS, groups: Array.from({ length: THREADS }, (_, i) => `worker-${i}`), thread_group: profile.threads.id.map(() => 0),
      calls: { part: column((r) => r.part), group: column((r) => r.group), edge: column((r) => r.edge), calls: column((r) => r.calls), units: column(() => 1),
        sampled: edges.calls.map((calls, edge) => edge % 4 ? 0 : calls), inferred: edges.calls.map((calls, edge) => edge % 4 ? calls : 0) },
      stacks: null,
    },
  };
  return { ...page, profiles: [...page.profiles.slice(0, -1), timed] };
}

// In the page: `painted` resolves when what is in the document has been painted; a mark tells when
// the first node of a graph was.
function prepare() {
  window.painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(0);
  }));
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".canvas-node")) return;
    observer.disconnect();
    void window.painted().then((startTime) => performance.mark("e2e-graph", { startTime }));
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function mark(page, name) {
  await page.waitForFunction((which) => performance.getEntriesByName(which).length > 0, name);
  return page.evaluate((which) => performance.getEntriesByName(which)[0].startTime, name);
}

// Each letter of a word makes a query.
async function searchTime(page) {
  await page.keyboard.press("/");
  let slowest = 0;
  for (let i = 1; i <= word.length; i++) {
    slowest = Math.max(slowest, await page.evaluate(async (query) => {
      const input = document.activeElement;
      const begun = performance.now();
      input.value = query;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      return await window.painted() - begun;
    }, word.slice(0, i)));
  }
  await page.keyboard.press("Escape");
  return slowest;
}

// The widest neighbourhood that the page shows.
async function layoutTime(page) {
  await page.evaluate(() => {
    performance.clearMarks("yp-layout");
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of [["gup", "5"], ["gdown", "5"], ["gmin", "0"]]) state.set(key, value);
    window.begun = performance.now();
    location.hash = state.toString();
    const wait = setInterval(async () => {
      if (performance.getEntriesByName("yp-layout").length === 0) return;
      clearInterval(wait);
      window.taken = await window.painted() - window.begun;
    }, 1);
  });
  await page.waitForFunction(() => window.taken !== undefined);
  return page.evaluate(() => ({
    ms: window.taken, nodes: document.querySelectorAll("main svg .canvas-node").length,
  }));
}

// From a change of the address to what is painted of another selection.
async function selectionTime(page, changes) {
  return page.evaluate(async (changed) => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of Object.entries(changed)) state.set(key, value);
    const words = document.querySelector(".time-words"), before = words.textContent; // drawn with the numbers
    const followed = new Promise((done) => {
      const observer = new MutationObserver(() => {
        if (words.textContent === before) return;
        observer.disconnect();
        done();
      });
      observer.observe(words, { characterData: true, childList: true, subtree: true });
    });
    const begun = performance.now();
    location.hash = state.toString();
    await followed;
    return await window.painted() - begun;
  }, changes);
}

const taken = { shown: [], graph: [], search: [], layout: [], brush: [], threads: [] };
let nodes = 0;
const folder = mkdtempSync(path.join(tmpdir(), "yp-measure-"));
const timed = data.profiles.at(-1).slices ? file : path.join(folder, "timed.html");
if (timed !== file && data.profiles.at(-1).calls !== null) writeFileSync(timed, pageWithData(file, withTimes(data)));
const { slices, duration_ns: durationNs } = readPageData(timed).profiles.at(-1);
const browser = await launch();
try {
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: WIDE });
    await context.addInitScript(prepare);
    const { page } = await open(context, addressOf(file, { view: "graph" }));
    taken.shown.push(await mark(page, "yp-shown"));
    taken.graph.push(await mark(page, "e2e-graph"));
    await page.waitForTimeout(1000); // Nobody types before having seen the page.
    taken.search.push(await searchTime(page));
    const layout = await layoutTime(page);
    taken.layout.push(layout.ms);
    nodes = layout.nodes;
    await context.close();
    const other = await browser.newContext({ viewport: WIDE });
    await other.addInitScript(prepare);
    const { page: ofTimes } = await open(other, addressOf(timed, { view: "graph" }));
    await ofTimes.waitForTimeout(1500);
    const middle = Math.round(durationNs / 2e6);
    taken.brush.push(await selectionTime(ofTimes, { tfrom: "0", tto: String(middle) }));
    taken.brush.push(await selectionTime(ofTimes, { tfrom: String(middle), tto: String(Math.round(durationNs / 1e6)) }));
    if (slices.groups.length > 1) taken.threads.push(await selectionTime(ofTimes, { tthr: "0" }));
    await other.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

const summary = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], low: sorted[0], high: sorted.at(-1) };
};
const { edges } = data.profiles.at(-1);
const result = {
  bytes: statSync(file).size, methods: data.methods.name.length, edges: edges.callee.length,
  layout_nodes: nodes, runs,
  ...Object.fromEntries(Object.entries(taken).filter(([, times]) => times.length > 0).map(([name, times]) => [`${name}_ms`, summary(times)])),
};
if (values.json) {
  console.log(JSON.stringify(result));
} else {
  console.log(`page    ${(result.bytes / 1e6).toFixed(2)} MB, ${result.methods} methods, ${result.edges} edges`);
  for (const name of Object.keys(taken).filter((each) => taken[each].length > 0)) {
    const { median, low, high } = result[`${name}_ms`];
    console.log(`${name.padEnd(7)} ${median.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)}, ${runs} runs)` +
      (name === "layout" ? `, ${nodes} nodes` : ""));
  }
}
