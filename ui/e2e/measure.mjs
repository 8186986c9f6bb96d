// node e2e/measure.mjs PAGE.html [--runs N] [--json]: how fast a page is, in Chromium.
// open: from the navigation's start to the first graph; shown: to the first view without it;
// search: from a keystroke to its answer on the screen; layout: of a graph of many nodes.

import { statSync } from "node:fs";
import { addressOf, launch, open, WIDE } from "./browser.mjs";

const [file, ...options] = process.argv.slice(2);
const at = options.indexOf("--runs");
const runs = at >= 0 ? Number(options[at + 1]) : 7;
if (!file || !(runs > 0)) {
  console.error("usage: node e2e/measure.mjs PAGE.html [--runs N] [--json]");
  process.exit(2);
}

// Until the graph is there the time is that of the last layout's mark.
const openTimes = (page) => page.evaluate(async () => {
  const mark = async (name) => {
    for (;;) {
      const [found] = performance.getEntriesByName(name);
      if (found) return found.startTime;
      await new Promise((next) => setTimeout(next, 5));
    }
  };
  return { shown: await mark("yp-shown"), open: await mark("yp-layout") };
});

// Each letter of a word is a query; the answer is there when the next frame has been painted.
async function searchTime(page, word) {
  await page.keyboard.press("/");
  let slowest = 0;
  for (let i = 1; i <= word.length; i++) {
    slowest = Math.max(slowest, await page.evaluate(async (query) => {
      const input = document.activeElement;
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
      const begun = performance.now();
      setValue.call(input, query);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
      }));
      return performance.now() - begun;
    }, word.slice(0, i)));
  }
  return slowest;
}

// The deepest neighbourhood of the hottest method, without a threshold.
async function layoutTime(page) {
  return page.evaluate(async () => {
    performance.clearMarks("yp-layout");
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of [["gup", "5"], ["gdown", "5"], ["gmin", "0"]]) state.set(key, value);
    const begun = performance.now();
    location.hash = state.toString();
    for (;;) {
      const marks = performance.getEntriesByName("yp-layout");
      if (marks.length > 0) {
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        return {
          layout: performance.now() - begun,
          nodes: document.querySelectorAll("main svg .canvas-node").length,
        };
      }
      await new Promise((next) => setTimeout(next, 2));
    }
  });
}

const browser = await launch();
const taken = { shown: [], open: [], search: [], layout: [] };
let nodes = 0;
try {
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: WIDE });
    const { page } = await open(context, addressOf(file));
    const times = await openTimes(page);
    taken.shown.push(times.shown);
    taken.open.push(times.open);
    taken.search.push(await searchTime(page, "visitor"));
    await page.keyboard.press("Escape");
    const graph = await layoutTime(page);
    taken.layout.push(graph.layout);
    nodes = graph.nodes;
    await context.close();
  }
} finally {
  await browser.close();
}

const summary = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], low: sorted[0], high: sorted.at(-1) };
};
const result = {
  bytes: statSync(file).size, nodes, runs,
  ...Object.fromEntries(Object.entries(taken).map(([name, values]) => [`${name}_ms`, summary(values)])),
};
if (options.includes("--json")) {
  console.log(JSON.stringify(result));
} else {
  console.log(`size    ${(result.bytes / 1e6).toFixed(2)} MB`);
  for (const name of Object.keys(taken)) {
    const { median, low, high } = result[`${name}_ms`];
    console.log(`${name.padEnd(7)} ${median.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)}, ${runs} runs)`);
  }
  console.log(`the graph of the layout has ${nodes} nodes`);
}
