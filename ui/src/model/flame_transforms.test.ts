import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { A, B, C, contextsOf, frameIn, linesOf, METHODS } from "./flame_fixture";
import { inverted } from "./flame_inverted";
import { transformed, type Transform } from "./flame_transforms";
import { CODE_KINDS, flameTree, inlinedShare, mainLevel, type FlameTree } from "./flame_tree";

const treeAfter = (text: string, transform: Transform) => flameTree(transformed(contextsOf(text), transform));
const after = (text: string, transform: Transform) => linesOf(treeAfter(text, transform));
const invertedOf = (text: string, atMost?: number) => inverted(contextsOf(text), METHODS, atMost);

describe("transforms", () => {
  test("focus has what is below a method, from all its places", () => {
    assert.deepEqual(after("a;b;c 2\nd;b;c 3\nd;b 1\na 7", { kind: "focus", method: B }), ["b 1", "b;c 5"]);
  });
  test("a method in focus that calls itself stays below itself", () => {
    assert.deepEqual(after("a;b;c;b 2", { kind: "focus", method: B }), ["b;c;b 2"]);
  });
  test("callers has the stacks that lead to a method, and all that it took", () => {
    assert.deepEqual(after("a;b;c 2\nd;b 3\nd 9\na;b;c;b;e 1\na;e 4", { kind: "callers", method: B }),
      ["a;b 3", "d;b 3"]);
  });
  test("drop leaves out every stack with the method", () => {
    assert.deepEqual(after("a;b;c 2\na;c 3\nb 1", { kind: "drop", method: B }), ["a;c 3"]);
  });
  test("merge gives a method's weight and callees to its callers", () => {
    assert.deepEqual(after("a;b;c 2\na;b 3\na;c 1", { kind: "merge", method: B }), ["a 3", "a;c 3"]);
  });
  test("leaf makes what a method calls its own", () => {
    assert.deepEqual(after("a;b;c 2\na;b;b;d 3\nb;c 1\nc;d 1", { kind: "leaf", method: B }),
      ["a;b 5", "b 1", "c;d 1"]);
  });
  test("recursion is one frame, but only where a method calls itself", () => {
    assert.deepEqual(after("a;b;b;b;c 2\nb;a;b 1", { kind: "recursion" }), ["a;b;c 2", "b;a;b 1"]);
  });
  test("loops has a method once in a stack, with what its innermost frame calls", () => {
    assert.deepEqual(after("a;b;c;b;d 2\na;b;c 1\nb;a;b 4", { kind: "loops", method: B }),
      ["a;b;c 1", "a;b;d 2", "b 4"]);
  });
  test("only what leaves stacks out loses weight", () => {
    const text = "a;b;b;c;b;c 2\na;c 3\nb 1";
    for (const kind of ["merge", "leaf", "loops"] as const) {
      assert.equal(treeAfter(text, { kind, method: B }).total[0], 6, kind);
    }
    assert.equal(treeAfter(text, { kind: "recursion" }).total[0], 6);
  });
  test("a method merged at the stacks' beginning leaves its weight to the whole", () => {
    const tree = treeAfter("a;b 2\na 3", { kind: "merge", method: A });
    assert.deepEqual([tree.self[0], tree.total[0]], [3, 5]);
  });
  test("they come one after the other", () => {
    const focused = transformed(contextsOf("a;b;c;d 2\nb;c 1\nd 4"), { kind: "focus", method: B });
    assert.deepEqual(linesOf(flameTree(transformed(focused, { kind: "leaf", method: C }))), ["b;c 3"]);
  });
  test("a call site of a method that was merged is not taken for one of its caller", () => {
    const tree = treeAfter("a;b;c 1", { kind: "merge", method: B });
    assert.equal(tree.line[frameIn(tree, "a;c")], 0);
  });
});

describe("code after transforms", () => {
  // What was executed by each kind of code adds up to a frame's total, whatever was done.
  const codeAddsUp = (tree: FlameTree) => {
    for (let node = 1; node < tree.parent.length; node++) {
      const sum = tree.code!.slice(CODE_KINDS * node, CODE_KINDS * (node + 1)).reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - tree.total[node]!) < 1e-9, `frame ${node}: ${sum} of ${tree.total[node]}`);
      assert.ok(inlinedShare(tree, node) <= 1 + 1e-12);
    }
  };
  const text = "a0;b4;c4!;b1;d0 2\na4;b4!;c0 3\na0;c4! 5\na4;c1;b0;c0 1\nb3;b3;b4! 7\na0 1";
  for (const kind of ["focus", "callers", "drop", "merge", "leaf", "loops"] as const) {
    test(`${kind} leaves each frame as much as its total`, () => codeAddsUp(treeAfter(text, { kind, method: B })));
  }
  test("so does a tree without recursion, and an inverted one", () => {
    codeAddsUp(treeAfter(text, { kind: "recursion" }));
    codeAddsUp(invertedOf(text).tree);
  });
  test("a frame is inlined into a caller if all between them was", () => {
    const share = (stack: string) => {
      const tree = treeAfter(stack, { kind: "merge", method: B });
      return inlinedShare(tree, frameIn(tree, "a;c"));
    };
    assert.deepEqual([share("a4;b4!;c4! 1"), share("a4;b4;c4! 1"), share("a4;b4!;c4 1")], [1, 0, 0]);
  });
  test("a frame's code is that of the stacks that stay", () => {
    const tree = treeAfter("a0;b 5\na4;c 1", { kind: "drop", method: B });
    assert.equal(mainLevel(tree, frameIn(tree, "a")), 4);
  });
});

describe("inverted trees", () => {
  test("lead from where stacks end to their callers", () => {
    assert.deepEqual(linesOf(invertedOf("a;b;c 2\nd;c 3\nd 1\nb;c 4").tree),
      ["c;b 4", "c;b;a 2", "c;d 3", "d 1"]);
  });
  test("know the code of callers by the stacks that come through them", () => {
    const { tree } = invertedOf("a0;b4 1\na4;c4 9");
    assert.equal(mainLevel(tree, frameIn(tree, "b;a")), 0);
    assert.equal(mainLevel(tree, frameIn(tree, "c;a")), 4);
  });
  test("of stacks cut at a method have all its callers", () => {
    const callers = transformed(contextsOf("a;b;d 2\nc;b 3\na;c 1"), { kind: "callers", method: B });
    assert.deepEqual(linesOf(inverted(callers, METHODS).tree), ["b;a 2", "b;c 3"]);
  });
  test("with too many frames have the callers of the heaviest, and tell what is missing", () => {
    const text = "a;b;c 9\nd;e;f 5\ng;h;i 1";
    const { tree: some, cut, cutWeight } = invertedOf(text, 6);
    assert.deepEqual(linesOf(some), ["c;b;a 9", "f;e 5", "i 1"]);
    assert.deepEqual([cut, cutWeight, some.total[0]], [2, 6, 15]);
    assert.equal(invertedOf(text).cut, 0);
  });
  test("of stacks of thousands of frames take no recursion", () => {
    const deep = `${Array(3000).fill(0).map((_, i) => "abc"[i % 3]).join(";")} 1`;
    assert.equal(invertedOf(deep).tree.parent.length, 3001);
  });
});
