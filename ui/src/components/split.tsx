import type { ComponentChildren } from "preact";

// Regions beside each other on wide screens, below each other on narrow ones. `columns`: of the CSS
// grid, "20rem minmax(0, 1fr) 24rem".
export function Split({ columns, children }: { columns: string; children: ComponentChildren }) {
  return <div class="split" style={{ "--columns": columns } as never}>{children}</div>;
}
