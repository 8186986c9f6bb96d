import type { ContextTree } from "../../data/page_data";
import { packageWeights } from "../../model/flame_methods";
import { flameTree, mainLevel } from "../../model/flame_tree";
import type { PageModel } from "../../model/page_model";
import type { Flame } from "./use_flame";

// How frames are coloured. What a colour stands for is told in words as well, in the tooltip and the
// panel. Text on each has a contrast of at least 4.5.
export interface Paint { fill: string; text: string }

const DARK_TEXT = "#1a1d23", LIGHT_TEXT = "#ffffff";
const paints = (fills: readonly string[], text: string): Paint[] => fills.map((fill) => ({ fill, text }));

export const MATCH: Paint = { fill: "#a21caf", text: LIGHT_TEXT };

// Of interpreted code, C1's, C2's, and what is not known.
const CODE = {
  light: paints(["#e7b86a", "#9fc9ec", "#74c2a5", "#d3d7de"], DARK_TEXT),
  dark: paints(["#8a6420", "#2f5f8a", "#22694f", "#454c58"], LIGHT_TEXT),
};
const CODE_WORDS = ["interpreted", "C1", "C2", "not known"];
const LEVEL_WORDS = ["interpreted", "C1 tier 1", "C1 tier 2", "C1 tier 3", "C2"];

export function levelWords(level: number): string {
  return LEVEL_WORDS[level] ?? "code not known";
}

// The packages with most of the weight have a colour each, all others the last.
const HUES = [205, 30, 145, 285, 58, 340, 178, 95, 245, 5];
const PACKAGES = {
  light: [...paints(HUES.map((hue) => `hsl(${hue} 55% 78%)`), DARK_TEXT), CODE.light[3]!],
  dark: [...paints(HUES.map((hue) => `hsl(${hue} 42% 29%)`), LIGHT_TEXT), CODE.dark[3]!],
};

interface Packages { names: string[]; shares: number[]; others: number; of: Int8Array }
const ranked = new WeakMap<ContextTree, Packages>();

// By the whole tree, so that transforms change no colour.
function packagesOf({ names }: PageModel, contexts: ContextTree): Packages {
  const known = ranked.get(contexts);
  if (known) return known;
  const tree = flameTree(contexts);
  const weights = packageWeights(tree, names);
  const first = weights.slice(0, HUES.length);
  const rank = new Map(first.map(({ name }, i) => [name, i]));
  const packages = {
    names: first.map(({ name }) => name || "(no package)"),
    shares: first.map(({ self }) => self / tree.total[0]!),
    others: weights.length - first.length,
    of: Int8Array.from({ length: names.count }, (_, method) => rank.get(names.packageName(method)) ?? HUES.length),
  };
  ranked.set(contexts, packages);
  return packages;
}

export interface Colours {
  of(node: number): Paint;
  legend: { paint: Paint; words: string; share?: number }[];
}

export function coloursOf(model: PageModel, flame: Flame, isDark: boolean): Colours {
  const { tree } = flame, theme = isDark ? "dark" : "light";
  if (flame.colour === "code") {
    const paint = CODE[theme];
    return {
      of: (node) => paint[codeKind(mainLevel(tree, node))]!,
      legend: CODE_WORDS.map((words, i) => ({ paint: paint[i]!, words })),
    };
  }
  const paint = PACKAGES[theme], packages = packagesOf(model, flame.contexts);
  const others = { paint: paint[HUES.length]!, words: `${packages.others} other packages` };
  return {
    of: (node) => paint[packages.of[tree.method[node]!] ?? HUES.length]!,
    legend: [
      ...packages.names.map((words, i) => ({ paint: paint[i]!, words, share: packages.shares[i]! })),
      ...(packages.others > 0 ? [others] : []),
    ],
  };
}

// 0 interpreted, 1 C1's, 2 C2's, 3 not known.
function codeKind(level: number): number {
  return level === 0 ? 0 : level >= 1 && level <= 3 ? 1 : level === 4 ? 2 : 3;
}
