import type { JitData, PageData, Verdict } from "../data/page_data";
import { JitLedger } from "./jit_ledger";
import { Names } from "./names";

// For tests: a run's compilations, written as a story. Times are in milliseconds, names are
// "pkg.Class.method".
export interface Story {
  methods: string[];
  loaders?: string[];
  compilations: { of: string; level: number; at: number; takes: number; thread?: string; osr?: boolean; id?: number; queued?: number }[];
  // Index of a compilation; `calls` of the new version.
  judged?: { compilation: number; previous?: number; verdict: Verdict; gain?: [number, number, number];
    before?: [number, number, number]; after?: [number, number, number]; calls?: number; madeNotEntrant?: boolean }[];
  versions?: { of: string; compilation: number; from: number; to: number; time?: number; calls?: number }[];
  inlinings?: { compilation: number; caller: string; bci: number; line?: number; callee: string; ok: boolean; reason: string }[];
  deoptimizations?: { at: number; compilation: number; of: string; reason: string; action: string }[];
  unit?: number;
  end?: number;
}

const MS = 1e6;

export function ledgerOf(story: Story): { ledger: JitLedger; names: Names; page: Pick<PageData, "strings" | "methods"> } {
  const strings: string[] = [];
  const string = (text: string) => {
    const at = strings.indexOf(text);
    return at >= 0 ? at : strings.push(text) - 1;
  };
  const full = [...new Set(story.methods)];
  const methods = {
    class: full.map((name) => string(name.slice(0, name.lastIndexOf(".")))),
    name: full.map((name) => string(name.slice(name.lastIndexOf(".") + 1))),
    descriptor: full.map(() => string("()V")), file: full.map(() => -1),
  };
  const of = (name: string) => story.methods.indexOf(name);
  const c = story.compilations, r = story.judged ?? [], v = story.versions ?? [];
  const i = story.inlinings ?? [], d = story.deoptimizations ?? [];
  const id = (compilation: number) => c[compilation]!.id ?? compilation + 1;
  const osr = (compilation: number) => Number(c[compilation]!.osr ?? false);
  const part = (pick: "gain" | "before" | "after", at: 0 | 1 | 2, unit: number) =>
    r.map((row) => row[pick] === undefined ? null : row[pick]![at] * unit);
  const jit: JitData = {
    lacks: [], end_ns: (story.end ?? 1000) * MS, unit_ns: story.unit ?? MS,
    methods: { method: story.methods.map((name) => full.indexOf(name)),
      loader: story.methods.map((_, m) => string(story.loaders?.[m] ?? "app")) },
    compilations: {
      id: c.map((_, k) => id(k)), method: c.map((one) => of(one.of)), osr: c.map((_, k) => osr(k)),
      osr_bci: c.map((one) => one.osr ? 7 : -1), level: c.map((one) => one.level),
      thread: c.map((one) => string(one.thread ?? "C1")), queued_ns: c.map((one) => (one.queued ?? -1) * (one.queued === undefined ? 1 : MS)),
      start_ns: c.map((one) => one.at < 0 ? -1 : one.at * MS), end_ns: c.map((one) => (Math.max(0, one.at) + one.takes) * MS),
      compile_ns: c.map((one) => one.at < 0 ? 0 : one.takes * MS),
      succeeded: c.map(() => 1), failure: c.map(() => -1), code_bytes: c.map(() => 100),
      bytecode_bytes: c.map(() => 10), inlined_bytes: c.map(() => 0),
    },
    recompilations: {
      compilation: r.map((row) => row.compilation), previous: r.map((row) => row.previous ?? -1),
      compile_ns: r.map((row) => c[row.compilation]!.takes * MS),
      gain_ns: part("gain", 0, MS), low_ns: part("gain", 1, MS), high_ns: part("gain", 2, MS),
      verdict: r.map((row) => row.verdict),
      before_ns: part("before", 0, 1), before_low_ns: part("before", 1, 1), before_high_ns: part("before", 2, 1),
      after_ns: part("after", 0, 1), after_low_ns: part("after", 1, 1), after_high_ns: part("after", 2, 1),
      calls_after: r.map((row) => row.calls ?? null), calls_to_pay: r.map(() => null),
      undecided: r.map((row) => row.verdict === 2 ? 3 : 0), drift: r.map(() => null), paid_at_ns: r.map(() => null), made_not_entrant: r.map((row) => Number(row.madeNotEntrant ?? false)),
    },
    versions: {
      method: v.map((one) => of(one.of)), compilation: v.map((one) => one.compilation),
      begin_ns: v.map((one) => one.from * MS), end_ns: v.map((one) => one.to * MS),
      time_ns: v.map((one) => one.time === undefined ? null : one.time * MS), calls: v.map((one) => one.calls ?? null),
    },
    inlinings: {
      compile_id: i.map((one) => id(one.compilation)), osr: i.map((one) => osr(one.compilation)),
      caller: i.map((one) => of(one.caller)), bci: i.map((one) => one.bci), line: i.map((one) => one.line ?? 0), callee: i.map((one) => of(one.callee)),
      ok: i.map((one) => Number(one.ok)), reason: i.map((one) => string(one.reason)),
    },
    deoptimizations: {
      time_ns: d.map((one) => one.at * MS), compile_id: d.map((one) => id(one.compilation)),
      osr: d.map((one) => osr(one.compilation)), level: d.map(() => 4), method: d.map((one) => of(one.of)),
      bci: d.map(() => 1), line: d.map(() => 0), reason: d.map((one) => string(one.reason)), action: d.map((one) => string(one.action)),
    },
    ledger: { compile_ns: 0, loops_ns: 0, failed_ns: 0, not_entrant_ns: 0, gain_ns: null, paid_off: 0, did_not: 0, undecided: 0, paid_off_ns: 0, did_not_ns: 0,
      why_undecided: { undecided: [], rows: [], compile_ns: [], key: [], why: [], remedy: [] } },
    warm_up: { end_ns: [], interpreted: [], c1: [], c2: [], unknown: [], compile_ns: [] },
    what_if: { method: [], time_ns: [], compile_ns: [], strategies: [] },
  };
  const page = { strings, methods: { ...methods, line: full.map(() => 0) } };
  return { ledger: new JitLedger(jit, strings), names: new Names(page), page };
}
