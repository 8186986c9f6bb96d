import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { advice, certainties, certaintyBands, dropsOf, ownCost, trustInWords } from "./trust";

function profile(changes: Partial<ProfileData> = {}): ProfileData {
  const edges = {
    caller: [0, 0, 0], bci: [1, 2, 3], line: [1, 2, 3], callee: [1, 1, 1], calls: [900, 90, 10],
    low: [800, 45, 0], high: [1000, 180, 40], flags: [2, 18, 2], inlined: [0, 2, 0],
  };
  return {
    name: "x.yp", config: { policy: "countdown" }, complete: true, damage: "", warnings: [],
    duration_ns: 5e9, agent_cpu_ns: 0, kind: "sampled", samples: 100, calls: 1000, edges, trees: [],
    windows: { tick: [1, 2], thread: [0, 0], start_ns: [0, 1], latency_ns: [0, 0], duration_ns: [1, 1],
      interval_ns: [1, 1], calls: [1, 1], samples: [1, 1] },
    threads: { id: [], name: [] }, drops: {}, jit: null, ...changes,
  };
}
const graphOf = (of: ProfileData) => new CallGraph(of.edges, 2);

test("how sure an edge is goes by its interval, the hottest edge first", () => {
  const found = certainties(graphOf(profile()));
  assert.deepEqual(found.map(({ edge }) => edge), [0, 1, 2]);
  assert.ok(Math.abs(found[0]!.relative - 100 / 900) < 1e-12);
  assert.equal(found[1]!.isInferred, true);
});

test("edges are banded by their share, each in one band", () => {
  const bands = certaintyBands(certainties(graphOf(profile())));
  assert.equal(bands.reduce((sum, { edges }) => sum + edges, 0), 3);
  assert.deepEqual(bands.map(({ from }) => from), [0.01, 0.001]);
  assert.equal(bands[1]!.median, 2);
});

test("the one edge there is is in a band, too", () => {
  const one = profile();
  one.edges = { ...one.edges, caller: [0], bci: [1], line: [1], callee: [1], calls: [5], low: [5], high: [5], flags: [2], inlined: [0] };
  assert.equal(certaintyBands(certainties(graphOf(one))).length, 1);
});

test("what there was nothing to see of is no loss", () => {
  const rows = dropsOf(profile({ drops: { in_compiler: 50, ring_full: 3, never_heard_of: 1 } }));
  assert.deepEqual(rows.map(({ reason, isLoss }) => [reason, isLoss]),
    [["in_compiler", false], ["ring_full", true], ["never_heard_of", true]]);
  assert.equal(rows[2]!.words, "never heard of");
});

test("losses are told, and only where there are any", () => {
  const told = (drops: Record<string, number>) => {
    const of = profile({ drops });
    return trustInWords(of, graphOf(of)).join(" ");
  };
  assert.match(told({ ring_full: 3 }), /3 samples or stacks were lost/);
  assert.doesNotMatch(told({ in_compiler: 3 }), /lost/);
});

test("exact counts are told to be exact, and need no advice", () => {
  const exact = profile({ kind: "exact" });
  assert.match(trustInWords(exact, graphOf(exact))[0]!, /Every call was counted/);
  assert.deepEqual(advice(exact, graphOf(exact)), []);
});

test("a short run is advised to be longer", () => {
  const short = profile(), long = profile({ duration_ns: 90e9 });
  assert.ok(advice(short, graphOf(short)).some((line) => /minute/.test(line)));
  assert.ok(!advice(long, graphOf(long)).some((line) => /minute/.test(line)));
});

test("the cost is that of all its parts, or not known", () => {
  assert.equal(ownCost(profile({ config: { "cost.program_cpu_ns": "100", "cost.drain_cpu_ns": "1", "cost.slow_path_ns": "2" } })), 0.03);
  assert.ok(Number.isNaN(ownCost(profile())));
});
