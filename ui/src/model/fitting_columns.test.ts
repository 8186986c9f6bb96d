import assert from "node:assert/strict";
import { test } from "node:test";
import { fittingColumns, leastRem } from "./fitting_columns";

const name = { id: "name", width: "minmax(9rem, 1fr)" };
const calls = { id: "calls", width: "4rem", spare: 1 };
const share = { id: "share", width: "3.5rem", spare: 2 };
const columns = [name, share, calls];
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const fitting = (rem: number, kept = "") => {
  const { shown, leftOut } = fittingColumns(columns, rem, ({ id }) => id === kept);
  return [ids(shown), ids(leftOut)];
};

test("columns need their widths, and room between and beside them", () => {
  assert.equal(leastRem(columns).toFixed(1), "18.9");
});

test("all are shown where there is room", () => {
  assert.deepEqual(fitting(19), [["name", "share", "calls"], []]);
});

test("those that can be spared most leave first, the others stay in their order", () => {
  assert.deepEqual(fitting(18), [["name", "calls"], ["share"]]);
  assert.deepEqual(fitting(12), [["name"], ["share", "calls"]]);
});

test("what is kept, and what cannot be spared, stays however narrow it is", () => {
  assert.deepEqual(fitting(1, "share"), [["name", "share"], ["calls"]]);
});
