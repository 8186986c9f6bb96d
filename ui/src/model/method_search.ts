import type { Names } from "./names";

// Finds methods by what a person types. All words, in any order and wherever they stand in the full
// name; or, of one word, the beginnings of a name's humps ("hmPut": HashMap.put). Best first: the
// name itself, then a name that begins so, then words that begin so, then the rest; of equal ones
// those with the most calls.
export class MethodSearch {
  private readonly short: string[] = [];
  private readonly all: number[];

  constructor(private readonly names: Names, private readonly calls: ArrayLike<number>) {
    this.all = Array.from({ length: names.count }, (_, method) => method);
    for (const method of this.all) this.short.push(names.short(method));
  }

  find(query: string): number[] {
    const words = query.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.all;
    const lower = words.map((word) => word.toLowerCase());
    const humps = words.length === 1 ? humpPattern(words[0]!) : undefined;
    const found: number[] = [], rank = new Float64Array(this.names.count);
    for (const method of this.all) {
      const value = this.rank(method, lower, humps);
      if (value === 0) continue;
      rank[method] = value;
      found.push(method);
    }
    return found.sort((a, b) => rank[b]! - rank[a]! ||
      (this.calls[b] ?? 0) - (this.calls[a] ?? 0) || a - b);
  }

  private rank(method: number, words: readonly string[], humps: RegExp | undefined): number {
    const full = this.names.lowerFull(method);
    if (!words.every((word) => full.includes(word))) {
      return humps?.test(this.short[method]!) ? 1 : 0;
    }
    const whole = words.join("."); // "hashmap put" is as good as "hashmap.put"
    const short = this.short[method]!.toLowerCase(), open = full.indexOf("(");
    const qualified = open < 0 ? full : full.slice(0, open);
    const name = short.slice(short.lastIndexOf(".") + 1);
    if ([full, qualified, short, name].includes(whole)) return 5;
    if ([full, short, name].some((text) => text.startsWith(whole))) return 4;
    return words.every((word) => startsWord(full, this.names.full(method), word)) ? 3 : 2;
  }
}

// Whether the word stands somewhere at the beginning of a part of the name: after a sign that is
// no letter or digit, or at a capital.
function startsWord(lower: string, original: string, word: string): boolean {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/i.test(original[at - 1]!) || /[A-Z]/.test(original[at]!)) return true;
  }
  return false;
}

// "hmPut" as a pattern: "h", "m" and "Put" each begin a hump, one after the other. Of a word in
// lower case each letter begins one.
function humpPattern(word: string): RegExp | undefined {
  if (!/^[A-Za-z]{2,}$/.test(word)) return undefined;
  const lead = /^[a-z]*/.exec(word)![0];
  const humps = [...lead, ...(word.slice(lead.length).match(/[A-Z][a-z]*/g) ?? [])];
  const part = (hump: string) => {
    const first = hump[0]!;
    return `(?:${first.toUpperCase()}|(?<![A-Za-z])${first.toLowerCase()})${hump.slice(1)}`;
  };
  return new RegExp(humps.map(part).join("[a-z0-9]*[.$_<]?"));
}
