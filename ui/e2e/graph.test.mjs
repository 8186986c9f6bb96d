// The graph of calls: its first drawing, and a large one.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { PHONE, settled, WIDE } from "./browser.mjs";
import { browsed, eventually, pageOf, stateOf } from "./harness.mjs";
import { pageWithData, readPageData } from "./page_data.mjs";

const on = browsed();
const LARGE = { width: 1920, height: 1080 };

// Of the nodes, within the canvas, as it is on the screen.
const drawn = (page) => page.evaluate(() => {
  const canvas = document.querySelector(".canvas").getBoundingClientRect();
  const nodes = [...document.querySelectorAll(".canvas-node rect")].map((node) => node.getBoundingClientRect());
  const scale = new DOMMatrix(getComputedStyle(document.querySelector(".canvas-svg > g")).transform).a
    || document.querySelector(".canvas-svg > g").getCTM().a;
  const text = [...document.querySelectorAll(".canvas-svg text")].map((each) => parseFloat(getComputedStyle(each).fontSize) * scale);
  return {
    outside: nodes.filter((box) => box.left < canvas.left || box.right > canvas.right || box.top < canvas.top || box.bottom > canvas.bottom).length,
    nodes: nodes.length, leastText: Math.min(...text),
    across: (Math.max(...nodes.map(({ right }) => right)) - Math.min(...nodes.map(({ left }) => left))) / canvas.width,
    upright: (Math.max(...nodes.map(({ bottom }) => bottom)) - Math.min(...nodes.map(({ top }) => top))) / canvas.height,
  };
});

// One method with many callers and callees, of which all changed.
function crowded(data) {
  const { diff, methods } = data;
  const hub = 0, others = methods.name.map((_, method) => method).slice(1, 61);
  const column = (of) => others.map((method, i) => of(method, i));
  Object.assign(diff, {
    caller: column((method, i) => i % 2 ? hub : method), callee: column((method, i) => i % 2 ? method : hub),
    bci: column((_, i) => i), line: column((_, i) => i), before: column(() => 0.01), after: column((_, i) => 0.02 + i / 1e4),
    low: column(() => 0.005), high: column(() => 0.05), adjusted_p: column(() => 1e-6),
    calls_before: column(() => 1000), calls_after: column(() => 2000),
  });
  return data;
}

describe("the first graph is whole, can be read, and uses its room", () => {
  before(() => writeFileSync(pageOf("crowded"), pageWithData(pageOf("compare"), crowded(readPageData(pageOf("compare"))))));
  for (const viewport of [PHONE, WIDE, LARGE]) {
    for (const [name, view] of [["jit", "graph"], ["compare", "compare"], ["crowded", "compare"]]) {
      test(`in ${view} of ${name} at ${viewport.width} pixels`, () => on(name, { view }, async (page) => {
        await settled(page);
        const { outside, nodes, leastText, across, upright } = await drawn(page);
        assert.ok(nodes > 1);
        assert.equal(outside, 0, `${outside} of ${nodes} nodes are cut`);
        assert.ok(leastText >= 7.5, `text of ${leastText} pixels`);
        assert.ok(nodes < 4 || Math.max(across, upright) > 0.6, `${across} by ${upright} of the canvas`);
      }, { viewport }));
    }
  }
});

test("on a narrow screen nothing is cut at its right edge", () => on("jit", {}, async (page) => {
  await settled(page);
  const cut = await page.evaluate(() => [...document.querySelectorAll(".graph-details, .graph-details h2, .graph-details .data-table, .graph-centre, .top nav")]
    .filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.className || element.localName));
  assert.deepEqual(cut, []);
  const grid = page.getByRole("grid", { name: /^Callers/ });
  assert.deepEqual(await grid.evaluate((element) => [element.scrollWidth <= element.clientWidth + 1]), [true]);
}, { viewport: { width: 1024, height: 768 } }));

test("steps that a person asks for are drawn, and kept in the address", () => on("jit", {}, async (page) => {
  const steps = page.getByRole("group", { name: "Steps of callers" }).locator("output");
  const before = Number(await steps.innerText());
  await page.keyboard.press("u");
  await eventually(async () => assert.equal(Number(await steps.innerText()), before + 1));
  assert.equal((await stateOf(page)).gup, String(before + 1));
}));

test("of a graph that is larger than its room a map shows which part is in sight, and moves it", () =>
  on("jit", { gup: "5", gdown: "5", gmin: "0" }, async (page) => {
    const transform = () => page.locator(".canvas-svg > g").getAttribute("transform");
    const map = page.locator(".canvas-map");
    await map.waitFor();
    const before = await transform(), box = await map.boundingBox();
    await page.mouse.click(box.x + 5, box.y + 5);
    await eventually(async () => assert.notEqual(await transform(), before));
    await page.keyboard.press("0");
    await map.waitFor({ state: "detached" });
  }));

test("no node lies under the buttons of the graph", () => on("jit", {}, async (page) => {
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport);
    await settled(page);
    await eventually(async () => assert.deepEqual(await page.locator(".canvas").evaluate((canvas) => {
      const tools = canvas.querySelector(".canvas-tools").getBoundingClientRect();
      return [...canvas.querySelectorAll(".canvas-node rect")].map((node) => node.getBoundingClientRect())
        .filter((node) => node.right > tools.left && node.bottom > tools.top).length;
    }), 0));
  }
}));

// Of few rows: paper has all of a table's, and they take the most time.
test("on paper the graph is all that the screen shows", () => on("hostile", {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  await page.locator(".canvas-svg[viewBox]").waitFor();
  await page.emulateMedia({ media: null });
  await page.locator(".canvas-svg:not([viewBox])").waitFor();
}));
