import assert from "node:assert/strict";
import { test } from "node:test";
import { flowed } from "./flow";

test("items stand in a row as long as there is room, then in the next", () => {
  assert.deepEqual(flowed([40, 50, 10, 200, 5], 100, 10),
    [{ x: 0, row: 0 }, { x: 50, row: 0 }, { x: 0, row: 1 }, { x: 0, row: 2 }, { x: 0, row: 3 }]);
  assert.deepEqual(flowed([], 100, 10), []);
});
