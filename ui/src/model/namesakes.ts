import { parsedDescriptor } from "./descriptor";
import type { Names } from "./names";

// What tells a method apart from others that have the same short name: as much of its class's package
// as that takes ("util.List" of java.util.List, beside java.awt.List), and of its parameters
// ("(int)", "(int, …)", "() → String").
export interface Distinction { className: string; parameters: string }

// By method; those that have their short names for themselves have no entry.
export function distinctions(names: Names): Map<number, Distinction> {
  const namesakes = new Map<string, Map<string, number[]>>(); // by the class's simple name, then by name
  const ofClass = new Map<string, Map<string, number[]>>(); // the same by the class's name
  for (let method = 0; method < names.count; method++) {
    const type = names.className(method);
    let byName = ofClass.get(type);
    if (!byName) ofClass.set(type, byName = innerOf(namesakes, names.simpleClass(method)));
    push(byName, names.name(method), method);
  }
  const found = new Map<number, Distinction>();
  for (const byName of namesakes.values()) {
    for (const methods of byName.values()) {
      if (methods.length === 1) continue;
      const byClass = new Map<string, number[]>();
      for (const method of methods) push(byClass, names.className(method), method);
      const classes = distinctClasses([...byClass.keys()]);
      [...byClass.values()].forEach((overloads, c) => {
        const parameters = distinctParameters(overloads.map((method) => names.descriptor(method)));
        overloads.forEach((method, i) =>
          found.set(method, { className: classes[c]!, parameters: parameters[i]! }));
      });
    }
  }
  return found;
}

// Of classes of one simple name: with as many parts of the package, from behind, as no other has.
function distinctClasses(classes: readonly string[]): string[] {
  const tails = classes.map((type) => {
    const parts = type.split(".");
    return parts.map((_, i) => parts.slice(parts.length - 1 - i).join("."));
  });
  const seen = counts(tails.flat());
  return tails.map((own, c) => own.find((tail) => seen.get(tail) === 1) ?? classes[c]!);
}

// Of overloads: as many parameters from the first on as no other has; where two have all the same,
// the result.
function distinctParameters(descriptors: readonly string[]): string[] {
  if (descriptors.length === 1) return [""];
  const parsed = descriptors.map((descriptor) => {
    const { parameters, result } = parsedDescriptor(descriptor) ?? { parameters: [], result: descriptor };
    return { begins: parameters.slice(1).map((_, i) => parameters.slice(0, i + 1).join(", ")), all: parameters.join(", "), result };
  });
  const begun = counts(parsed.flatMap(({ begins }) => begins)), whole = counts(parsed.map(({ all }) => all));
  return parsed.map(({ begins, all, result }) => {
    const begin = begins.find((some) => begun.get(some) === 1);
    if (begin !== undefined) return `(${begin}, …)`;
    return whole.get(all) === 1 ? `(${all})` : `(${all}) → ${result}`;
  });
}

function counts(texts: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

function innerOf<Inner>(outer: Map<string, Map<string, Inner>>, key: string): Map<string, Inner> {
  let inner = outer.get(key);
  if (!inner) outer.set(key, inner = new Map());
  return inner;
}

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
