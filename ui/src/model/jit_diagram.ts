import type { Version } from "./jit_versions";

// A version in the recompilation diagram; nanoseconds of CPU time, from the left. What is not known
// is 0 wide.
export interface DiagramRow {
  version: Version;
  beginNs: number; // where the version before was replaced
  compileNs: number;
  executedNs: number;
  remainingNs: number;
}

// One row a version, and how far the rows and their intervals reach.
export function diagramRows(versions: readonly Version[]): { rows: DiagramRow[]; end: number } {
  const rows: DiagramRow[] = [];
  let beginNs = 0, end = 0;
  for (const version of versions) {
    const row = {
      version, beginNs, compileNs: version.compileNs,
      executedNs: version.executed?.value ?? 0, remainingNs: version.remaining?.value ?? 0,
    };
    rows.push(row);
    const compiled = beginNs + row.compileNs;
    beginNs = compiled + row.executedNs;
    if (version.executed) end = Math.max(end, compiled + version.executed.high);
    if (version.remaining) end = Math.max(end, beginNs + version.remaining.high);
  }
  return { rows, end };
}
