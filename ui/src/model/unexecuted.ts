import type { ProfileData, UnexecutedData } from "../data/page_data";
import { addTo } from "./grouping";

export interface UnexecutedCall {
  bci: number;
  line: number; // 0: not known
  callee: number; // of strings
}

const cache = new WeakMap<UnexecutedData, Map<number, UnexecutedCall[]>>();

// The calls in a method that no thread executed, by bytecode index; undefined where they are not known.
// Kept.
export function unexecutedIn({ unexecuted }: Pick<ProfileData, "unexecuted">, method: number): readonly UnexecutedCall[] | undefined {
  if (!unexecuted) return undefined;
  let byMethod = cache.get(unexecuted);
  if (!byMethod) {
    cache.set(unexecuted, byMethod = new Map());
    for (const [i, caller] of unexecuted.caller.entries()) {
      const call = { bci: unexecuted.bci[i]!, line: unexecuted.line[i]!, callee: unexecuted.callee[i]! };
      addTo(byMethod, caller, call);
    }
  }
  const calls = byMethod.get(method);
  return calls ?? (unexecuted.left_out > 0 ? undefined : []);
}
