// Debian's Chromium, driven by Playwright, for what is tried and measured on made pages.

import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

// The shell is the same engine without windows, which takes half of the processor's time: the tests'
// choice (cli/integration/page_test.py). What is measured is measured in the whole browser, if there.
const PLACES = [process.env.YP_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/chromium-headless-shell"];

// Its path; nothing where there is none.
export function chromiumPath() {
  return PLACES.find((place) => place && existsSync(place));
}

export const NO_CHROMIUM = "no Chromium here: apt-get install chromium, or set YP_CHROMIUM to its path";

export async function launch() {
  const executablePath = chromiumPath();
  if (!executablePath) throw new Error(NO_CHROMIUM);
  // Chromium's own sandbox needs rights that containers and root do not have; the pages are ours.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

export const WIDE = { width: 1280, height: 720 };
export const PHONE = { width: 360, height: 740 };

// A file's address with a state: "#view=jit&theme=dark".
export function addressOf(file, state = {}) {
  const hash = new URLSearchParams(state).toString();
  return pathToFileURL(path.resolve(file)).href + (hash ? `#${hash}` : "");
}

// What must not happen in a page fills the list from now on: errors, messages on the console, requests
// to anywhere.
export function problemsOf(page) {
  const problems = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return problems;
}

// Loads a profile's page and waits until it shows the profile.
export async function load(page, address) {
  await page.goto(address);
  await page.locator("main[data-view]").waitFor();
}

// The same in a new page.
export async function open(context, address) {
  const page = await context.newPage();
  const problems = problemsOf(page);
  await load(page, address);
  return { page, problems };
}

// Until what was asked for has been drawn: two frames, and the layout of a graph.
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)));
  }));
  await page.locator('.canvas[aria-busy="true"]').waitFor({ state: "detached" });
}
