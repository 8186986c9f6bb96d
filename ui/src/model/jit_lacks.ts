import type { JitData } from "../data/page_data";

// With what the lines begin that say that nothing is known of compilations, or of the compilers:
// format/profile/flight_recording.h has the same.
const NOTHING_KNOWN = ["compilations: ", "what the compilers did"];

// Whether a list without compilations means that there were none.
export function tellsCompilations({ compilations, lacks }: Pick<JitData, "compilations" | "lacks">): boolean {
  return compilations.id.length > 0
    || !lacks.some((lack) => NOTHING_KNOWN.some((begin) => lack.startsWith(begin)));
}
