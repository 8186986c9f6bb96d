import { decisionsByKind, type InlineSite } from "../../model/jit_inlining";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { tierName } from "./jit_text";

// A call site, and where it is in the caller's source file.
export interface PlacedSite {
  site: InlineSite;
  line: number; // 0: not known
  place: string; // "HashMap.java:630"; empty where the line or the file is not known
}

export function placedSite({ names, graph }: PageModel, site: InlineSite): PlacedSite {
  const line = site.line || graph.lineAt(site.caller, site.bci);
  return { site, line, place: line > 0 ? names.at(site.caller, line) : "" };
}

// "✓ inline (hot): C2 #12, C2 #30 ×2": one of each kind.
export function decisionTexts({ jit: { compilations: { level, id } } }: JitLedger, site: InlineSite): string[] {
  return decisionsByKind(site.decisions).map((kind) => `${kind[0]!.ok ? "✓" : "✗"} ${kind[0]!.reason}: ` +
    kind.map(({ compilation, times }) => `${tierName(level[compilation]!)} #${id[compilation]}${times > 1 ? ` ×${times}` : ""}`).join(", "));
}
