import { addTo } from "./grouping";
import type { JitData } from "../data/page_data";
import type { PageModel } from "./page_model";

export interface InliningReason {
  ok: boolean;
  reason: string; // as the compiler says it
  compilations: number; // in which it was decided so at this call site, once or more often
}

// What the compilers decided at call sites, in any compilation that came upon them, also where the
// caller was itself inlined.
export class InliningReasons {
  private readonly bySite = new Map<string, number[]>();

  constructor(private readonly jit: JitData, private readonly strings: readonly string[]) {
    const { inlinings, methods } = jit;
    for (let i = 0; i < inlinings.caller.length; i++) {
      addTo(this.bySite, siteKey(methods.method[inlinings.caller[i]!]!, inlinings.bci[i]!,
        methods.method[inlinings.callee[i]!]!), i);
    }
  }

  // Most compilations first.
  at(caller: number, bci: number, callee: number): InliningReason[] {
    const { inlinings } = this.jit;
    const found = new Map<string, { ok: boolean; reason: string; ids: Set<string> }>();
    for (const i of this.bySite.get(siteKey(caller, bci, callee)) ?? []) {
      const ok = inlinings.ok[i] === 1, reason = this.strings[inlinings.reason[i]!] ?? "";
      const key = `${ok} ${reason}`;
      let one = found.get(key);
      if (!one) found.set(key, one = { ok, reason, ids: new Set() });
      one.ids.add(`${inlinings.osr[i]} ${inlinings.compile_id[i]}`);
    }
    return [...found.values()].map(({ ok, reason, ids }) => ({ ok, reason, compilations: ids.size }))
      .sort((a, b) => b.compilations - a.compilations);
  }
}

const cache = new WeakMap<PageModel, InliningReasons>();

// Of a page, made when first asked for; undefined where nothing was recorded of the compilers.
export function inliningReasons(model: PageModel): InliningReasons | undefined {
  const { profile: { jit }, data } = model;
  if (!jit) return undefined;
  let reasons = cache.get(model);
  if (!reasons) cache.set(model, reasons = new InliningReasons(jit, data.strings));
  return reasons;
}

function siteKey(caller: number, bci: number, callee: number): string {
  return `${caller}:${bci}:${callee}`;
}

// "inlined (hot) in 3 compilations; too big in 1"
export function describeReasons(reasons: readonly InliningReason[]): string {
  return reasons.map(({ ok, reason, compilations }, i) => {
    const what = ok ? reason.replace(/^(inlined?\b)?/, "inlined") : reason || "not inlined";
    const spaced = what.replace(/^inlined(?=[^\s(])/, "inlined: ");
    const unit = i > 0 ? "" : compilations === 1 ? " compilation" : " compilations";
    return `${spaced} in ${compilations}${unit}`;
  }).join("; ");
}
