import assert from "node:assert/strict";
import { test } from "node:test";
import { MethodSearch } from "./method_search";
import { Names } from "./names";

const METHODS: [type: string, name: string, calls: number][] = [
  ["java.util.HashMap", "put", 5],
  ["java.util.HashMap", "putVal", 50],
  ["java.util.TreeMap", "put", 9],
  ["app.Output", "flush", 1000],
  ["app.Computer", "compute", 70],
  ["java.util.HashMap$Node", "<init>", 30],
];
const strings = METHODS.flatMap(([type, name]) => [type, name]).concat("()V");
const names = new Names({
  strings,
  methods: {
    class: METHODS.map((_, i) => 2 * i), name: METHODS.map((_, i) => 2 * i + 1),
    descriptor: METHODS.map(() => strings.length - 1), file: METHODS.map(() => -1),
  },
});
const CALLS = Float64Array.from(METHODS.map(([, , calls]) => calls));
const search = new MethodSearch(names, CALLS);
const find = (query: string) => search.find(query).map((method) => names.short(method));

test("an exact name comes before a prefix, a prefix before what is inside a word", () => {
  assert.deepEqual(find("put"),
    ["TreeMap.put", "HashMap.put", "HashMap.putVal", "Output.flush", "Computer.compute"]);
});

test("all words must be in the name, in any order and any case", () => {
  assert.deepEqual(find("PUT hash"), ["HashMap.putVal", "HashMap.put"]);
  assert.deepEqual(find("put nowhere"), []);
});

test("class and method as two words are an exact name, too", () => {
  assert.deepEqual(find("hashmap put"), ["HashMap.put", "HashMap.putVal"]);
});

test("the beginnings of humps find a name", () => {
  assert.deepEqual(find("hmpv"), ["HashMap.putVal"]);
  assert.deepEqual(find("HaMPut"), ["HashMap.putVal", "HashMap.put"]);
  assert.deepEqual(find("HMN"), ["HashMap$Node.<init>"]);
  assert.deepEqual(find("hv"), []);
});

test("a full name with its descriptor finds one method", () => {
  assert.deepEqual(find("java.util.hashmap.put()v"), ["HashMap.put"]);
});

test("nothing typed finds all, in the order of the table", () => {
  assert.equal(find("  ").length, METHODS.length);
});

test("signs that mean something in patterns are searched as they are", () => {
  assert.deepEqual(find("<init>"), ["HashMap$Node.<init>"]);
  assert.deepEqual(find("$node"), ["HashMap$Node.<init>"]);
  assert.deepEqual(find("[("), []);
});

test("a longer query finds what it finds alone, whatever was asked before", () => {
  const typed = new MethodSearch(names, CALLS);
  for (const word of ["hmPut", "hashmap put", "put", "get i", "Hm"]) {
    for (let end = 1; end <= word.length; end++) {
      const query = word.slice(0, end);
      assert.deepEqual(typed.find(query), new MethodSearch(names, CALLS).find(query), query);
    }
    for (let end = word.length; end > 0; end--) {
      const query = word.slice(0, end);
      assert.deepEqual(typed.find(query), new MethodSearch(names, CALLS).find(query), query);
    }
  }
});
