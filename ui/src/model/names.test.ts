import assert from "node:assert/strict";
import { test } from "node:test";
import { Names, ROOT } from "./names";

const names = new Names({
  strings: ["java.util.HashMap$Node", "<init>", "(I[Ljava/lang/String;)V", "HashMap.java", "Main", "main", "()V"],
  methods: { class: [0, 4], name: [1, 5], descriptor: [2, 6], file: [3, -1] },
});

test("a method has its names, long and short", () => {
  assert.equal(names.full(0), "java.util.HashMap$Node.<init>(I[Ljava/lang/String;)V");
  assert.equal(names.short(0), "HashMap$Node.<init>");
  assert.equal(names.packageName(0), "java.util");
  assert.equal(names.sourcePath(0), "java/util/HashMap.java");
});

test("a class without a package, in a file that is not known, has names, too", () => {
  assert.equal(names.full(1), "Main.main()V");
  assert.equal(names.packageName(1), "");
  assert.equal(names.sourcePath(1), "");
  assert.equal(names.at(1, 12), "");
});

test("full names are found again, the root's too", () => {
  assert.equal(names.find("Main.main()V"), 1);
  assert.equal(names.find("(root)"), ROOT);
  assert.equal(names.find("Main.main()I"), undefined);
});
