import type { JitLedger } from "./jit_ledger";
import type { Names } from "./names";
import { sortedBy, type SortState } from "./sorting";

// Package > class > method, with what the compilers did for each.
export interface TreeNode {
  id: string; // unique and lasting
  label: string;
  depth: 0 | 1 | 2;
  method: number; // -1: a package or a class
  methods: number; // compiled
  compilations: number; // those for loops and those that failed too
  compileNs: number;
  timeNs: number; // executed, as far as it is known
  isTimeKnown: boolean; // false: there are versions of which nothing is known
  children: TreeNode[];
}

// `keep`: which methods; a class with none of them is left out.
export function jitTree(ledger: JitLedger, names: Names, keep: (method: number) => boolean): TreeNode[] {
  const packages = new Map<string, TreeNode>(), classes = new Map<string, TreeNode>();
  const leaves = new Map<number, TreeNode>();
  const under = (parents: Map<string, TreeNode>, key: string, make: () => TreeNode): TreeNode => {
    let node = parents.get(key);
    if (!node) parents.set(key, node = make());
    return node;
  };
  const { methods, versions } = ledger.jit;
  methods.method.forEach((method, jitMethod) => {
    const compilations = ledger.compilationsOf(jitMethod);
    if (compilations.length === 0 || !keep(method)) return;
    const own = { compileNs: 0, timeNs: 0, isTimeKnown: true };
    for (const compilation of compilations) own.compileNs += ledger.compileNs(compilation);
    for (const version of ledger.versionsOf(jitMethod)) {
      const time = versions.time_ns[version] ?? null;
      if (time === null) own.isTimeKnown = false;
      else own.timeNs += time;
    }
    const packageName = names.packageName(method), className = names.className(method);
    const parent = under(packages, packageName, () => node(`p:${packageName}`, packageName || "(no package)", 0));
    const type = under(classes, className, () => {
      const made = node(`c:${className}`, names.simpleClass(method), 1);
      parent.children.push(made);
      return made;
    });
    // One row for methods of one full name, in whichever class loader.
    let leaf = leaves.get(method);
    const isNew = leaf === undefined;
    if (leaf === undefined) {
      const { name, parameters } = names.labelParts(method);
      leaf = { ...node(`m:${names.full(method)}`, name + parameters, 2), method };
      leaves.set(method, leaf);
      type.children.push(leaf);
    }
    for (const each of [parent, type, leaf]) {
      if (isNew) each.methods++;
      each.compilations += compilations.length;
      each.compileNs += own.compileNs;
      each.timeNs += own.timeNs;
      each.isTimeKnown &&= own.isTimeKnown;
    }
  });
  return [...packages.values()];
}

function node(id: string, label: string, depth: 0 | 1 | 2): TreeNode {
  return { id, label, depth, method: -1, methods: 0, compilations: 0, compileNs: 0, timeNs: 0,
    isTimeKnown: true, children: [] };
}

export const TREE_KEYS: Record<string, (node: TreeNode) => number | string> = {
  name: (node) => node.label, methods: (node) => node.methods,
  compilations: (node) => node.compilations, compile: (node) => node.compileNs, time: (node) => node.timeNs,
};

// The rows that are in sight, siblings sorted.
export function visibleRows(roots: readonly TreeNode[], isOpen: (node: TreeNode) => boolean,
                            sort: SortState): TreeNode[] {
  const key = TREE_KEYS[sort.column] ?? TREE_KEYS["compile"]!;
  const rows: TreeNode[] = [];
  const visit = (nodes: readonly TreeNode[]) => {
    for (const each of sortedBy(nodes, key, sort.descending)) {
      rows.push(each);
      if (each.children.length > 0 && isOpen(each)) visit(each.children);
    }
  };
  visit(roots);
  return rows;
}
