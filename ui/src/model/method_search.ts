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
    const isFew = of.length * FEW < this.byCalls.length;
    const matches = isFew ? undefined : matchesOf(prepared.lower, prepared.start, lower);
    const hasInitials = isFew || !humps ? undefined : matchesOf(prepared.initials, prepared.initialsAt, [humps.initials]);
    for (let i = 0; i < of.length; i++) {
      const method = of[i]!;
      const has = matches ? matches[method] === lower.length : hasAll(prepared.lower.slice(prepared.start[method], prepared.start[method + 1]), lower);
      ranks[i] = has ? rank(prepared, method, lower, whole)
        : humps && (!hasInitials || hasInitials[method] === 1) && fitsHumps(prepared, method, humps) ? 1 : 0;
      next[ranks[i]!]!++;
    }
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

const FEW = 4; // of so many, each is looked at by itself

// By method, how many of the words its part of the text has, the first ones alone: each is looked for
// in all of the text, which is one string, as so many strings would keep the collector busy.
function matchesOf(text: string, start: Uint32Array, words: readonly string[]): Uint8Array {
  const matches = new Uint8Array(start.length - 1);
  words.forEach((word, k) => {
    for (let at = text.indexOf(word), method = 0; at >= 0; at = text.indexOf(word, start[method + 1])) {
      while (start[method + 1]! <= at) method++;
      if (matches[method] === k) matches[method] = k + 1;
      if (method + 2 === start.length) break;
    }
  });
  return matches;
}

function hasAll(text: string, words: readonly string[]): boolean { return words.every((word) => text.includes(word)); }

// Several times as fast as Array.from.
function numbersOf(list: Uint32Array): number[] {
  const numbers = new Array<number>(list.length);
  for (let i = 0; i < list.length; i++) numbers[i] = list[i]!;
  return numbers;
}

// Full names, the same in lower case, and the initials of their humps, each as one text with a line
// for each method: where it begins; and where in it the class without its package, the method's own
// name and the descriptor do.
interface PreparedNames {
  original: string;
  lower: string;
  start: Uint32Array;
  shortAt: Uint32Array;
  nameAt: Uint32Array;
  openAt: Uint32Array;
  initials: string;
  initialsAt: Uint32Array;
}

const cache = new WeakMap<Names, PreparedNames>();

// Made with the first query, or before.
function preparedNames(names: Names): PreparedNames {
  let made = cache.get(names);
  if (made) return made;
  const { count } = names, originals = new Array<string>(count), initials = new Array<string>(count);
  const start = new Uint32Array(count + 1), initialsAt = new Uint32Array(count + 1);
  const shortAt = new Uint32Array(count), nameAt = new Uint32Array(count), openAt = new Uint32Array(count);
  for (let method = 0; method < count; method++) {
    const short = names.short(method), begin = start[method]!;
    originals[method] = names.full(method);
    initials[method] = initialsOf(short);
    openAt[method] = begin + names.qualified(method).length;
    shortAt[method] = openAt[method]! - short.length;
    nameAt[method] = openAt[method]! - names.name(method).length;
    start[method + 1] = begin + originals[method]!.length + 1;
    initialsAt[method + 1] = initialsAt[method]! + initials[method]!.length + 1;
  }
  const original = originals.join("\n") + "\n", whole = original.toLowerCase();
  made = {
    // Some letters are two in lower case, and would move what follows.
    original, lower: whole.length === original.length ? whole : original.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    start, shortAt, nameAt, openAt, initials: initials.join("\n") + "\n", initialsAt,
  };
  cache.set(names, made);
  return made;
}

const RANKS = 6;

// Of a method that has all words: 5 the best, 2 the least.
function rank({ original, lower, start, shortAt, nameAt, openAt }: PreparedNames, method: number, words: readonly string[], whole: string): number {
  const begin = start[method]!, end = start[method + 1]! - 1, open = openAt[method]!;
  let is = 0;
  for (const at of [begin, shortAt[method]!, nameAt[method]!]) {
    if (lower.startsWith(whole, at)) is = Math.max(is, open - at === whole.length || at + whole.length === end ? 5 : 4);
  }
  if (is > 0) return is;
  // Nearly every name has a part that begins with a given letter.
  return words.every((word) => word.length === 1 || startsWord(lower, original, word, begin, end)) ? 3 : 2;
}

function fitsHumps({ original, initials, initialsAt, shortAt, openAt }: PreparedNames, method: number, humps: Humps): boolean {
  return initials.slice(initialsAt[method], initialsAt[method + 1]).includes(humps.initials) &&
    humps.pattern.test(original.slice(shortAt[method], openAt[method]));
}

const isLetterOrDigit = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isCapital = (code: number) => code >= 65 && code <= 90;

// Whether the word stands somewhere at the beginning of a part of the name: after a sign that is
// no letter or digit, or at a capital.
function startsWord(lower: string, original: string, word: string, begin: number, end: number): boolean {
  for (let at = lower.indexOf(word, begin); at >= 0 && at < end; at = lower.indexOf(word, at + 1)) {
    if (at === begin || !isLetterOrDigit(original.charCodeAt(at - 1)) || isCapital(original.charCodeAt(at))) return true;
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
