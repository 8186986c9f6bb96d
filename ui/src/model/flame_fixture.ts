import type { ContextTree } from "../data/page_data";
import { collapsed } from "./flame_text";
import { flameTree, type FlameTree } from "./flame_tree";
import { Names } from "./names";

// Trees as text: "a;b 3" is three samples in b, called by a; methods are letters. "b4" is executed by
// code of level 4, "b4!" is inlined as well; without a digit it is not known what by.
export function contextsOf(text: string): ContextTree {
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
        const level = /\d/.exec(frame);
        tree.parent.push(at);
        tree.method.push(frame.charCodeAt(0) - 97);
        tree.bci.push(0);
        tree.line.push(10 * (frame.charCodeAt(0) - 97) + at); // call sites differ by the caller's frame
        tree.weight.push(0);
        tree.level!.push(level ? Number(level[0]) : -1);
        tree.inlined!.push(frame.endsWith("!") ? 1 : 0);
      }
      at = node;
    }
    tree.weight[at]! += Number(weight);
  }
  return tree;
}

export const METHODS = 26;
export const [A, B, C, D] = [0, 1, 2, 3] as const;
export const letter = (method: number) => String.fromCharCode(97 + method);
export const treeOf = (text: string): FlameTree => flameTree(contextsOf(text));

// Sorted, as "a;b 3".
export function linesOf(tree: FlameTree): string[] {
  return collapsed(tree, letter).trim().split("\n").filter(Boolean).sort();
}

// The frame that such a path leads to.
export function frameIn(tree: FlameTree, path: string): number {
  let at = 0;
  for (const frame of path.split(";")) {
    at = [...tree.parent.keys()].find((node) =>
      node > 0 && tree.parent[node] === at && letter(tree.method[node]!) === frame)!;
  }
  return at;
}

// Classes "first.A" to "first.C" and "pkg.D" to "pkg.Z" with a method "run()V" each.
const CLASSES = Array.from({ length: METHODS }, (_, i) => `${i < 3 ? "first" : "pkg"}.${letter(i).toUpperCase()}`);
export const NAMES = new Names({
  strings: ["run", "()V", ...CLASSES],
  methods: {
    class: CLASSES.map((_, i) => i + 2), name: Array(METHODS).fill(0),
    descriptor: Array(METHODS).fill(1), file: Array(METHODS).fill(-1),
  },
});
