import { addTo } from "./grouping";
import type { PageData } from "../data/page_data";
import { parsedDescriptor } from "./descriptor";
import type { Names } from "./names";

// What tells a method apart from others that have the same short name: as much of its class's package
// as that takes ("util.List" of java.util.List, beside java.awt.List), and of its parameters
// ("(int)", "(int, …)", "() → String").
export interface Distinction { className: string; parameters: string }

// Of all methods of one short name, by method.
export function distinctions(names: Names, namesakes: readonly number[]): Map<number, Distinction> {
  const found = new Map<number, Distinction>(), byClass = new Map<string, number[]>();
  for (const method of namesakes) addTo(byClass, names.className(method), method);
  const classes = distinctClasses([...byClass.keys()]);
  [...byClass.values()].forEach((overloads, c) => {
    const parameters = distinctParameters(overloads.map((method) => names.descriptor(method)));
    overloads.forEach((method, i) =>
      found.set(method, { className: classes[c]!, parameters: parameters[i]! }));
  });
  return found;
}

// Methods of one name in classes of one simple name, by each of them; a method that has its short name
// for itself has no entry. By numbers of strings as far as that goes: few of many have a namesake.
export function namesakesOf(names: Names, methods: Pick<PageData["methods"], "class" | "name">): Map<number, readonly number[]> {
  const simpleIds = new Map<string, number>(), idOfClass = new Map<number, number>();
  const simple = Int32Array.from(methods.class, (type, method) => {
    let id = idOfClass.get(type);
    if (id === undefined) {
      const name = names.simpleClass(method);
      id = simpleIds.get(name) ?? simpleIds.size;
      simpleIds.set(name, id);
      idOfClass.set(type, id);
    }
    return id;
  });
  const order = Int32Array.from(methods.name, (_, method) => method)
    .sort((a, b) => methods.name[a]! - methods.name[b]! || simple[a]! - simple[b]! || a - b);
  const found = new Map<number, readonly number[]>();
  for (let begin = 0, end = 1; begin < order.length; begin = end++) {
    const first = order[begin]!;
    while (end < order.length && methods.name[order[end]!] === methods.name[first] && simple[order[end]!] === simple[first]) end++;
    if (end - begin === 1) continue;
    const group = [...order.subarray(begin, end)];
    for (const method of group) found.set(method, group);
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
