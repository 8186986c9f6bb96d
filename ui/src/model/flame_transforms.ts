import type { Stacks } from "./flame_tree";

// What is done to stacks before they are shown, one after the other; after Firefox Profiler's.
export type Transform =
  | { kind: MethodTransform; method: number }
  | { kind: "recursion" }; // A method that calls itself is one frame.
export type MethodTransform =
  | "focus" // Only what is in and below the method, all its places merged.
  | "callers" // Only the stacks that it is on, as far as to where it is first.
  | "drop" // Without the stacks that it is on.
  | "merge" // Its weight goes to its callers; what it calls, they call.
  | "leaf" // What it calls is its own weight.
  | "loops"; // What is between its first frame and others of it below goes: it is there once.

// What becomes of a frame: it stays, below where the one above it went; it is left out; or its weight
// and what is below it go to another frame (that one's number).
type Fate = (node: number, isGoneAbove: boolean) => number;
const STAYS = -1, GONE = -2;

export function transformed(stacks: Stacks, transform: Transform): Stacks {
  const { parent, method } = stacks;
  const count = parent.length;
  const { fate, keepsWeight } = fates(stacks, transform);
  const next = {
    parent: [0], method: [-1], line: [0], weight: [0],
    level: stacks.level && [-1], inlined: stacks.inlined && [0],
  };
  const place = new Int32Array(count);
  const isPartOf = new Uint8Array(count); // its code is that of the frame that it is shown as
  if (transform.kind === "focus") place[0] = GONE;
  for (let node = 0; node < count; node++) {
    const above = place[parent[node]!]!;
    const to = node === 0 ? 0 : fate(node, above === GONE);
    if (to === STAYS) {
      // A call site says nothing of a caller whose callee was merged into it.
      const isSameCaller = above !== GONE && next.method[above] === method[parent[node]!];
      place[node] = next.parent.length;
      next.parent.push(Math.max(0, above));
      next.method.push(method[node]!);
      next.line.push(isSameCaller ? stacks.line[node]! : 0);
      next.weight.push(0);
      next.level?.push(stacks.level![node]!);
      next.inlined?.push(isSameCaller || isPartOf[parent[node]!] ? stacks.inlined![node]! : 0);
      isPartOf[node] = 1;
    } else {
      isPartOf[node] = stacks.inlined?.[node] === 1 && isPartOf[parent[node]!] ? 1 : 0;
      place[node] = to === GONE ? GONE : place[to]!;
    }
    if (place[node] !== GONE && keepsWeight(node)) next.weight[place[node]!]! += stacks.weight[node]!;
  }
  return next;
}

function fates(stacks: Stacks, transform: Transform): { fate: Fate; keepsWeight: (node: number) => boolean } {
  const { parent } = stacks;
  const keepsWeight = () => true;
  if (transform.kind === "recursion") {
    const callsItself = (node: number) =>
      parent[node]! > 0 && stacks.method[parent[node]!] === stacks.method[node];
    return { keepsWeight, fate: (node) => callsItself(node) ? parent[node]! : STAYS };
  }
  const isIt = (node: number) => stacks.method[node] === transform.method;
  switch (transform.kind) {
    case "focus":
      return { keepsWeight, fate: (node, isGoneAbove) => isGoneAbove && !isIt(node) ? GONE : STAYS };
    case "drop":
      return { keepsWeight, fate: (node, isGoneAbove) => isGoneAbove || isIt(node) ? GONE : STAYS };
    case "merge":
      return { keepsWeight, fate: (node) => isIt(node) ? parent[node]! : STAYS };
    case "leaf": {
      const inside = within(stacks, isIt);
      return { keepsWeight, fate: (node) => inside[parent[node]!] ? parent[node]! : STAYS };
    }
    case "callers": {
      const inside = within(stacks, isIt), leads = leadsTo(stacks, isIt);
      return {
        keepsWeight: (node) => inside[node] === 1,
        fate: (node) => inside[parent[node]!] ? parent[node]! : leads[node] ? STAYS : GONE,
      };
    }
    case "loops": {
      const first = new Int32Array(parent.length); // its first frame on the way here, or 0
      return {
        keepsWeight,
        fate: (node) => {
          first[node] = first[parent[node]!]! || (isIt(node) ? node : 0);
          return isIt(node) && first[node] !== node ? first[node]! : STAYS;
        },
      };
    }
  }
}

// 1: one of these frames, or below one.
function within({ parent }: Stacks, isIt: (node: number) => boolean): Uint8Array {
  const inside = new Uint8Array(parent.length);
  for (let node = 1; node < inside.length; node++) {
    if (inside[parent[node]!] || isIt(node)) inside[node] = 1;
  }
  return inside;
}

// 1: one of these frames, or above one.
function leadsTo({ parent }: Stacks, isIt: (node: number) => boolean): Uint8Array {
  const leads = new Uint8Array(parent.length);
  for (let node = leads.length - 1; node > 0; node--) {
    if (isIt(node)) leads[node] = 1;
    if (leads[node]) leads[parent[node]!] = 1;
  }
  return leads;
}
