import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileData } from "../data/page_data";
import { budgetOf, countingCost, recordingCost } from "./recording_cost";

const of = (config: Record<string, string>) => ({ config }) as unknown as ProfileData;

test("the cost is that of all its parts, of the program's CPU time", () => {
  const cost = recordingCost(of({
    "cost.program_cpu_ns": "1000", "cost.drain_cpu_ns": "10", "cost.slow_path_ns": "20", "cost.stacks_ns": "0",
  }))!;
  assert.equal(cost.share, 0.03);
  assert.deepEqual(cost.parts.map(({ ns }) => ns), [20, 10]);
});

test("a cost that was not measured is not known, rather than none", () => {
  assert.equal(recordingCost(of({ "cost.drain_cpu_ns": "10" })), undefined);
});

test("counting cost is that of the calls counted and of the stacks walked", () => {
  const exact = (config: Record<string, string>) => countingCost({ kind: "exact", calls: 100, config } as unknown as ProfileData);
  const cost = exact({ "counting.call_ps": "3000", "counting.walks_ns": "200", "counting.program_cpu_ns": "1000" })!;
  assert.equal(cost.addedNs, 3);
  assert.equal(cost.walksNs, 200);
  assert.equal(cost.share, 0.5);
  assert.equal(cost.factor, 2);
  assert.ok(Number.isNaN(exact({ "counting.call_ps": "9900", "counting.program_cpu_ns": "1000" })!.factor));
  assert.equal(exact({ "counting.program_cpu_ns": "1000" }), undefined);
});

test("a budget of 0 is no limit", () => {
  assert.equal(budgetOf(of({ budget_ppm: "5000" })), 0.005);
  assert.ok(Number.isNaN(budgetOf(of({ budget_ppm: "0" }))));
  assert.ok(Number.isNaN(budgetOf(of({}))));
});
