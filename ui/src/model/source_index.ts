import { addTo } from "./grouping";
import { describeReasons, inliningReasons, type InliningReason } from "./inlining_reasons";
import { methodTimes, timesBySite } from "./method_times";
import type { PageModel } from "./page_model";
import { unexecutedIn } from "./unexecuted";

// A call site on a line: where edges have it, with its edge; else compilers alone came upon it.
export interface SourceSite {
  caller: number;
  bci: number;
  callee: number;
  edge: number | undefined;
  decisions: readonly InliningReason[];
}

export interface UnexecutedSite { caller: number; bci: number; callee: string } // the callee's full name

export type Inlined = "all" | "some" | "none" | undefined; // undefined: not known

// What is known of one line. Calls are those that its call sites make; bounds are added up, which is
// rather too wide than too narrow (call_pairs.ts).
export interface LineFacts {
  line: number;
  calls: number;
  low: number;
  high: number;
  hasCalls: boolean; // some edge has it
  unexecuted: UnexecutedSite[]; // calls on it that no thread executed, in methods that ran
  below: number; // time or samples in the calls made here, with all that these call
  inlined: Inlined;
  sites: SourceSite[]; // those with most calls first
  methods: number[]; // that begin here
}

export interface SourceFile {
  path: string; // "java/util/HashMap.java"
  methods: number[]; // of its classes, by the line at which they begin
  calls: number; // of its methods
  made: number; // calls that they make
  self: number; // time or samples in them alone
}

// Files, and what is known of their lines.
export class SourceIndex {
  readonly files: readonly SourceFile[]; // those with most calls first
  private readonly byPath = new Map<string, SourceFile>();
  private readonly lines = new Map<string, Map<number, LineFacts>>();
  private inlinings: Map<number, number[]> | undefined; // by caller

  constructor(private readonly model: PageModel) {
    const { names, graph, profile, data: { methods } } = model;
    const times = methodTimes(profile, names.count);
    for (let method = 0; method < names.count; method++) {
      const path = names.sourcePath(method);
      if (!path || !hasRows(model, method, times?.total)) continue;
      let file = this.byPath.get(path);
      if (!file) this.byPath.set(path, file = { path, methods: [], calls: 0, made: 0, self: 0 });
      file.methods.push(method);
      file.calls += graph.callsOf[method]!;
      file.made += graph.callsBy[method]!;
      file.self += times?.self[method] ?? 0;
    }
    for (const file of this.byPath.values()) file.methods.sort((a, b) => methods.line[a]! - methods.line[b]! || a - b);
    this.files = [...this.byPath.values()]
      .sort((a, b) => b.calls + b.made - a.calls - a.made || b.self - a.self || (a.path < b.path ? -1 : 1));
  }

  file(path: string): SourceFile | undefined { return this.byPath.get(path); }

  // What is known of a file's lines, by line.
  linesOf(path: string): ReadonlyMap<number, LineFacts> {
    let known = this.lines.get(path);
    if (!known) this.lines.set(path, known = this.factsOf(this.byPath.get(path)?.methods ?? []));
    return known;
  }

  private factsOf(methods: readonly number[]): Map<number, LineFacts> {
    const { graph, data, profile } = this.model;
    const reasons = inliningReasons(this.model);
    const facts = new Map<number, LineFacts>();
    const at = (line: number): LineFacts => {
      let one = facts.get(line);
      if (!one) {
        facts.set(line, one = { line, calls: 0, low: 0, high: 0, hasCalls: false, unexecuted: [], below: 0, inlined: undefined, sites: [], methods: [] });
      }
      return one;
    };
    const below = timesBySite(profile);
    for (const method of methods) {
      const begins = data.methods.line[method]!;
      if (begins > 0) at(begins).methods.push(method);
      const seen = new Set<string>();
      for (const edge of graph.edgesFrom(method)) {
        const line = graph.edges.line[edge]!, bci = graph.edges.bci[edge]!, callee = graph.edges.callee[edge]!;
        seen.add(`${bci}:${callee}`);
        if (line <= 0) continue;
        const one = at(line);
        one.hasCalls = true;
        one.calls += graph.edges.calls[edge]!;
        one.low += graph.low(edge);
        one.high += graph.high(edge);
        one.sites.push({ caller: method, bci, callee, edge, decisions: reasons?.at(method, bci, callee) ?? [] });
      }
      for (const { bci, line, callee } of this.inliningsIn(method)) {
        if (line <= 0 || seen.has(`${bci}:${callee}`)) continue;
        seen.add(`${bci}:${callee}`);
        at(line).sites.push({ caller: method, bci, callee, edge: undefined, decisions: reasons?.at(method, bci, callee) ?? [] });
      }
      for (const { bci, line, callee } of unexecutedIn(profile, method) ?? []) {
        if (line > 0) at(line).unexecuted.push({ caller: method, bci, callee: data.strings[callee]! });
      }
      for (const [line, time] of below?.get(method) ?? []) at(line).below += time;
    }
    const callsOf = ({ edge }: SourceSite) => edge === undefined ? -1 : graph.edges.calls[edge]!;
    for (const one of facts.values()) {
      one.sites.sort((a, b) => callsOf(b) - callsOf(a));
      one.inlined = together(one.sites.map((site) => this.inlinedOf(site)));
    }
    return facts;
  }

  // Whether a site's calls were inlined: by the compilers' decisions, where there are any, else as far
  // as the edge tells.
  inlinedOf({ edge, decisions }: SourceSite): Inlined {
    if (decisions.length > 0) return together(decisions.map(({ ok }) => ok ? "all" : "none"));
    const part = edge === undefined ? 0 : this.model.graph.edges.inlined[edge]!;
    return part === 2 ? "all" : part === 1 ? "some" : undefined;
  }

  private inliningsIn(method: number): { bci: number; line: number; callee: number }[] {
    const { jit } = this.model.profile;
    if (!jit) return [];
    const { inlinings, methods } = jit;
    if (!this.inlinings) {
      this.inlinings = new Map();
      inlinings.caller.forEach((caller, i) => {
        addTo(this.inlinings!, methods.method[caller]!, i);
      });
    }
    return (this.inlinings.get(method) ?? []).map((i) =>
      ({ bci: inlinings.bci[i]!, line: inlinings.line[i]!, callee: methods.method[inlinings.callee[i]!]! }));
  }
}

function hasRows({ graph }: PageModel, method: number, total: Float64Array | undefined): boolean {
  return graph.edgesTo(method).length > 0 || graph.edgesFrom(method).length > 0 || (total?.[method] ?? 0) > 0;
}

// Of several; those of which it is not known do not count.
function together(parts: readonly Inlined[]): Inlined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  return known.every((part) => part === known[0]) ? known[0] : "some";
}

export function describeDecisions({ decisions }: SourceSite): string { return describeReasons(decisions); }

const cache = new WeakMap<PageModel, SourceIndex>();

// Made when first asked for.
export function sourceIndex(model: PageModel): SourceIndex {
  let index = cache.get(model);
  if (!index) cache.set(model, index = new SourceIndex(model));
  return index;
}
