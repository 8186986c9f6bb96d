import assert from "node:assert/strict";
import { test } from "node:test";
import { diagramRows } from "./jit_diagram";
import type { Version } from "./jit_versions";

const sure = (value: number) => ({ value, low: value, high: value });
const version = (compileNs: number, executed: number | null, remaining: number | null): Version => ({
  compilation: 0, level: 3, beginNs: 0, endNs: 0, compileNs, ownNs: null, calls: null, perCall: null, beforeNext: null,
  executed: executed === null ? null : sure(executed), laterCalls: 0, isLaterKnown: true,
  remaining: remaining === null ? null : sure(remaining), made: undefined,
});

test("the ends of two bars differ by what the recompilation gained", () => {
  // 1000 calls of 10 replaced, after 100 of them, by calls of 2 that cost 500 to compile.
  const { rows } = diagramRows([version(0, 1000, 9000), version(500, 1800, null)]);
  const ends = rows.map(({ beginNs, compileNs, executedNs, remainingNs }) => beginNs + compileNs + executedNs + remainingNs);
  assert.deepEqual(ends, [10_000, 3300]);
  assert.equal(ends[0]! - ends[1]!, 900 * 10 - 900 * 2 - 500);
});

test("the drawing reaches as far as the intervals", () => {
  const wide = { ...version(0, 10, null), executed: { value: 10, low: 5, high: 70 } };
  assert.equal(diagramRows([version(4, 6, null), wide]).end, 80);
});

test("of versions nothing of which is known there is nothing to draw", () => {
  assert.equal(diagramRows([version(0, null, null), version(7, null, null)]).end, 0);
});
