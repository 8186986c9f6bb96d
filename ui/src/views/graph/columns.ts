import type { Column } from "../../components/data_table";

// What a table's columns need at least: below that it scrolls sideways.
export function widthOf<Row>(columns: readonly Column<Row>[]): string {
  const rem = columns.reduce((sum, { width }) => sum + Number(/[\d.]+/.exec(width)?.[0] ?? 0) + 0.7, 0.3);
  return `${rem.toFixed(1)}rem`;
}
