import { descending } from "./by_calls";
import type { Names } from "./names";

// Finds methods by what a person types. All words, in any order and wherever they stand in the full
// name; or, of one word, the beginnings of a name's humps ("hmPut": HashMap.put). Best first: the
// name itself, then a name that begins so, then words that begin so, then the rest; of equal ones
// those with the most calls.
export class MethodSearch {
  private readonly byCalls: Uint32Array;
  private all: number[] | undefined; // the same
  private readonly ranks: Uint8Array; // of what a query looks at, in its order
  // What the last query found, in the order of calls: a longer one finds of these alone.
  private last: { query: string; found: Uint32Array } | undefined;

  constructor(private readonly names: Names, calls: Float64Array) {
    // Of a part of the run most have none.
    const { count } = names, methods = new Uint32Array(count);
    let called = 0, others = count;
    for (let method = count - 1; method >= 0; method--) if (!(calls[method]! > 0)) methods[--others] = method;
    for (let method = 0; method < count; method++) if (calls[method]! > 0) methods[called++] = method;
    methods.set(descending(methods.subarray(0, called), calls));
    this.byCalls = methods;
    this.ranks = new Uint8Array(count);
  }

  // Best first.
  find(query: string): number[] {
    const words = query.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) return (this.all ??= numbersOf(this.byCalls));
    const prepared = preparedNames(this.names);
    const lower = words.map((word) => word.toLowerCase());
    const whole = lower.join("."); // "hashmap put" is as good as "hashmap.put"
    const humps = words.length === 1 ? humpPattern(words[0]!) : undefined;
    const isLonger = this.last !== undefined && query.startsWith(this.last.query);
    const of = isLonger ? this.last!.found : this.byCalls, { ranks } = this, next = new Uint32Array(RANKS);
    for (let i = 0; i < of.length; i++) next[ranks[i] = rank(prepared, of[i]!, lower, whole, humps)]!++;
    // Where those of each rank begin; what is made is made once, and in the size that it has.
    let count = 0;
    for (let each = RANKS - 1; each > 0; each--) [next[each], count] = [count, count + next[each]!];
    const found = new Uint32Array(count), best = new Array<number>(count);
    for (let i = 0, k = 0; i < of.length; i++) {
      if (ranks[i] === 0) continue;
      found[k++] = of[i]!;
      best[next[ranks[i]!]!++] = of[i]!;
    }
    this.last = { query, found };
    return best;
  }
}

// Several times as fast as Array.from.
function numbersOf(list: Uint32Array): number[] {
  const numbers = new Array<number>(list.length);
  for (let i = 0; i < list.length; i++) numbers[i] = list[i]!;
  return numbers;
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

const RANKS = 6;

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
