import { pathOf, type FlameTree } from "./flame_tree";

// "a;b;c 12" a line, for other flame graphs: the stacks that end in or below `top`, in whole numbers.
// At most `characters`: of the stacks beyond, the lightest, and of those of less than a half there is
// one line with their number and weight.
export function collapsed(tree: FlameTree, nameOf: (method: number) => string, top = 0,
                          characters = 20_000_000): string {
  const inside = new Uint8Array(tree.parent.length);
  const stacks: number[] = [];
  for (let node = top; node < tree.parent.length; node++) {
    if (node !== top && !inside[tree.parent[node]!]) continue;
    inside[node] = 1;
    if (node > 0 && tree.self[node]! > 0) stacks.push(node);
  }
  const heaviestFirst = stacks.map((_, i) => i)
    .sort((a, b) => tree.self[stacks[b]!]! - tree.self[stacks[a]!]! || a - b);
  const known = new Map<number, string>();
  const name = (method: number): string => {
    let text = known.get(method);
    if (text === undefined) known.set(method, text = nameOf(method).replaceAll(";", ",").replace(/\s/g, " "));
    return text;
  };
  const lines: (string | undefined)[] = new Array(stacks.length);
  let room = characters, left = 0, leftWeight = 0;
  for (const i of heaviestFirst) {
    const weight = tree.self[stacks[i]!]!;
    if (room > 0 && Math.round(weight) > 0) {
      const path = pathOf(tree, stacks[i]!).map((node) => name(tree.method[node]!)).join(";");
      const line = `${path} ${Math.round(weight)}\n`;
      room -= line.length;
      if (room >= 0) { lines[i] = line; continue; }
    }
    left++;
    leftWeight += weight;
  }
  if (Math.round(leftWeight) > 0) lines.push(`(${left} lighter stacks) ${Math.round(leftWeight)}\n`);
  return lines.filter(Boolean).join("");
}
