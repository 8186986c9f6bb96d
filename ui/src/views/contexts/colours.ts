// How frames are coloured. Levels are told in words as well, in the tooltip and the panel.

export type ColourBy = "code" | "package";

export const LEVEL_WORDS = ["interpreted", "C1, level 1", "C1, level 2", "C1, level 3", "C2, level 4"];

export function levelWords(level: number): string {
  return LEVEL_WORDS[level] ?? "code not known";
}

interface Palette { fill: string; text: string }

// Of interpreted code, the first compiler's, the second's, and what is not known.
const CODE: Record<"light" | "dark", Palette[]> = {
  light: [
    { fill: "#e7b86a", text: "#1a1d23" }, { fill: "#9fc9ec", text: "#1a1d23" },
    { fill: "#74c2a5", text: "#1a1d23" }, { fill: "#d3d7de", text: "#1a1d23" },
  ],
  dark: [
    { fill: "#8a6420", text: "#ffffff" }, { fill: "#2f5f8a", text: "#ffffff" },
    { fill: "#22694f", text: "#ffffff" }, { fill: "#454c58", text: "#ffffff" },
  ],
};

export const CODE_LEGEND = ["interpreted", "C1 (levels 1 to 3)", "C2 (level 4)", "not known"];

export function codeColours(isDark: boolean): Palette[] {
  return CODE[isDark ? "dark" : "light"];
}

// 0 interpreted, 1 the first compiler's, 2 the second's, 3 not known.
export function codeKind(level: number): number {
  return level === 0 ? 0 : level >= 1 && level <= 3 ? 1 : level === 4 ? 2 : 3;
}

// Packages of one name have one colour; neighbours in the alphabet need not be alike.
export function packageColour(name: string, isDark: boolean): Palette {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619) >>> 0;
  const hue = hash % 360, chroma = 35 + (hash >>> 9) % 25;
  return isDark
    ? { fill: `hsl(${hue} ${chroma}% 28%)`, text: "#ffffff" }
    : { fill: `hsl(${hue} ${chroma}% 76%)`, text: "#1a1d23" };
}
