import assert from "node:assert/strict";
import { test } from "node:test";
import { parseParams, renderParams } from "./url_state";

test("parameters survive the address, whatever is in them", () => {
  const odd = new Map([["method", "a.B$C.<init>(Ljava/lang/String;)V"], ["q", "x & y = #1 %25 ü"]]);
  assert.deepEqual(parseParams(renderParams(odd)), odd);
});

test("the same parameters have the same address, in whatever order they came", () => {
  assert.equal(renderParams(new Map([["b", "2"], ["a", "1"]])), renderParams(new Map([["a", "1"], ["b", "2"]])));
});
