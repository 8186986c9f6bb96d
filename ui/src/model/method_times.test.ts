import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextTree, ProfileData } from "../data/page_data";
import { methodTimes } from "./method_times";

// A tree written as "depth method weight" a line.
function tree(text: string, changes: Partial<ContextTree> = {}): ContextTree {
  const parent = [0], method = [-1], weight = [0], path = [0];
  for (const line of text.trim().split("\n")) {
    const [depth, m, w] = line.trim().split(" ").map(Number) as [number, number, number];
    parent.push(path[depth - 1]!);
    method.push(m);
    weight.push(w);
    path[depth] = parent.length - 1;
  }
  const none = parent.map(() => 0);
  return {
    unit: "samples", sample_ns: 0, parent, method, weight, bci: none, line: none,
    level: null, inlined: null, hidden_nodes: 0, hidden_weight: 0, ...changes,
  };
}
const profile = (...trees: ContextTree[]) => ({ trees }) as ProfileData;

test("total time is that of a method and of what it calls", () => {
  const times = methodTimes(profile(tree(`
    1 0 1
    2 1 2
    3 2 4
    2 2 8`)), 3)!;
  assert.deepEqual([...times.self], [1, 2, 12]);
  assert.deepEqual([...times.total], [15, 6, 12]);
  assert.equal(times.all, 15);
  assert.equal(times.unit, "samples");
});

test("a recursive method's time counts once, also through others and beside itself", () => {
  const times = methodTimes(profile(tree(`
    1 0 1
    2 0 2
    3 1 4
    4 0 8
    1 1 16
    2 0 32`)), 2)!;
  assert.deepEqual([...times.total], [47, 60]);
  assert.deepEqual([...times.self], [43, 20]);
});

test("samples become time when it is known what one stands for, hidden contexts included", () => {
  const times = methodTimes(profile(tree("1 0 3", { sample_ns: 1e6, hidden_weight: 2 })), 1)!;
  assert.deepEqual([times.unit, times.self[0], times.all, times.hidden], ["time", 3e6, 5e6, 2e6]);
});

test("a tree of calls is no time", () => {
  assert.equal(methodTimes(profile(tree("1 0 3", { unit: "calls" })), 1), undefined);
});
