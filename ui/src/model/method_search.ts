import type { Names } from "./names";

// Finds methods by what a person types. All words, in any order and wherever they stand in the full
// name; or, of one word, the beginnings of a name's humps ("hmPut": HashMap.put). Best first: the
// name itself, then a name that begins so, then words that begin so, then the rest; of equal ones
// those with the most calls.
export class MethodSearch {
  private readonly byCalls: number[];
  // What the last query found, in the order of calls: a longer one finds of these alone.
  private last: { query: string; found: readonly number[] } | undefined;

  constructor(private readonly names: Names, calls: ArrayLike<number>) {
    // Of a part of the run most have none.
    const called: number[] = [], others: number[] = [];
    for (let method = 0; method < names.count; method++) ((calls[method] ?? 0) > 0 ? called : others).push(method);
    this.byCalls = called.sort((a, b) => calls[b]! - calls[a]! || a - b).concat(others);
  }

  find(query: string): number[] {
    const words = query.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.byCalls;
    const prepared = preparedNames(this.names);
    const lower = words.map((word) => word.toLowerCase());
    const whole = lower.join("."); // "hashmap put" is as good as "hashmap.put"
    const humps = words.length === 1 ? humpPattern(words[0]!) : undefined;
    const byRank: number[][] = [[], [], [], [], [], []];
    const isLonger = this.last !== undefined && query.startsWith(this.last.query);
    const found: number[] = [];
    for (const method of isLonger ? this.last!.found : this.byCalls) {
      const at = rank(prepared, method, lower, whole, humps);
      if (at === 0) continue;
      found.push(method);
      byRank[at]!.push(method);
    }
    this.last = { query, found };
    return byRank.slice(1).reverse().flat();
  }

}

// By method: its full name, the same in lower case, and where in it the class without its package,
// the method's own name and the descriptor begin.
interface PreparedNames { full: string[]; lower: string[]; initials: string[]; shortAt: Int32Array; nameAt: Int32Array; openAt: Int32Array }

const cache = new WeakMap<Names, PreparedNames>();

// Made with the first query, or before.
function preparedNames(names: Names): PreparedNames {
  let made = cache.get(names);
  if (made) return made;
  const count = names.count;
  made = { full: [], lower: [], initials: [], shortAt: new Int32Array(count), nameAt: new Int32Array(count), openAt: new Int32Array(count) };
  for (let method = 0; method < count; method++) {
    const full = names.full(method), open = names.qualified(method).length;
    made.full.push(full);
    made.lower.push(names.lowerFull(method));
    made.initials.push(initialsOf(names.short(method)));
    made.openAt[method] = open;
    made.shortAt[method] = open - names.short(method).length;
    made.nameAt[method] = open - names.name(method).length;
  }
  cache.set(names, made);
  return made;
}

// 5 the best, 0 none.
function rank(prepared: PreparedNames, method: number, words: readonly string[], whole: string, humps: Humps | undefined): number {
  const lower = prepared.lower[method]!, open = prepared.openAt[method]!;
  for (const word of words) {
    if (!lower.includes(word)) {
      return humps && prepared.initials[method]!.includes(humps.initials) &&
        humps.pattern.test(prepared.full[method]!.slice(prepared.shortAt[method], open)) ? 1 : 0;
    }
  }
  const shortAt = prepared.shortAt[method]!, nameAt = prepared.nameAt[method]!;
  let is = 0;
  for (let at = 0; ; at = at < shortAt ? shortAt : nameAt) {
    if (lower.startsWith(whole, at)) is = Math.max(is, open - at === whole.length || at + whole.length === lower.length ? 5 : 4);
    if (at >= nameAt) break;
  }
  if (is > 0) return is;
  // Nearly every name has a part that begins with a given letter.
  return words.every((word) => word.length === 1 || startsWord(lower, prepared.full[method]!, word)) ? 3 : 2;
}

const isLetterOrDigit = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isCapital = (code: number) => code >= 65 && code <= 90;

// Whether the word stands somewhere at the beginning of a part of the name: after a sign that is
// no letter or digit, or at a capital.
function startsWord(lower: string, original: string, word: string): boolean {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !isLetterOrDigit(original.charCodeAt(at - 1)) || isCapital(original.charCodeAt(at))) return true;
  }
  return false;
}

// "hmPut" as a pattern: "h", "m" and "Put" each begin a hump, one after the other. Of a word in
// lower case each letter begins one.
interface Humps { pattern: RegExp; initials: string }

// The letters, in lower case, at which the humps of a name begin: "hmp" of "HashMap.put".
function initialsOf(name: string): string {
  let initials = "", isInWord = false;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i), isUpper = isCapital(code), isLetter = isUpper || (code >= 97 && code <= 122);
    if (isUpper || (isLetter && !isInWord)) initials += name[i]!.toLowerCase();
    isInWord = isLetter;
  }
  return initials;
}

function humpPattern(word: string): Humps | undefined {
  if (!/^[A-Za-z]{2,}$/.test(word)) return undefined;
  const lead = /^[a-z]*/.exec(word)![0];
  const humps = [...lead, ...(word.slice(lead.length).match(/[A-Z][a-z]*/g) ?? [])];
  const part = (hump: string) => {
    const first = hump[0]!;
    return `(?:${first.toUpperCase()}|(?<![A-Za-z])${first.toLowerCase()})${hump.slice(1)}`;
  };
  return { pattern: new RegExp(humps.map(part).join("[a-z0-9]*[.$_<]?")), initials: humps.map((hump) => hump[0]!.toLowerCase()).join("") };
}
