// Places of items of these widths, one behind the other, in rows that are no wider than `room` unless
// one item is.
export function flowed(widths: readonly number[], room: number, gap: number): { x: number; row: number }[] {
  let x = 0, row = 0;
  return widths.map((width) => {
    if (x > 0 && x + width > room) { x = 0; row++; }
    const place = { x, row };
    x += width + gap;
    return place;
  });
}
