import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Column } from "./data_table";
import { TextWidths } from "./text_width";
import { remPx } from "./use_size";

const FIRST_ROWS = 100;
const ARROW_PX = 14; // of a heading that a table is sorted by

// The columns with the widths that their numbers take: of the rows in sight, and of the first ones.
// A column only grows, so that it does not jump while rows pass.
export function useColumnWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[], first: number,
    last: number, sorted: string | undefined, table: RefObject<HTMLElement>): readonly Column<Row>[] {
  const known = useRef<{ columns: readonly Column<Row>[]; px: Map<string, number>; rows?: readonly Row[]; first: number; last: number }>();
  const fonts = useRef<{ cells: TextWidths; headings: TextWidths }>();
  if (known.current?.columns !== columns) known.current = { columns, px: new Map(), first: 0, last: 0 };
  const widest = known.current;
  let isWider = false;
  if (table.current && (widest.rows !== rows || first !== widest.first || last !== widest.last)) {
    const { cells } = (fonts.current ??= fontsOf(table.current));
    for (const column of columns) {
      if (!column.numeric) continue;
      let px = widest.px.get(column.id) ?? 0;
      const before = px;
      const measure = (row: Row) => {
        const cell = column.cell(row);
        if (typeof cell === "string" || typeof cell === "number") px = Math.max(px, cells.of(String(cell)));
      };
      if (widest.rows !== rows) for (let i = 0; i < Math.min(FIRST_ROWS, rows.length); i++) measure(rows[i]!);
      for (let i = Math.max(first, FIRST_ROWS); i < last; i++) measure(rows[i]!);
      if (px > before) {
        widest.px.set(column.id, px);
        isWider = true;
      }
    }
    Object.assign(widest, { rows, first, last });
  }
  const version = useRef(0);
  if (isWider) version.current++;
  return useMemo(() => columns.map((column) => {
    const px = widest.px.get(column.id);
    if (px === undefined || !fonts.current) return column;
    const words = column.title.split(" "), { headings } = fonts.current;
    const heading = Math.max(...words.map((word, i) =>
      headings.of(word) + (i === words.length - 1 && column.id === sorted ? ARROW_PX : 0)));
    return { ...column, width: `${(Math.ceil(Math.max(px, heading) + 2) / remPx()).toFixed(3)}rem` };
  }), [columns, sorted, version.current]);
}

function fontsOf(table: HTMLElement): { cells: TextWidths; headings: TextWidths } {
  const { fontSize, fontFamily } = getComputedStyle(table);
  return { cells: new TextWidths(`${fontSize} ${fontFamily}`), headings: new TextWidths(`600 ${fontSize} ${fontFamily}`) };
}
