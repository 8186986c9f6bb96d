import type { Estimate, JitLedger, Recompilation } from "./jit_ledger";

// A method's life in one version, and what the recompilation diagram says of it (Zimmer and Diehl,
// Figure 4): how long it was compiled and executed, and how long the calls that came later would
// have taken, had they still gone to it.
export interface Version {
  compilation: number; // -1: interpreted
  level: number;
  beginNs: number;
  endNs: number;
  compileNs: number;
  ownNs: number | null; // by samples in its code
  calls: number | null;
  perCall: Estimate | null; // methods included that it or the version before has inlined
  beforeNext: Estimate | null; // the same, that it or the next version has inlined: "Call before" of that
  executed: Estimate | null; // all its calls
  laterCalls: number; // of all later versions, as far as they are known
  isLaterKnown: boolean; // false: there were more, of versions whose calls are not known
  remaining: Estimate | null; // laterCalls in this version
  made: Recompilation | undefined; // the recompilation that made it
}

// In the order of time.
export function versionsOf(ledger: JitLedger, jitMethod: number): Version[] {
  const { versions, compilations } = ledger.jit;
  const lives = ledger.versionsOf(jitMethod);
  const rows = new Map(ledger.rowsOf(jitMethod).map((row) => [row.compilation, row]));
  const result: Version[] = [];
  let laterCalls = 0, isLaterKnown = true;
  let next: Recompilation | undefined; // what replaced the version
  for (let i = lives.length - 1; i >= 0; i--) {
    const life = lives[i]!, compilation = versions.compilation[life]!;
    const made = compilation < 0 ? undefined : rows.get(compilation);
    const calls = versions.calls[life] ?? null, ownNs = versions.time_ns[life] ?? null;
    const replaced = next && next.previous === compilation ? next.before : null;
    const perCall = made?.after ?? replaced ?? perCallOf(ownNs, calls);
    const basis = replaced ?? perCall; // compared with what came next in the same work
    result.push({
      compilation, level: compilation < 0 ? 0 : compilations.level[compilation]!,
      beginNs: versions.begin_ns[life]!, endNs: versions.end_ns[life]!,
      compileNs: made?.compileNs ?? (compilation < 0 ? 0 : ledger.compileNs(compilation)),
      ownNs, calls, perCall, beforeNext: replaced, laterCalls, isLaterKnown, made,
      executed: perCall && calls !== null ? times(perCall, calls) : only(ownNs),
      remaining: basis && laterCalls > 0 ? times(basis, laterCalls) : null,
    });
    if (calls === null) isLaterKnown = false;
    else laterCalls += calls;
    next = made;
  }
  return result.reverse();
}

function perCallOf(ns: number | null, calls: number | null): Estimate | null {
  return ns !== null && calls !== null && calls > 0 ? only(ns / calls) : null;
}
function only(value: number | null): Estimate | null {
  return value === null ? null : { value, low: value, high: value };
}
function times({ value, low, high }: Estimate, factor: number): Estimate {
  return { value: value * factor, low: low * factor, high: high * factor };
}

// The first and the last moment at which something happened to the method's code, with a little
// room on both sides, within the run.
export function eventSpan(ledger: JitLedger, jitMethod: number): [begin: number, end: number] {
  const { compilations: c, deoptimizations: d, end_ns } = ledger.jit;
  const moments = [
    ...ledger.compilationsOf(jitMethod).flatMap((i) =>
      [c.queued_ns[i]!, c.start_ns[i]!, c.end_ns[i]!].filter((ns) => ns >= 0)),
    ...ledger.deoptimizationsOf(jitMethod).map((i) => d.time_ns[i]!),
  ];
  if (moments.length === 0) return [0, end_ns];
  const first = moments.reduce((a, b) => Math.min(a, b)), last = moments.reduce((a, b) => Math.max(a, b));
  const room = Math.max((last - first) * 0.08, 1e6);
  return [Math.max(0, first - room), Math.min(end_ns, last + room)];
}
