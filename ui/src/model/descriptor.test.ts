import assert from "node:assert/strict";
import { test } from "node:test";
import { readableDescriptor } from "./descriptor";

test("descriptors read like Java, and what is none stays what it is", () => {
  assert.equal(readableDescriptor("(I[[Ljava/lang/String;J)Z"), "(int, String[][], long) → boolean");
  assert.equal(readableDescriptor("()V"), "() → void");
  for (const odd of ["", "(", "(Ljava/lang", "(Q)V", "x"]) assert.equal(readableDescriptor(odd), odd);
});
