import assert from "node:assert/strict";
import { test } from "node:test";
import { readableDescriptor, shortOfFullName } from "./descriptor";

test("descriptors read like Java, and what is none stays what it is", () => {
  assert.equal(readableDescriptor("(I[[Ljava/lang/String;J)Z"), "(int, String[][], long) → boolean");
  assert.equal(readableDescriptor("()V"), "() → void");
  for (const odd of ["", "(", "(Ljava/lang", "(Q)V", "x"]) assert.equal(readableDescriptor(odd), odd);
});

test("a full name is shortened to class, name and parameters", () => {
  assert.equal(shortOfFullName("java.util.HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;"), "HashMap.get(Object)");
  assert.equal(shortOfFullName("a.b.C.<init>([IJ)V"), "C.<init>(int[], long)");
  assert.equal(shortOfFullName("f()V"), "f()");
  assert.equal(shortOfFullName("no descriptor"), "no descriptor");
});
