import assert from "node:assert/strict";
import { test } from "node:test";
import { Names } from "./names";

// "java.util.List.get (I)V"
function labelsOf(...methods: string[]): string[] {
  const strings: string[] = [];
  const all = methods.map((text) => {
    const [full, descriptor] = text.split(" ") as [string, string], dot = full.lastIndexOf(".");
    return [full.slice(0, Math.max(0, dot)), full.slice(dot + 1), descriptor].map((part) => strings.includes(part) ? strings.indexOf(part) : strings.push(part) - 1);
  });
  const names = new Names({ strings, methods: {
    class: all.map(([type]) => type!), name: all.map(([, name]) => name!),
    descriptor: all.map(([, , descriptor]) => descriptor!), file: all.map(() => -1),
  } });
  return methods.map((_, method) => names.label(method));
}

test("a method that has its short name for itself shows no more", () => {
  assert.deepEqual(labelsOf("a.B.c (I)V", "a.B.d (I)V", "a.C.c (I)V", "main ()V"), ["B.c", "B.d", "C.c", "main"]);
});

test("overloads show their parameters, as many as it takes", () => {
  assert.deepEqual(labelsOf("a.B.c ()V", "a.B.c (I)V", "a.B.c (II)V", "a.B.c (III)V", "a.B.c (Ljava/lang/String;[JZ)V"),
    ["B.c()", "B.c(int)", "B.c(int, int)", "B.c(int, int, …)", "B.c(String, …)"]);
});

test("overloads of the same parameters show their results", () => {
  assert.deepEqual(labelsOf("a.B.c (I)Ljava/lang/Object;", "a.B.c (I)Ljava/lang/String;", "a.B.c (J)V"),
    ["B.c(int) → Object", "B.c(int) → String", "B.c(long)"]);
});

test("classes of the same simple name show as much of their packages as it takes", () => {
  assert.deepEqual(labelsOf("java.util.List.get (I)V", "java.awt.List.get (I)V", "List.get (I)V", "java.awt.List.put ()V"),
    ["util.List.get", "awt.List.get", "List.get", "List.put"]);
  assert.deepEqual(labelsOf("a.x.A.f ()V", "b.x.A.f ()V", "b.x.A.f (I)V"), ["a.x.A.f", "b.x.A.f()", "b.x.A.f(int)"]);
});

test("what is no descriptor tells methods apart as it is", () => {
  assert.deepEqual(labelsOf("a.B.c ?", "a.B.c !"), ["B.c() → ?", "B.c() → !"]);
});
