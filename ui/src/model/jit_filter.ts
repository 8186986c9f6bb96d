import type { Verdict } from "../data/page_data";
import type { Recompilation } from "./jit_ledger";
import { hasAll, wordsOf } from "./words";

export interface LedgerFilter {
  verdicts: ReadonlySet<Verdict>;
  why?: number | undefined; // of those that are undecided, only these
  to: number | undefined; // level
  isMadeNotEntrant: boolean; // only code that was thrown away
  words: string; // all of them, wherever in the method's full name
}

export function filterRecompilations(rows: readonly Recompilation[], filter: LedgerFilter,
                                     lowerName: (method: number) => string): Recompilation[] {
  const words = wordsOf(filter.words);
  return rows.filter((row) => filter.verdicts.has(row.verdict) && (!filter.why || row.undecided === filter.why) &&
    (filter.to === undefined || row.to === filter.to) && (!filter.isMadeNotEntrant || row.isMadeNotEntrant) &&
    (words.length === 0 || hasAll(lowerName(row.method), words)));
}

// Verdicts as they stand in the address: "pdu" is all of them, and what an address without any means
// is `fallback`.
const LETTERS = "pdu";

export function parseVerdicts(text: string, fallback: readonly Verdict[] = [0, 1, 2]): Set<Verdict> {
  const found = ([0, 1, 2] as const).filter((verdict) => text.includes(LETTERS[verdict]!));
  return new Set(found.length > 0 ? found : fallback);
}
export function renderVerdicts(verdicts: ReadonlySet<Verdict>): string {
  return ([0, 1, 2] as const).filter((verdict) => verdicts.has(verdict))
    .map((verdict) => LETTERS[verdict]).join("");
}
