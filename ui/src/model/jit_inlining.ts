import { addTo } from "./grouping";
import { compilationKey, type JitLedger } from "./jit_ledger";

// What one compilation of a method decided at a call site; alike ones are counted together, as a
// caller may itself have been inlined at several places.
export interface InlineDecision {
  compilation: number;
  ok: boolean;
  reason: string;
  times: number;
}

export interface InlineSite {
  caller: number; // of the page, as the callee
  bci: number;
  line: number; // 0: not known
  callee: number;
  isOwn: boolean; // the caller is the method itself, not one that was inlined into it
  decisions: InlineDecision[]; // by compilation
  agree: boolean; // all said the same of ok
}

// Decisions of the same kind together, in the order of the first of each.
export function decisionsByKind(decisions: readonly InlineDecision[]): InlineDecision[][] {
  const kinds = new Map<string, InlineDecision[]>();
  for (const decision of decisions) {
    addTo(kinds, `${decision.ok} ${decision.reason}`, decision);
  }
  return [...kinds.values()];
}

const index = new WeakMap<JitLedger, Map<string, number[]>>();

function byCompilation(ledger: JitLedger): Map<string, number[]> {
  let map = index.get(ledger);
  if (map) return map;
  index.set(ledger, map = new Map());
  const { compile_id, osr } = ledger.jit.inlinings;
  for (let i = 0; i < compile_id.length; i++) {
    addTo(map, compilationKey(compile_id[i]!, osr[i]!), i);
  }
  return map;
}

// Of all compilations of a method, by call site: its own by their place in it, then those of
// methods that were inlined into it, in the order in which the compilers came to them.
export function inlineSites(ledger: JitLedger, jitMethod: number): InlineSite[] {
  const { inlinings, compilations, methods } = ledger.jit;
  const sites = new Map<string, InlineSite>();
  for (const compilation of ledger.compilationsOf(jitMethod)) {
    const key = compilationKey(compilations.id[compilation]!, compilations.osr[compilation]!);
    for (const i of byCompilation(ledger).get(key) ?? []) {
      // Of the page: the compilers' messages do not always tell the class loader.
      const caller = methods.method[inlinings.caller[i]!]!, callee = methods.method[inlinings.callee[i]!]!;
      const bci = inlinings.bci[i]!;
      const ok = inlinings.ok[i] === 1, reason = ledger.string(inlinings.reason[i]!);
      const place = `${caller}:${bci}:${callee}`;
      let site = sites.get(place);
      if (!site) {
        sites.set(place, site = {
          caller, bci, line: inlinings.line[i]!, callee, isOwn: caller === methods.method[jitMethod], decisions: [], agree: true,
        });
      }
      const same = site.decisions.find((one) =>
        one.compilation === compilation && one.ok === ok && one.reason === reason);
      if (same) same.times++;
      else site.decisions.push({ compilation, ok, reason, times: 1 });
      if (site.decisions[0]!.ok !== ok) site.agree = false;
    }
  }
  const all = [...sites.values()];
  return [...all.filter((site) => site.isOwn).sort((a, b) => a.bci - b.bci),
    ...all.filter((site) => !site.isOwn)];
}
