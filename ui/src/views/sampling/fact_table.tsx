import type { ComponentChildren } from "preact";

export interface FactColumn { title: string; numeric?: boolean; short?: boolean /* in one line */ }

// A small table; the first column is the row's name. Long values break.
export function FactTable({ label, columns, rows }: {
  label: string; columns: readonly FactColumn[]; rows: readonly (readonly ComponentChildren[])[];
}) {
  const kind = (i: number) => columns[i]?.numeric ? "num" : columns[i]?.short ? "short" : undefined;
  return (
    <div class="sampling-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="sampling-facts">
        <thead><tr>{columns.map(({ title }, i) => <th key={i} scope="col" class={kind(i)}>{title}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>{row.map((cell, i) => i === 0
              ? <th key={i} scope="row" class={kind(i)}>{cell}</th> : <td key={i} class={kind(i)}>{cell}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
