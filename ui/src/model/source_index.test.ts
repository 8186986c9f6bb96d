import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageData } from "../data/page_data";
import { PageModel } from "./page_model";
import { sourceIndex } from "./source_index";

// Methods 0 and 1 are of a/A.java (1 of an inner class), 2 of b/B.java, 3 of a file that is not known,
// 4 of a file of which nothing was seen. Edges: caller, bci, line, callee, calls, inlined.
const EDGES = [[-1, -1, 0, 0, 1, 0], [0, 1, 10, 1, 30, 0], [0, 5, 10, 2, 10, 0], [0, 9, 12, 3, 5, 2], [1, 2, 20, 2, 7, 1]];
const column = (at: number) => EDGES.map((edge) => edge[at]!);
const data = {
  format: 1, generator: "", diff: null, sources: null,
  strings: ["a.A", "a.A$In", "b.B", "c.C", "d.D", "m", "()V", "A.java", "B.java", "D.java", "inline (hot)", "too big"],
  methods: { class: [0, 1, 2, 3, 4], name: [5, 5, 5, 5, 5], descriptor: [6, 6, 6, 6, 6], file: [7, 7, 8, -1, 9], line: [9, 19, 3, 0, 1] },
  profiles: [{
    name: "p", kind: "sampled", calls: 53, config: {}, windows: {}, threads: {},
    edges: { caller: column(0), bci: column(1), line: column(2), callee: column(3), calls: column(4),
      low: column(4).map((calls) => calls / 2), high: column(4).map((calls) => calls * 2), flags: EDGES.map(() => 2), inlined: column(5) },
    trees: [{ unit: "samples", sample_ns: 10, parent: [0, 0, 1, 2, 2], method: [-1, 0, 1, 0, 2], bci: [-1, -1, 1, 3, 2],
      line: [0, 0, 10, 21, 20], weight: [0, 1, 2, 4, 8], level: null, inlined: null, hidden_nodes: 0, hidden_weight: 0 }],
    unexecuted: { caller: [0, 0, 1], bci: [40, 44, 50], line: [15, 0, 20], callee: [0, 0, 1], left_out: 0 },
    jit: {
      methods: { method: [0, 1, 2, 3], loader: [] },
      inlinings: { compile_id: [1, 1, 2, 2], osr: [0, 0, 0, 0], caller: [0, 0, 0, 0], bci: [1, 5, 5, 30], line: [10, 10, 10, 14], callee: [1, 2, 2, 3],
        ok: [1, 1, 0, 0], reason: [10, 10, 11, 11] },
    },
  }],
} as unknown as PageData;
const index = sourceIndex(new PageModel(data));

test("files are those of which something was seen, most calls first, inner classes with the outer one", () => {
  assert.deepEqual(index.files.map(({ path, methods, calls, made, self }) => [path, methods, calls, made, self]),
    [["a/A.java", [0, 1], 31, 52, 70], ["b/B.java", [2], 17, 0, 80]]);
});

test("a line has the calls of all its sites, their bounds added up, the busiest site first", () => {
  const line = index.linesOf("a/A.java").get(10)!;
  assert.deepEqual([line.calls, line.low, line.high, line.hasCalls], [40, 20, 80, true]);
  assert.deepEqual(line.sites.map(({ bci, callee, edge }) => [bci, callee, edge]), [[1, 1, 1], [5, 2, 2]]);
});

test("methods begin at their lines, also at one without a call", () => {
  const lines = index.linesOf("a/A.java");
  assert.deepEqual([...lines.values()].filter(({ methods }) => methods.length > 0).map(({ line, methods }) => [line, methods]), [[9, [0]], [19, [1]]]);
  assert.equal(lines.get(9)!.hasCalls, false);
});

test("a line has the time of its calls with what these call, a recursion once", () => {
  const lines = index.linesOf("a/A.java");
  assert.deepEqual([10, 20, 21].map((line) => lines.get(line)?.below), [140, 80, 40]);
});

test("what compilers decided says whether a line's calls were inlined, and else its edges", () => {
  const lines = index.linesOf("a/A.java");
  assert.deepEqual([10, 12, 20].map((line) => lines.get(line)!.inlined), ["some", "all", "some"]);
  const { sites, inlined, hasCalls } = lines.get(14)!;
  assert.deepEqual([sites[0]!.edge, sites[0]!.callee, inlined, hasCalls], [undefined, 3, "none", false]);
});

test("a line has the calls that were never executed, beside those that were", () => {
  const lines = index.linesOf("a/A.java");
  assert.deepEqual([lines.get(15)!.unexecuted, lines.get(15)!.hasCalls], [[{ caller: 0, bci: 40, callee: "a.A" }], false]);
  assert.deepEqual([lines.get(20)!.unexecuted.length, lines.get(20)!.hasCalls], [1, true]);
  assert.equal(lines.has(0), false);
});

test("of a file that there is not nothing is known", () => {
  assert.equal(index.linesOf("x/Y.java").size, 0);
  assert.equal(index.file("d/D.java"), undefined);
});
