// A logarithmic scale in whole powers of ten.
export interface LogScale {
  decades: number[]; // what has a line: at most about five
  at(value: number): number; // 0 to 1; what is outside is at the end
}

export function logScale(low: number, high: number): LogScale {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9));
  const every = Math.ceil((to - from) / 5);
  const decades: number[] = [];
  for (let power = from; power <= to; power += every) decades.push(Number(`1e${power}`));
  return { decades, at: (value) => Math.max(0, Math.min(1, (Math.log10(value) - from) / (to - from))) };
}

// One path for many dots, of which those in the same place are drawn once: a stroke with round or
// square ends and no length. Places are rounded to half a dot.
export function dotsPath(places: Iterable<readonly [x: number, y: number]>): string {
  const seen = new Set<string>();
  for (const [x, y] of places) seen.add(`M${Math.round(x)} ${Math.round(y)}h0`);
  return [...seen].join("");
}
