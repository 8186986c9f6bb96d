// Indices of numbers that are not negative, the largest first; equal ones keep their order. By the
// bits of each number, which ascend as the numbers do: several times as fast as a sort by comparisons
// where there are many. The upper half tells nearly all; comparisons do the rest.
export function descending(indices: Uint32Array, numbers: Float64Array): Uint32Array {
  const count = indices.length, bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  let from = indices.slice(), to = new Uint32Array(count);
  const start = new Uint32Array(DIGITS + 1);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    start.fill(0);
    // Digits count downwards, so that the largest come first.
    for (let i = 0; i < count; i++) start[DIGITS - ((bits[2 * from[i]! + 1]! >>> shift) & (DIGITS - 1))]!++;
    for (let digit = 0; digit < DIGITS; digit++) start[digit + 1]! += start[digit]!;
    for (let i = 0; i < count; i++) {
      const index = from[i]!;
      to[start[DIGITS - 1 - ((bits[2 * index + 1]! >>> shift) & (DIGITS - 1))]!++] = index;
    }
    [from, to] = [to, from];
  }
  for (let begin = 0, end = 0; begin < count; begin = end) {
    const upper = bits[2 * from[begin]! + 1]!;
    let differ = false;
    for (end = begin + 1; end < count && bits[2 * from[end]! + 1] === upper; end++) differ ||= numbers[from[end]!] !== numbers[from[begin]!];
    if (differ) from.subarray(begin, end).sort((a, b) => numbers[b]! - numbers[a]!);
  }
  return from;
}

const DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS; // of the upper 32 bits
