import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from "preact/hooks";
import { fittingColumns, leastRem } from "../model/fitting_columns";
import { plural } from "../model/format";
import { asText } from "../model/text_table";
import { sortedBy, type SortState } from "../model/sorting";
import { useParam } from "../state/url_state";
import { useColumnWidths } from "./use_column_widths";
import { usePrinting } from "./use_printing";
import { remPx, useSize } from "./use_size";

export interface Column<Row> {
  id: string;
  title: string;
  help?: string; // a tooltip of the heading
  numeric?: boolean;
  // What it is sorted by; without it the column cannot be sorted. Numbers sort downwards first.
  key?: (row: Row) => number | string;
  cell: (row: Row) => ComponentChildren;
  text: (row: Row) => string; // for copying, and as the cell's tooltip
  // Of the CSS grid: "6rem", "minmax(12rem, 1fr)". Numeric columns of plain text get what that takes.
  width: string;
  spare?: number; // leaves where there is no room, that with the highest number first; without it, never
}

// What the owner of a table can ask of it.
export interface TableHandle {
  goToFirst(): void; // The keyboard goes to the first row.
}

interface Props<Row> {
  label: string; // for screen readers
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  selected?: string | number | undefined; // a row's key
  onSelect?: (row: Row) => void; // a click, or Enter
  // Rows are sorted by this; undefined keeps their order.
  sort?: SortState | undefined;
  isSorted?: boolean; // they are, already
  onSort?: (sort: SortState) => void;
  empty?: string; // what is said when there are no rows
  rowClass?: (row: Row) => string | undefined;
  height?: string; // by default what its container leaves
  rowPx?: number;
  isCentred?: boolean; // a selection from elsewhere comes into the middle
  handle?: RefObject<TableHandle>;
}

const USUAL_ROW_PX = 26;
const SPARE_ROWS = 8;
const PAPER_REM = 44; // A4 or Letter, upright, as browsers print it

