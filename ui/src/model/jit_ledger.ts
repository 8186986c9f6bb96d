import { addTo } from "./grouping";
import type { JitData, Verdict } from "../data/page_data";
import type { PageModel } from "./page_model";

export interface Estimate { value: number; low: number; high: number }

// One row of the ledger: a compilation of a method that ran in another version before.
export interface Recompilation {
  index: number; // in JitData.recompilations
  compilation: number;
  previous: number; // compilation; -1: it was interpreted
  method: number; // of the page
  jitMethod: number;
  from: number; // levels
  to: number;
  startNs: number; // -1: before the recording began
  endNs: number;
  compileNs: number;
  verdict: Verdict;
  undecided: number; // why; 0: it is decided
  gain: Estimate | null;
  before: Estimate | null; // of a call
  after: Estimate | null;
  callsAfter: number | null;
  callsToPay: number | null;
  paidAtNs: number | null;
  drift: number | null;
  isMadeNotEntrant: boolean;
}

const NOTHING: readonly number[] = [];

// The JIT's part of a profile, by method and by compilation.
export class JitLedger {
  readonly rows: Recompilation[];
  readonly isJudged: boolean; // false: it is not known how methods were executed
  // Where the page's method or the compilers' has none, there is no entry.
  private readonly jitMethods = new Map<number, number[]>();
  private readonly compilationsOfJit = new Map<number, number[]>();
  private readonly rowsOfJit = new Map<number, number[]>();
  private readonly versionsOfJit = new Map<number, number[]>();
  private readonly deoptsOfJit = new Map<number, number[]>();
  private readonly deoptsOfCompilation = new Map<string, number[]>();

  constructor(readonly jit: JitData, private readonly strings: readonly string[]) {
    const { compilations, recompilations, versions, deoptimizations, methods } = jit;
    this.isJudged = jit.unit_ns > 0;
    this.rows = recompilations.compilation.map((_, i) => this.row(i));
    methods.method.forEach((method, i) => addTo(this.jitMethods, method, i));
    compilations.method.forEach((method, i) => addTo(this.compilationsOfJit, method, i));
    versions.method.forEach((method, i) => addTo(this.versionsOfJit, method, i));
    this.rows.forEach((row, i) => addTo(this.rowsOfJit, row.jitMethod, i));
    deoptimizations.method.forEach((method, i) => {
      addTo(this.deoptsOfJit, method, i);
      addTo(this.deoptsOfCompilation, compilationKey(deoptimizations.compile_id[i]!, deoptimizations.osr[i]!), i);
    });
  }

  // Why a row is undecided, and what would decide it; undefined where it is decided.
  whyUndecided({ undecided }: Recompilation): { why: string; remedy: string } | undefined {
    const { why_undecided: ways } = this.jit.ledger, at = ways.undecided.indexOf(undecided);
    return at < 0 ? undefined : { why: ways.why[at]!, remedy: ways.remedy[at]! };
  }
  // Of one full name there may be several, in several class loaders.
  jitMethodsOf(method: number): readonly number[] { return this.jitMethods.get(method) ?? NOTHING; }
  compilationsOf(jitMethod: number): readonly number[] { return this.compilationsOfJit.get(jitMethod) ?? NOTHING; }
  versionsOf(jitMethod: number): readonly number[] { return this.versionsOfJit.get(jitMethod) ?? NOTHING; }
  rowsOf(jitMethod: number): Recompilation[] {
    return (this.rowsOfJit.get(jitMethod) ?? []).map((i) => this.rows[i]!);
  }
  // Where this method's own code was executing, and in code compiled for it, whichever of its
  // inlined methods was executing; by time.
  deoptimizationsOf(jitMethod: number): number[] {
    const all = new Set(this.deoptsOfJit.get(jitMethod) ?? []);
    const { compilations, deoptimizations } = this.jit;
    for (const c of this.compilationsOf(jitMethod)) {
      for (const i of this.deoptsOfCompilation.get(compilationKey(compilations.id[c]!, compilations.osr[c]!)) ?? []) all.add(i);
    }
    return [...all].sort((a, b) => deoptimizations.time_ns[a]! - deoptimizations.time_ns[b]! || a - b);
  }
  string(index: number): string { return index < 0 ? "" : this.strings[index] ?? ""; }
  loader(jitMethod: number): string { return this.string(this.jit.methods.loader[jitMethod] ?? -1); }
  methodOfCompilation(compilation: number): number {
    return this.jit.methods.method[this.jit.compilations.method[compilation]!]!;
  }
  // What it cost; 0 of what was there when the recording began.
  compileNs(compilation: number): number { return this.jit.compilations.compile_ns[compilation]!; }

  private row(i: number): Recompilation {
    const { compilations, recompilations: r, methods } = this.jit;
    const compilation = r.compilation[i]!, previous = r.previous[i]!;
    const jitMethod = compilations.method[compilation]!;
    return {
      index: i, compilation, previous, jitMethod, method: methods.method[jitMethod]!,
      from: previous < 0 ? 0 : compilations.level[previous]!, to: compilations.level[compilation]!,
      startNs: compilations.start_ns[compilation]!, endNs: compilations.end_ns[compilation]!,
      compileNs: r.compile_ns[i]!, undecided: r.undecided[i]!, verdict: r.verdict[i]!,
      gain: estimate(r.gain_ns[i], r.low_ns[i], r.high_ns[i]),
      before: estimate(r.before_ns[i], r.before_low_ns[i], r.before_high_ns[i]),
      after: estimate(r.after_ns[i], r.after_low_ns[i], r.after_high_ns[i]),
      callsAfter: r.calls_after[i] ?? null, callsToPay: r.calls_to_pay[i] ?? null,
      paidAtNs: r.paid_at_ns[i] ?? null, drift: r.drift[i] ?? null, isMadeNotEntrant: r.made_not_entrant[i] === 1,
    };
  }
}

function estimate(value: number | null | undefined, low: number | null | undefined,
                  high: number | null | undefined): Estimate | null {
  return value === null || value === undefined
    ? null : { value, low: low ?? value, high: high ?? value };
}

// Compile ids of code to enter loops are counted on their own in some virtual machines.
export function compilationKey(id: number, osr: number): string { return osr ? `${id}%` : `${id}`; }

const cache = new WeakMap<PageModel, JitLedger>();

// Made when first asked for, and kept with the page.
export function jitLedger(model: PageModel): JitLedger | undefined {
  const { jit } = model.profile;
  if (!jit) return undefined;
  let ledger = cache.get(model);
  if (!ledger) cache.set(model, ledger = new JitLedger(jit, model.data.strings));
  return ledger;
}
