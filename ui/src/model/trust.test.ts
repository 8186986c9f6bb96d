import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { certainties } from "./certainty";
import { advice, trustInWords } from "./trust";

function profile(changes: Partial<ProfileData> = {}): ProfileData {
  const edges = {
    caller: [0, 0, 0], bci: [1, 2, 3], line: [1, 2, 3], callee: [1, 1, 1], calls: [900, 90, 10],
    low: [800, 45, 0], high: [1000, 180, 40], flags: [2, 18, 2], inlined: [0, 2, 0],
  };
  return {
    name: "x.yp", config: { policy: "countdown" }, complete: true, damage: "", warnings: [],
    duration_ns: 5e9, agent_cpu_ns: 0, kind: "sampled", samples: 100, ticks: 3, is_lower_bound: false, calls: 1000, edges, trees: [],
    windows: { tick: [1, 2], thread: [0, 0], start_ns: [0, 1], latency_ns: [0, 0], duration_ns: [30, 20],
      interval_ns: [1, 1], calls: [1, 1], samples: [1, 1] },
    threads: { id: [], name: [] }, tests: null, unexecuted: null, drops: [], jit: null, slices: null, ...changes,
  };
}
const sureOf = (of: ProfileData) => certainties(new CallGraph(of.edges, 2));
const told = (changes: Partial<ProfileData> = {}) => trustInWords(profile(changes), sureOf(profile(changes))).join(" ");
const advised = (changes: Partial<ProfileData> = {}) => advice(profile(changes), sureOf(profile(changes))).join(" ");

test("samples are told with how they came about", () => {
  assert.match(told(), /100 samples in 3 ticks, in which each call has the same chance/);
  assert.match(told({ config: { policy: "cbs" } }), /100 samples in 2 windows, which come at equal times/);
  assert.match(told({ config: { mode: "timer" } }), /one a tick.*how many calls there were is not known/);
  assert.match(told({ config: { mode: "patching" } }), /first calls of each method/);
});

test("how sure the most called edges are stands in the summary", () => {
  assert.match(told(), /3 most called edges are known to within ± 75 %/);
  assert.match(told(), /Edges with 90\.0 % of all calls are known to within ± 25 %/);
  assert.match(told(), /9\.0 % of the calls are on edges with inlined calls/);
});

test("where no edge is known well, that is said", () => {
  const edges = { ...profile().edges, low: [400, 45, 0], high: [1800, 180, 40] };
  assert.match(told({ edges }), /No edge is known to within ± 25 %/);
});

test("what windows did not see is told, where the program's time is known", () => {
  assert.match(told({ config: { "cost.program_cpu_ns": "1000" } }), /last 50.0 ns in all, of 1.00 µs/);
  assert.doesNotMatch(told(), /in all/);
});

test("losses are told, and what is none is not", () => {
  assert.match(told({ drops: [{ count: 3, words: "samples", kind: "lost" }] }), /3 samples, stacks or methods were lost/);
  assert.match(told({ drops: [{ count: 3, words: "signals", kind: "nothing to see" }] }), /Nothing was lost/);
});

test("exact counts are told to be exact, and need no advice", () => {
  assert.match(told({ kind: "exact" }), /^Every call was counted/);
  assert.equal(advised({ kind: "exact" }), "");
  assert.match(told({ kind: "exact", config: { scope: "app" } }), /^Every call of the program's own methods was counted/);
});

test("a profile without a call says so", () => {
  const edges = { caller: [], bci: [], line: [], callee: [], calls: [], low: null, high: null, flags: [], inlined: [] };
  assert.match(told({ edges, samples: 0 }), /^No calls were observed/);
});

test("a short run is advised to be longer, and a long one is not", () => {
  assert.match(advised(), /for a minute/);
  assert.doesNotMatch(advised({ duration_ns: 90e9 }), /for a minute/);
});

test("a larger budget is advised as far as there is room for one", () => {
  assert.match(advised({ config: { budget_ppm: "5000" } }), /10 times as many samples as this budget of 0.5 %/);
  assert.doesNotMatch(advised({ config: { budget_ppm: "50000" } }), /--budget/);
});

test("exact counting is advised in the scope of the profile", () => {
  assert.match(advised({ config: { scope: "all" } }), /--mode exact --scope all counts inlined calls/);
  assert.match(advised({ config: { scope: "app" } }), /--mode exact counts inlined calls/);
});
