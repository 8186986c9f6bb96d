// A table's columns for the width that there is. Widths are of the CSS grid, in rem.

export interface Fitted {
  width: string; // "6rem", "minmax(12rem, 1fr)": at least its first number
  spare?: number; // leaves where there is no room, that with the highest number first; without it, never
}

const GAP_REM = 0.7, PADDING_REM = 1;

// What they need at least, with what is between and beside them.
export function leastRem(columns: readonly Fitted[]): number {
  const widths = columns.map(({ width }) => Number(/[\d.]+/.exec(width)?.[0] ?? 0));
  return widths.reduce((sum, width) => sum + width, 0) + GAP_REM * (columns.length - 1) + PADDING_REM;
}

// Those that there is room for, in their order, and those that there is not. `kept`: never leaves.
export function fittingColumns<Column extends Fitted>(columns: readonly Column[], roomRem: number,
    kept: (column: Column) => boolean): { shown: readonly Column[]; leftOut: readonly Column[] } {
  const leftOut = new Set<Column>();
  const candidates = columns.filter((column) => column.spare !== undefined && !kept(column))
    .sort((a, b) => b.spare! - a.spare!);
  const shown = () => columns.filter((column) => !leftOut.has(column));
  for (const column of candidates) {
    if (leastRem(shown()) <= roomRem) break;
    leftOut.add(column);
  }
  return { shown: shown(), leftOut: columns.filter((column) => leftOut.has(column)) };
}
