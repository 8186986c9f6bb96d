// What a person does with a page: search, select, go back, keep an address, use the keyboard, take
// something away. Names come from the page's own data.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { settled } from "./browser.mjs";
import { browsed, eventually, pageFor, pageOf, stateOf, VIEWS } from "./harness.mjs";
import { fullName, mostRecompiled, namedEdge, overloaded, readPageData, shortName, withInlinings } from "./page_data.mjs";

const on = browsed();
const data = readPageData(pageOf("jit"));
const { caller, callee } = namedEdge(data);

async function search(page, method) {
  await page.keyboard.press("/");
  await page.keyboard.type(fullName(data, method).split("(")[0]);
  await page.getByRole("grid", { name: "Methods" })
    .getByRole("gridcell", { name: shortName(data, method), exact: true }).first().click();
  await isSelected(page, method);
  await settled(page);
}

const isSelected = (page, method) => eventually(async () =>
  assert.equal((await stateOf(page)).method, fullName(data, method)));

// The same page, from its address alone.
async function reopened(page) {
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator("main[data-view]").waitFor();
}

const callersOf = (page) => page.getByRole("region", { name: "Callers" });

test("a method is found by its name, and its callers are shown", () => on("jit", {}, async (page) => {
  await search(page, callee);
  await callersOf(page).getByRole("button", { name: shortName(data, caller), exact: true }).first().waitFor();
}));

test("Enter takes the first that is found, and the keys of the view work from there", () => on("sources", {}, async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type(fullName(data, caller).split("(")[0]);
  await page.keyboard.press("Enter");
  await isSelected(page, caller);
  await page.keyboard.press("S");
  await page.locator('main[data-view="source"]').waitFor();
}));

test("overloads are told apart by their parameters", () => on("jit", {}, async (page) => {
  const name = fullName(data, overloaded(data)).split("(")[0];
  const overloads = data.methods.name.filter((_, method) => fullName(data, method).startsWith(`${name}(`)).length;
  await page.keyboard.press("/");
  await page.keyboard.type(`${name}(`);
  await eventually(async () => {
    const labels = await page.getByRole("grid", { name: "Methods" }).locator('.row [role="gridcell"]:first-child .sr').allTextContents();
    assert.equal(labels.length, overloads);
    assert.equal(new Set(labels).size, overloads, labels.join("\n"));
  });
}));

test("a click on a caller leads to it, and back leads back", () => on("jit", {}, async (page) => {
  await search(page, callee);
  await callersOf(page).getByRole("button", { name: shortName(data, caller), exact: true }).first().click();
  await isSelected(page, caller);
  await page.goBack();
  await isSelected(page, callee);
  await callersOf(page).getByRole("button", { name: shortName(data, caller), exact: true }).first().waitFor();
}));

test("an address that was kept shows the same again", () => on("jit", {}, async (page) => {
  await search(page, callee);
  const text = () => page.getByRole("region", { name: "Selected method" }).innerText();
  const shown = await text();
  await reopened(page);
  await eventually(async () => assert.equal(await text(), shown));
}));

test("an address keeps what is open in the tree of classes", () => on("jit", { view: "jit", jtab: "tree" }, async (page) => {
  const tree = page.getByRole("grid", { name: "Packages, classes and methods" });
  const rows = async () => Number(await tree.getAttribute("aria-rowcount"));
  const closed = await rows();
  const toggle = () => tree.locator('button[aria-expanded="false"]').first().click();
  await toggle();
  await eventually(async () => assert.ok(await rows() > closed));
  const opened = await rows();
  await reopened(page);
  await eventually(async () => assert.equal(await rows(), opened));
  await page.keyboard.press("e");
  await eventually(async () => assert.ok(await rows() > opened));
  assert.equal((await stateOf(page)).jopen, "*");
  await page.keyboard.press("E");
  await eventually(async () => assert.equal(await rows(), closed));
}));

