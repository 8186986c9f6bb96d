import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContextTree } from "../data/page_data";
import { boxAt, flameLayout, matchedWeight, visibleBoxes } from "./flame_layout";
import { inverted, parseTransforms, renderTransforms, transformed, type Transform } from "./flame_transforms";
import { collapsed, flameTree, methodWeights, pathOf, type FlameTree } from "./flame_tree";

// Methods are letters: "a;b 3" is three samples in b, called by a. "b!" is inlined, of level 4.
const METHODS = 26;
const letter = (method: number) => String.fromCharCode(97 + method);
function contexts(text: string): ContextTree {
  const tree: ContextTree = {
    unit: "samples", sample_ns: 1, parent: [0], method: [-1], bci: [-1], line: [0], weight: [0],
    level: [-1], inlined: [0], hidden_nodes: 0, hidden_weight: 0,
  };
  const index = new Map<string, number>();
  for (const line of text.trim().split("\n")) {
    const [stack, weight] = line.trim().split(" ") as [string, string];
    let at = 0, path = "";
    for (const frame of stack.split(";")) {
      path += `;${frame}`;
      let node = index.get(path);
      if (node === undefined) {
        index.set(path, node = tree.parent.length);
        tree.parent.push(at);
        tree.method.push(frame.charCodeAt(0) - 97);
        tree.bci.push(0);
        tree.line.push(0);
        tree.weight.push(0);
        tree.level!.push(frame.endsWith("!") ? 4 : 0);
        tree.inlined!.push(frame.endsWith("!") ? 1 : 0);
      }
      at = node;
    }
    tree.weight[at]! += Number(weight);
  }
  return tree;
}
const tree = (text: string) => flameTree(contexts(text), METHODS);
const lines = (of: FlameTree) => collapsed(of, letter).trim().split("\n").sort();
const after = (text: string, transform: Transform) => lines(transformed(tree(text), transform, METHODS));
const [A, B, C] = [0, 1, 2];

describe("trees", () => {
  test("frames of one method below the same frame are one, whatever their code is", () => {
    const both = tree("a;b 3\na;b! 5\na;c 1");
    assert.deepEqual(lines(both), ["a;b 8", "a;c 1"]);
    const b = [...both.method].indexOf(B);
    assert.equal(both.level![b], 4);
    assert.equal(both.inlined![b], 5 / 8);
  });
  test("a frame's total has all below it, and the path leads to it", () => {
    const whole = tree("a;b;c 2\na;b 3\na 1");
    const c = [...whole.method].indexOf(C);
    assert.deepEqual([...whole.total].slice(0, 2), [6, 6]);
    assert.deepEqual(pathOf(whole, c).map((node) => whole.method[node]), [A, B, C]);
  });
  test("stacks of thousands of frames need no recursion", () => {
    const deep = tree(`${Array(5000).fill("a").join(";")} 1`);
    assert.equal(flameLayout(deep, () => 0).depth[deep.parent.length - 1], 5000);
    assert.deepEqual(methodWeights(deep), [{ method: A, self: 1, total: 1 }]);
  });
  test("a recursive method's total counts each stack once", () => {
    const rows = methodWeights(tree("a;b;a 2\na;b 1\nb;c 4"));
    assert.deepEqual(rows.sort((x, y) => x.method - y.method), [
      { method: A, self: 2, total: 3 }, { method: B, self: 1, total: 7 }, { method: C, self: 4, total: 4 },
    ]);
  });
});

describe("transforms", () => {
  test("focus has what is below a method, from all its places", () => {
    assert.deepEqual(after("a;b;c 2\nd;b;c 3\nd;b 1\na 7", { kind: "focus", method: B }), ["b 1", "b;c 5"]);
  });
  test("a method in focus that calls itself stays below itself", () => {
    assert.deepEqual(after("a;b;c;b 2", { kind: "focus", method: B }), ["b;c;b 2"]);
  });
  test("drop leaves out every stack with the method", () => {
    assert.deepEqual(after("a;b;c 2\na;c 3\nb 1", { kind: "drop", method: B }), ["a;c 3"]);
  });
  test("merge gives a method's weight and callees to its callers", () => {
    assert.deepEqual(after("a;b;c 2\na;b 3\na;c 1", { kind: "merge", method: B }), ["a 3", "a;c 3"]);
  });
  test("recursion is one frame, but only where a method calls itself", () => {
    assert.deepEqual(after("a;b;b;b;c 2\nb;a;b 1", { kind: "recursion" }), ["a;b;c 2", "b;a;b 1"]);
  });
  test("no transform but focus and drop loses weight", () => {
    const whole = tree("a;b;b;c 2\na;c 3\nb 1");
    for (const transform of [{ kind: "merge", method: B }, { kind: "recursion" }] as Transform[]) {
      assert.equal(transformed(whole, transform, METHODS).total[0], 6);
    }
    assert.equal(inverted(whole, METHODS).tree.total[0], 6);
  });
  test("inverted trees lead from where stacks end to their callers", () => {
    assert.deepEqual(lines(inverted(tree("a;b;c 2\nd;c 3\nd 1"), METHODS).tree), ["c;b;a 2", "c;d 3", "d 1"]);
  });
  test("callers that are too far away are counted", () => {
    const deep = tree(`${Array(300).fill(0).map((_, i) => letter(i % 2)).join(";")} 1`);
    assert.equal(inverted(deep, METHODS).cut, 1);
  });
  test("they survive the address, and others' do no harm", () => {
    const all: Transform[] = [{ kind: "focus", method: 3 }, { kind: "recursion" }, { kind: "drop", method: 0 }, { kind: "merge", method: 7 }];
    assert.deepEqual(parseTransforms(renderTransforms(all), METHODS), all);
    assert.deepEqual(parseTransforms("x.f.f99.d-1.m1e3.", METHODS), []);
  });
});

describe("layout", () => {
  const whole = tree("a;b 30\na;c 60\nd 10");
  const layout = flameLayout(whole, (a, b) => whole.total[b]! - whole.total[a]!);
  const shown = (zoom: number, width: number, least: number) => {
    const { boxes, narrow, narrowWeight } = visibleBoxes(layout, zoom, width, least);
    return { narrow, narrowWeight, boxes: boxes.map(({ node, x, width: w, row }) =>
      `${node ? letter(whole.method[node]!) : "*"} ${x} ${w} ${row}`).sort() };
  };
  test("the heaviest comes first, and widths are weights", () => {
    assert.deepEqual(shown(0, 100, 1).boxes, ["* 0 100 0", "a 0 90 1", "b 60 30 2", "c 0 60 2", "d 90 10 1"]);
  });
  test("a frame that fills the width has those above it as wide", () => {
    const b = [...whole.method].indexOf(B);
    assert.deepEqual(shown(b, 100, 1).boxes, ["* 0 100 0", "a 0 100 1", "b 0 100 2"]);
  });
  test("what is too narrow is counted, with its weight", () => {
    const { narrow, narrowWeight } = shown(0, 10, 2);
    assert.deepEqual([narrow, narrowWeight], [1, 10]);
  });
  test("the frame below a point is found, and none beside", () => {
    const { boxes } = visibleBoxes(layout, 0, 100, 1);
    assert.equal(whole.method[boxAt(boxes, 70, 2)!.node], B);
    assert.equal(boxAt(boxes, 95, 2), undefined);
  });
  test("nested matches count once", () => {
    assert.equal(matchedWeight(tree("a;b;a 5\nb;a 2\nc 3"), (method) => method === A), 7);
  });
});
