// A table as lines of text, its columns aligned.
export function asText(columns: readonly { title: string; right: boolean }[],
                       rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, c) =>
    rows.reduce((width, row) => Math.max(width, row[c]?.length ?? 0), column.title.length));
  const line = (cells: readonly string[]) => columns
    .map((column, c) => column.right
      ? (cells[c] ?? "").padStart(widths[c]!) : (cells[c] ?? "").padEnd(widths[c]!))
    .join("  ").trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join("\n") + "\n";
}