test("what was decided at a call site is told in full, and kept in the address", () =>
  on("jit", { view: "jit", method: fullName(data, withInlinings(data)) }, async (page) => {
    const site = page.getByRole("region", { name: "Call site" }), head = site.getByRole("heading");
    await page.getByRole("grid", { name: "Inlining decisions" }).getByRole("row").nth(1).getByRole("gridcell").first().click();
    await site.getByText(/^[✓✗] .+: (tier [1-3]|C2) #\d+/).first().waitFor();
    const shown = await head.innerText();
    assert.match(shown, /bytecode \d+/);
    await reopened(page);
    await eventually(async () => assert.equal(await head.innerText(), shown));
  }));

test("an address keeps the order of callers and of callees", () => on("jit", {}, async (page) => {
  await search(page, callee);
  const heading = callersOf(page).getByRole("columnheader", { name: "Method" });
  await heading.getByRole("button").click();
  await eventually(async () => assert.equal(await heading.getAttribute("aria-sort"), "ascending"));
  await reopened(page);
  await eventually(async () => assert.equal(await heading.getAttribute("aria-sort"), "ascending"));
  assert.equal((await stateOf(page)).gcallers, "method.up");
}));

test("the ledger leads with what is decided, and groups the rest by why", () => on("jit", { view: "jit" }, async (page) => {
  const { ledger, recompilations } = data.profiles.at(-1).jit;
  const rows = async () => Number(await page.getByRole("grid", { name: "Recompilations" }).getAttribute("aria-rowcount")) - 1;
  const decided = recompilations.verdict.filter((verdict) => verdict !== 2).length;
  assert.equal(ledger.paid_off + ledger.did_not, decided, "the summary has its rows");
  assert.equal(await rows(), decided > 0 ? decided : recompilations.verdict.length);
  const { undecided: ways, rows: counts, remedy } = ledger.why_undecided;
  assert.equal(counts.reduce((sum, count) => sum + count, 0), ledger.undecided);
  assert.ok(remedy.every((text) => text.length > 0));
  await page.getByText(/^Why .* undecided/).click();
  await page.getByRole("region", { name: "Ledger" }).getByRole("cell").getByRole("button").first().click();
  await eventually(async () => assert.equal(await rows(), counts[0]));
  assert.equal((await stateOf(page)).jwhy, String(ways[0]));
}));

test("an order and open nodes that there are not are ignored", () =>
  on("jit", { view: "jit", jtab: "tree", jopen: "no.such.package .Class % .%zz", jtsort: "x", gcallers: "<b>.up" }, async (page) => {
    await page.getByRole("grid", { name: "Packages, classes and methods" }).getByRole("row").nth(1).waitFor();
    await page.keyboard.press("1");
    await callersOf(page).waitFor();
  }));

test("a method that is not there is said not to be", () => on("jit", { method: "no.such.Method.x()V" }, async (page) => {
  await page.getByText("This profile has no method no.such.Method.x()V").waitFor();
}));

test("keys lead to every view, and a sheet tells them", () => on("jit", {}, async (page) => {
  for (const [i, view] of VIEWS.entries()) {
    await page.keyboard.press(String(i + 1));
    await page.locator(`main[data-view="${view}"]`).waitFor();
  }
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog");
  await sheet.waitFor();
  assert.match(await sheet.innerText(), /Search/);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
}));

describe("the slash goes to the search", () => {
  for (const view of ["graph", "contexts", "source", "jit", "compare"]) {
    test(`of ${view}, where digits are letters`, () => on(pageFor(view), { view }, async (page) => {
      await page.keyboard.press("/");
      await page.locator('input[type="search"]:focus').waitFor();
      await page.keyboard.type("1");
      await settled(page);
      assert.equal(await page.locator("main").getAttribute("data-view"), view);
    }));
  }
});

test("colours are chosen by a key, and kept in the address", () => on("jit", {}, async (page) => {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const themes = ["light", "dark"], shown = [];
  for (const theme of themes) {
    await page.keyboard.press("b");
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    assert.equal((await stateOf(page)).theme, theme);
    shown.push(await colour());
  }
  assert.notEqual(shown[0], shown[1]);
}));

describe("changes that may be chance are counted, and shown when asked for", () => {
  const { diff } = readPageData(pageOf("compare"));
  const cases = [
    { cby: "sites", grid: "Changes", ...diff, rows: diff.callee.length },
    { cby: "methods", grid: "Methods, before and after", ...diff.methods, rows: diff.methods.method.length },
  ];
  for (const { cby, grid, significant, rows } of cases) {
    test(`of ${cby}`, () => on("compare", { view: "compare", cby }, async (page) => {
      const box = page.getByRole("checkbox", { name: /may be chance/ });
      const count = async () => Number(await page.getByRole("grid", { name: grid }).getAttribute("aria-rowcount")) - 1;
      assert.equal(await count(), significant);
      await box.check();
      await eventually(async () => assert.equal(await count(), rows));
      assert.ok(rows > significant, "this page has such changes");
    }));
  }
});

test("one thread's windows are shown alone", () => on("jit", { view: "sampling" }, async (page) => {
  const status = page.getByRole("region", { name: "Over time" }).getByRole("status");
  assert.match(await status.innerText(), /^[\d,]+ windows?$/);
  await page.getByRole("combobox", { name: "Thread" }).selectOption({ index: 1 });
  await eventually(async () => {
    const id = Number((await stateOf(page)).sthread);
    const windows = data.profiles[0].windows.thread.filter((thread) => thread === id).length;
    assert.equal(Number((await status.innerText()).replace(/\D/g, "")), windows);
  });
}));

// What a button of a part of the page saves, as Latin-1.
async function saved(page, part, kind) {
  const folder = await mkdtemp(path.join(tmpdir(), "yp-page-"));
  try {
    const [download] = await Promise.all([page.waitForEvent("download"),
      part.getByRole("button", { name: kind, exact: true }).first().click()]);
    const file = path.join(folder, download.suggestedFilename());
    await download.saveAs(file);
    return await readFile(file, "latin1");
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("what is shown is saved as a drawing and as a picture", () => {
  for (const view of VIEWS.filter((each) => each !== "source")) {
    test(view, () => on(pageFor(view), { view }, async (page) => {
      for (const [kind, begin] of [["SVG", "<svg"], ["PNG", "\x89PNG"]]) {
        const bytes = await saved(page, page, kind);
        assert.ok(bytes.startsWith(begin), `${kind} begins with ${bytes.slice(0, 20)}`);
        assert.ok(bytes.length > 1000, `${kind} has ${bytes.length} bytes`);
      }
    }));
  }
});

describe("a drawing that is saved says what it is of, and has its legend", () => {
  const method = fullName(data, mostRecompiled(data));
  const { name } = data.profiles.at(-1);
  const panel = (page) => page.getByRole("region", { name: "Selected method" }).getByRole("figure");
  const cases = [
    { of: "versions", state: { method }, part: (page) => panel(page).nth(0), has: ["executed", "95 % interval", method.split("(")[0]] },
    { of: "a method's compilations", state: { method }, part: (page) => panel(page).nth(1), has: ["C1", "waited", method.split("(")[0]] },
    { of: "coloured calls", state: { jtab: "graph" }, part: (page) => page.getByRole("region", { name: "Coloured calls" }), has: ["did not pay off", "calls itself"] },
    { of: "the warm-up", state: {}, part: (page) => page.getByRole("region", { name: "Ledger" }), has: ["interpreted", "compiling"] },
  ];
  for (const { of, state, part, has } of cases) {
    test(of, () => on("jit", { view: "jit", ...state }, async (page) => {
      const drawing = await saved(page, part(page), "SVG");
      const texts = [...drawing.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text).join("|")
        .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
      for (const words of [name, ...has]) assert.ok(texts.includes(words), `no ${words} in ${texts}`);
    }));
  }
  test("how sure edges are, its dots too", () => on("jit", { view: "sampling" }, async (page) => {
    const drawing = await saved(page, page, "SVG");
    assert.match(drawing, /stroke-linecap: ?round/); // A dot is a line of no length.
    assert.match(drawing, /seen by samples/);
  }));
  test("compilations by thread", () => on("jit", { view: "jit", jtab: "time" }, async (page) => {
    const part = page.getByRole("region", { name: "Timeline of compilations" });
    const height = await part.getByRole("img").evaluate((canvas) => canvas.height);
    const picture = Buffer.from(await saved(page, part, "PNG"), "latin1");
    assert.ok(picture.readUInt32BE(20) > height + 30, "there is room for words");
  }));
});

test("what is shown is copied as text", () => on("compare", {}, async (page) => {
  await page.keyboard.press("c");
  await page.getByText("Copied.").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /Change +95 % interval/);
}, { permissions: ["clipboard-read", "clipboard-write"] }));
