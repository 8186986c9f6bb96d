// A small table; the first column is the row's name. Long values break.
export function FactTable({ label, columns, rows }: {
  label: string; columns: readonly string[]; rows: readonly (readonly string[])[];
}) {
  return (
    <div class="sampling-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="sampling-facts">
        <thead><tr>{columns.map((title, i) => <th key={i} scope="col">{title}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>{row.map((cell, i) => i === 0
              ? <th key={i} scope="row">{cell}</th> : <td key={i}>{cell}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
