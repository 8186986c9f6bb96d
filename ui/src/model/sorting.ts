export interface SortState { column: string; descending: boolean }

// A sorted copy; rows of equal keys keep their order. NaN comes last, either way.
export function sortedBy<Row>(rows: readonly Row[], key: (row: Row) => number | string,
                              descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  const keys = rows.map(key);
  if (isInOrder(keys, descending)) return rows.slice();
  const isLast = (k: number | string) => typeof k === "number" && Number.isNaN(k);
  return rows.map((_, i) => i).sort((a, b) => {
    const x = keys[a]!, y = keys[b]!;
    if (isLast(x) || isLast(y)) return Number(isLast(x)) - Number(isLast(y)) || a - b;
    return x === y ? a - b : x < y ? -sign : sign;
  }).map((i) => rows[i]!);
}

// Whether nothing is to be done, as where a table's rows come in its usual order. False for NaN.
function isInOrder(keys: readonly (number | string)[], descending: boolean): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (!(descending ? keys[i - 1]! >= keys[i]! : keys[i - 1]! <= keys[i]!)) return false;
  }
  return keys.length > 0 && keys[0] === keys[0];
}

// "calls" sorts downwards, "calls.up" upwards: as it stands in the address.
export function parseSort(text: string): SortState {
  return text.endsWith(".up")
    ? { column: text.slice(0, -3), descending: false } : { column: text, descending: true };
}
export function renderSort(sort: SortState): string {
  return sort.descending ? sort.column : `${sort.column}.up`;
}
