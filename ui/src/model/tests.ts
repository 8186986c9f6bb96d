import type { ProfileData, TestData } from "../data/page_data";
import { addTo } from "./grouping";

const cache = new WeakMap<TestData, Map<number, number[]>>();

// Which tests reach a method, by their numbers; undefined where that is not known: the profile has no
// tests, or too much was reached for a page. Kept.
export function testsOf({ tests }: ProfileData, method: number): readonly number[] | undefined {
  if (!tests?.reached) return undefined;
  let byMethod = cache.get(tests);
  if (!byMethod) {
    cache.set(tests, byMethod = new Map());
    for (const [test, methods] of tests.reached.entries()) {
      for (const each of methods) addTo(byMethod, each, test);
    }
  }
  return byMethod.get(method) ?? [];
}
