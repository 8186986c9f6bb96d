import { pathOf, type FlameTree } from "./flame_tree";
import type { MethodTransform, Transform } from "./flame_transforms";
import type { Names } from "./names";

// What stands in the address: transforms by the names of their methods, "f" + name for a focus, one
// behind the other with ".." between them. No part of a method's name is empty, so none has "..".
const LETTERS: Record<MethodTransform, string> =
  { focus: "f", callers: "u", drop: "d", merge: "m", leaf: "l", loops: "o" };
const BETWEEN = "..";

export function renderTransforms(transforms: readonly Transform[], names: Names): string {
  return transforms.map((each) =>
    each.kind === "recursion" ? "r" : LETTERS[each.kind] + names.full(each.method)).join(BETWEEN);
}

// Those of methods that are not there are left out.
export function parseTransforms(text: string, names: Names): Transform[] {
  const kinds = Object.entries(LETTERS) as [MethodTransform, string][];
  return text.split(BETWEEN).flatMap((part): Transform[] => {
    if (part === "r") return [{ kind: "recursion" }];
    const kind = kinds.find(([, letter]) => letter === part[0])?.[0];
    const method = kind && names.find(part.slice(1));
    return kind && method !== undefined && method >= 0 ? [{ kind, method }] : [];
  });
}

// A frame by its number in the tree, with a checksum of the names on the way to it: in another
// profile's tree it is not taken for one that happens to have the number.
export function frameKey(tree: FlameTree, node: number, names: Names): string {
  return node > 0 ? `${node}.${checksum(tree, node, names)}` : "";
}

// The root for what is no key of a frame of this tree.
export function frameOf(tree: FlameTree, key: string, names: Names): number {
  const [number = "", sum] = key.split(".");
  const node = /^\d{1,9}$/.test(number) ? Number(number) : 0;
  return node > 0 && node < tree.parent.length && checksum(tree, node, names) === sum ? node : 0;
}

// FNV-1a.
function checksum(tree: FlameTree, node: number, names: Names): string {
  let hash = 0x811c9dc5;
  for (const frame of pathOf(tree, node)) {
    const name = `${names.full(tree.method[frame]!)};`;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