// A table of any number of rows, of which those in sight are in the document. Arrow keys, Page Up,
// Page Down, Home and End move the cursor, Enter selects. Columns that there is no room for are shown
// when asked for; then rows scroll sideways, and the first column stays. On paper are all rows, with
// the columns that paper has room for.
export function DataTable<Row>(props: Props<Row>) {
  const { rows, columns, rowKey, sort, rowPx = USUAL_ROW_PX } = props;
  const sorted = useMemo(() => {
    const by = columns.find((column) => column.id === sort?.column)?.key;
    return by && sort && !props.isSorted ? sortedBy(rows, by, sort.descending) : rows;
  }, [rows, columns, sort?.column, sort?.descending, props.isSorted]);
  const scroller = useRef<HTMLDivElement>(null), head = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const { width, height } = useSize(scroller);
  const [cursor, setCursor] = useState(0);
  const [wanted, setWanted] = useParam("cols", "fit");
  const isPrinting = usePrinting();
  const first = isPrinting ? 0 : Math.max(0, Math.floor(scrollTop / rowPx) - SPARE_ROWS);
  const last = isPrinting ? sorted.length : Math.min(sorted.length, Math.ceil((scrollTop + height) / rowPx) + SPARE_ROWS);
  const wide = useColumnWidths(columns, sorted, Math.min(first, last), last, sort?.column, scroller);
  const { shown: fitting, leftOut } = useMemo(
    () => fittingColumns(wide, isPrinting ? Math.min(PAPER_REM, width / remPx()) : width / remPx(), ({ id }) => id === sort?.column),
    [wide, width, sort?.column, isPrinting]);
  const shown = wanted === "all" ? wide : fitting;
  const there = useRef({ rows: sorted, index: 0 });
  there.current.rows = sorted;
  function move(index: number, isCentred = false): void {
    there.current.index = index;
    setCursor(index);
    reveal(index, isCentred);
  }
  // Other rows begin with their first, unless they are the same as far as the cursor's: a tree's.
  const before = useRef(sorted);
  useEffect(() => {
    const { index } = there.current, last = before.current[index], now = sorted[index];
    if (last === undefined || now === undefined || rowKey(last) !== rowKey(now)) move(0);
  }, [rows]);
  // A selection from elsewhere comes into sight, and stays so in another order: but what a search found
  // begins with its best match.
  const revealed = useRef<string | number>();
  useEffect(() => {
    before.current = sorted;
    const isNew = props.selected !== revealed.current;
    revealed.current = props.selected;
    if (props.selected === undefined || (!isNew && !sort)) return;
    const index = sorted.findIndex((row) => rowKey(row) === props.selected);
    if (index >= 0) move(index, props.isCentred);
  }, [props.selected, sort?.column, sort?.descending]);
  useEffect(() => { before.current = sorted; }, [sorted]);
  useImperativeHandle(props.handle ?? null, () => ({
    goToFirst: () => {
      move(0);
      scroller.current?.focus();
    },
  }), []);

  function reveal(index: number, isCentred: boolean): void {
    const element = scroller.current;
    if (!element) return;
    const top = index * rowPx, visible = element.clientHeight - (head.current?.offsetHeight ?? 0);
    const isIn = top >= element.scrollTop && top + rowPx <= element.scrollTop + visible;
    if (isCentred) { if (!isIn) element.scrollTop = top - (visible - rowPx) / 2; }
    else if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + visible) element.scrollTop = top + rowPx - visible;
  }
  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(height / rowPx) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    const row = sorted[cursor];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(sorted.length - 1, cursor + step));
      move(next);
    } else if (event.key === "Enter" && row !== undefined && event.target === scroller.current) {
      props.onSelect?.(row);
    } else {
      return;
    }
    event.preventDefault();
  }

  const template = shown.map((column) => column.width).join(" ");
  const cursorRow = sorted[cursor];
  return (
    <div class="data-table" style={{ height: props.height, "--min": `${leastRem(shown).toFixed(1)}rem` } as never}>
      <div class="grid" ref={scroller} role="grid" aria-label={props.label} tabIndex={0}
        aria-rowcount={sorted.length + 1}
        aria-activedescendant={cursorRow === undefined ? undefined : cellId(props.label, rowKey(cursorRow))}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
        <div class="head" ref={head} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          {shown.map((column) => <Heading key={column.id} column={column} sort={sort} onSort={props.onSort} />)}
        </div>
        <div class="body" role="rowgroup" style={{ height: sorted.length * rowPx }}>
          {sorted.slice(first, last).map((row, i) => {
            const key = rowKey(row), index = first + i;
            return (
              <div key={key} id={cellId(props.label, key)} role="row" aria-rowindex={index + 2}
                aria-selected={key === props.selected}
                class={`row ${index === cursor ? "cursor" : ""} ${props.rowClass?.(row) ?? ""}`}
                style={{ top: index * rowPx, height: rowPx, gridTemplateColumns: template }}
                onClick={() => { move(index); props.onSelect?.(row); }}>
                {shown.map((column) => (
                  <div key={column.id} role="gridcell" class={column.numeric ? "cell num" : "cell"}
                    title={column.text(row)}>{column.cell(row)}</div>
                ))}
              </div>
            );
          })}
        </div>
        {sorted.length === 0 && <p class="dim none">{props.empty ?? "Nothing."}</p>}
      </div>
      {leftOut.length > 0 && (
        <p class="left-out">
          <button type="button" aria-pressed={wanted === "all"} title={`${wanted === "all" ? "Hide" : "Show"} ${leftOut.map(({ title }) => title).join(", ")}`}
            onClick={() => setWanted(wanted === "all" ? "fit" : "all")}>
            {wanted === "all" ? "Fewer columns" : `${plural(leftOut.length, "more column")}: ${leftOut.map(({ title }) => title).join(", ")}`}
            <span class="sr"> of {props.label}</span></button>
        </p>
      )}
    </div>
  );
}

// What a table shows, as text with aligned columns.
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return asText(columns.map((column) => ({ title: column.title, right: column.numeric ?? false })),
    rows.map((row) => columns.map((column) => column.text(row))));
}

function cellId(label: string, key: string | number): string {
  return `row-${label}-${key}`.replace(/[^\w-]+/g, "_");
}

function Heading<Row>({ column, sort, onSort }: {
  column: Column<Row>; sort: SortState | undefined; onSort: ((sort: SortState) => void) | undefined;
}) {
  const isSorted = sort?.column === column.id;
  const state = !isSorted ? undefined : sort.descending ? "descending" : "ascending";
  return (
    <div role="columnheader" class={column.numeric ? "cell num" : "cell"} title={column.help}
      aria-sort={state}>
      {column.key && onSort
        ? <button type="button" onClick={() => onSort({
            column: column.id,
            descending: isSorted ? !sort.descending : column.numeric ?? false,
          })}>{column.title}{isSorted ? (sort.descending ? " ▾" : " ▴") : ""}</button>
        : column.title}
    </div>
  );
}
