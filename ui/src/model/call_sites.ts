import { EdgeFlag } from "../data/page_data";
import type { CallGraph } from "./call_graph";
import { formatCalls, formatCount, formatInterval } from "./format";

// One call site of a method, or one at which it is called.
export interface CallSite {
  edge: number;
  caller: number;
  callee: number;
  other: number; // the caller of a site that calls the method, the callee of one in it
  bci: number;
  line: number;
  calls: number;
  low: number;
  high: number;
  share: number; // of all calls of the method, or by it
  inlined: number; // as EdgeColumns
  flags: number;
}

export interface Sandwich { callers: CallSite[]; callees: CallSite[] }

// The call sites around a method, those with the most calls first.
export function sandwich(graph: CallGraph, method: number): Sandwich {
  const { edges } = graph;
  const sites = (list: Uint32Array, other: readonly number[]): CallSite[] => {
    const sum = list.reduce((calls, edge) => calls + edges.calls[edge]!, 0);
    return [...list].map((edge) => ({
      edge, caller: edges.caller[edge]!, callee: edges.callee[edge]!, other: other[edge]!,
      bci: edges.bci[edge]!, line: edges.line[edge]!, calls: edges.calls[edge]!,
      low: graph.low(edge), high: graph.high(edge), share: sum > 0 ? edges.calls[edge]! / sum : 0,
      inlined: edges.inlined[edge]!, flags: edges.flags[edge]!,
    })).sort((a, b) => b.calls - a.calls || a.edge - b.edge);
  };
  return {
    callers: sites(graph.edgesTo(method), edges.caller),
    callees: sites(graph.edgesFrom(method), edges.callee),
  };
}

export function describeInlined(inlined: number): string {
  return inlined === 2 ? "yes" : inlined === 1 ? "in part" : "no";
}

// How the count was come by, in words.
export function describeFlags(flags: number): string {
  return [
    flags & EdgeFlag.exact && "exact", flags & EdgeFlag.once && "found once",
    flags & EdgeFlag.inferred ? "inferred" : flags & EdgeFlag.sampled && "sampled",
    flags & EdgeFlag.noInterval && "no interval",
  ].filter(Boolean).join(", ");
}

export function describeCalls({ calls, low, high, flags }: Pick<CallSite, "calls" | "low" | "high" | "flags">,
                              hasCounts: boolean): string {
  if (!hasCounts || flags & EdgeFlag.once) return "found";
  if (flags & EdgeFlag.noInterval) return `${formatCalls(calls)} (no interval)`;
  return low === high ? formatCount(calls) : formatInterval(calls, low, high);
}
