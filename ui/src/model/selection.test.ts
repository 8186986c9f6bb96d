import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageData, ProfileData, SliceData } from "../data/page_data";
import { PageModel } from "./page_model";
import { callsOfGroup, describeSelection, parseSelection, renderSelection, selected } from "./selection";
import { compilerTracks, groupTracks, tracksOf } from "./tracks";

const slices: SliceData = {
  part_ns: 1e9, parts: 4, groups: ["main", "pool-1", "pool-2"], thread_group: [0, 1, -1],
  calls: { part: [1, 3], group: [0, 1], edge: [0, 0], calls: [600, 400], units: [1, 1], sampled: [1000], inferred: [0] },
  stacks: { part: [0, 2], group: [0, 1], node: [1, 1], samples: [3, 4] },
};
const data = {
  strings: ["A", "m", "()V"], methods: { class: [0], name: [1], descriptor: [2], file: [-1], line: [0] }, sources: null, diff: null,
  profiles: [{
    name: "p", kind: "sampled", calls: 1500, samples: 10, ticks: 2, duration_ns: 4e9, slices, config: {},
    edges: { caller: [-1], bci: [-1], line: [0], callee: [0], calls: [1500], low: [1000], high: [2000], flags: [2], inlined: [0] },
    trees: [{ unit: "samples", parent: [0, 0], method: [-1, 0], bci: [-1, -1], line: [0, 0], weight: [0, 7], level: null, inlined: null, sample_ns: 0, hidden_nodes: 5, hidden_weight: 2 },
      { unit: "calls", parent: [0], weight: [0] }],
    windows: { tick: [1, 2], thread: [7, 8], start_ns: [1e9, 3e9], calls: [1, 1] },
    threads: { id: [7, 8, 9], name: ["main", "pool-1", ""] },
    jit: { recompilations: { compilation: [0, 1] }, compilations: { start_ns: [5e8, 2e9] } },
  }],
} as unknown as PageData;
const whole = new PageModel(data);
const of = (from: string, to: string, groups = "") => selected(whole, parseSelection(slices, from, to, groups)!);

test("an address without a selection, or with one of all, has none", () => {
  for (const [from, to, groups] of [["", "", ""], ["0", "", ""], ["", "", "0.1.2"], ["5", "5", ""], ["9", "3", ""], ["x", "", ""], ["", "", "7.-1"]] as const) {
    assert.equal(parseSelection(slices, from, to, groups), undefined, `${from} ${to} ${groups}`);
  }
  assert.equal(parseSelection(null, "1", "2", ""), undefined);
});

test("a selection stands in the address as it is read from there", () => {
  const selection = parseSelection(slices, "1000", "2500", "2.0")!;
  assert.deepEqual(renderSelection(selection), { tfrom: "1000", tto: "2500", tthr: "0.2" });
  assert.equal(describeSelection(selection, slices, 4e9), "1.00 s to 2.50 s, pool-2 and main");
  assert.equal(describeSelection(parseSelection(slices, "", "", "1")!, slices, 4e9), "pool-1");
});

test("all that a page has follows: calls, stacks, windows, recompilations", () => {
  const { model } = of("", "2000");
  assert.deepEqual([...model.profile.edges.calls as Float64Array], [600]);
  assert.equal(model.profile.calls, 600);
  assert.equal(model.graph.callsOf[0], 600);
  assert.deepEqual(model.profile.trees.map(({ weight, hidden_weight }) => [weight, hidden_weight]), [[[0, 3], 0]]);
  assert.deepEqual(model.profile.windows.tick, [1]);
  assert.deepEqual(model.profile.jit!.recompilations.compilation, [0]);
  assert.equal(model.names, whole.names);
});

test("of threads are their calls, stacks and windows; compilations are of all", () => {
  const { model } = of("", "", "1");
  assert.deepEqual([...model.profile.edges.calls as Float64Array], [400]);
  assert.deepEqual(model.profile.trees[0]!.weight, [0, 4]);
  assert.deepEqual(model.profile.windows.thread, [8]);
  assert.deepEqual(model.profile.jit, whole.profile.jit);
});

test("what a selection cannot tell is said", () => {
  const notes = of("", "2000").notes.join("\n");
  assert.match(notes, /^500 calls, 33\.3 % of the run's, were counted by the VM/m);
  assert.doesNotMatch(notes, /small part/);
  assert.equal(of("", "2000").lacksMost, false);
  assert.match(of("", "", "1").notes.join("\n"), /The 400 of this one may be a small part of its calls/);
  assert.equal(of("", "", "1").lacksMost, true);
  assert.match(notes, /Contexts of calls have neither/);
  assert.match(of("", "1000").notes.join("\n"), /No call was sampled/);
});

test("tracks are of the threads asked for", () => {
  const tracks = tracksOf(whole.profile, (group) => group === 0)!;
  assert.deepEqual([...tracks.calls!], [200, 200, 200, 0], "of ticks in the second and the last part");
  assert.deepEqual([...tracks.stacks!], [3, 0, 0, 0]);
  assert.deepEqual([...tracks.compilations!], [1, 0, 1, 0]);
  assert.deepEqual(groupTracks(whole.profile).map(({ name, sampledCalls, stacks }) => [name, sampledCalls, stacks]),
    [["main", 600, 3], ["pool-1", 400, 4], ["pool-2", 0, 0]]);
});

test("a group of threads has as many calls as a selection of it", () => {
  for (const group of [0, 1, 2]) {
    const selection = parseSelection(whole.profile.slices, "", "", String(group))!;
    assert.equal(callsOfGroup(whole, group), selected(whole, selection).model.profile.calls);
  }
  assert.ok(callsOfGroup(whole, 0) > 0);
});

test("threads that compile have what their compilations took, where they took it", () => {
  const jit = { compilations: { thread: [0, 1, 0, 0], start_ns: [5e8, 1e9, 2.5e9, -1], end_ns: [15e8, 1.1e9, 2.6e9, 0], compile_ns: [1e9, 1e8, 5e7, 7e9] } };
  const tracks = compilerTracks({ ...whole.profile, jit } as unknown as ProfileData, ["C2 CompilerThread0", "C1 CompilerThread0"]);
  assert.deepEqual(tracks.map(({ name, compilations, compileNs, byPart }) => [name, compilations, compileNs, ...byPart]), [
    ["C2 CompilerThread0", 2, 1.05e9, 5e8, 5e8, 5e7, 0], ["C1 CompilerThread0", 1, 1e8, 0, 1e8, 0, 0]]);
});
