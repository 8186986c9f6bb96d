// Puts a value behind those of its key.
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

// Numbers by key: order[start[key]] is the first of a key's, order[start[key + 1]] no more one of it.
export interface Grouped { start: Uint32Array; order: Int32Array }

// `keyOf`: of each number, from 0 to keys - 1. A key's numbers keep their order.
export function grouped(numbers: ArrayLike<number>, keyOf: (number: number) => number, keys: number): Grouped {
  const start = new Uint32Array(keys + 1), order = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) start[keyOf(numbers[i]!) + 1]!++;
  for (let key = 0; key < keys; key++) start[key + 1]! += start[key]!;
  const next = start.slice();
  for (let i = 0; i < numbers.length; i++) order[next[keyOf(numbers[i]!)]!++] = numbers[i]!;
  return { start, order };
}
