import type { ContextTree } from "../data/page_data";
import { formatAbout, formatCount, formatShare, formatTime, plural } from "./format";

// What a tree's weights are, and how they read.
export interface FlameUnit {
  widths: string; // "CPU time"
  // A frame's own weight, and that with all below it: how columns and rows name the two.
  self: { title: string; help: string };
  total: { title: string; help: string };
  uncertainty: string; // what the numbers' error is; empty for none
  format(weight: number): string;
  // Both weights of a frame.
  frame(self: number, total: number): string[];
  // Of all: with its interval where there is one.
  share(weight: number, all: number): string;
}

export function flameUnit(contexts: Pick<ContextTree, "unit" | "sample_ns">): FlameUnit {
  if (contexts.unit === "samples") {
    const each = contexts.sample_ns;
    const format = (weight: number) => {
      const samples = plural(weight, "sample");
      return each > 0 ? `${formatTime(weight * each)} (${samples})` : samples;
    };
    return {
      widths: each > 0 ? "CPU time, by samples of stacks" : "samples of stacks",
      self: { title: "Self", help: "In the method itself" },
      total: { title: "Total", help: "With all that it calls; recursion counts once" },
      uncertainty: "Intervals are of 95 %, those of shares of so many samples.",
      format,
      frame: (self, total) => [format(total), `itself ${format(self)}`],
      share: (weight, all) => {
        if (!(all > 0)) return formatShare(0);
        const [low, high] = wilson(weight, all);
        if (weight >= all) return formatShare(1);
        return `${formatShare(weight / all)} (${formatShare(low).replace(" %", "")}–${formatShare(high)})`;
      },
    };
  }
  const isExact = contexts.unit === "calls";
  const number = (calls: number) => isExact ? formatCount(calls) : formatAbout(calls);
  const format = (calls: number) => `${number(calls)} ${calls > 0 && calls <= 1 ? "call" : "calls"}`;
  return {
    widths: `${contexts.unit} of a frame and all below it`,
    self: { title: "Calls", help: "How often the method was called" },
    total: { title: "With below", help: "Its calls and all below them; recursion counts once" },
    uncertainty: isExact ? "" : "They are estimates, whose intervals are not known.",
    format,
    frame: (self, total) => [
      self > 0 && self < 1 ? "called less than once"
        : self > 0 ? `called ${number(self)} ${self === 1 ? "time" : "times"}` : "no call of it seen",
      `${format(total)} with all below it`,
    ],
    share: (weight, all) => formatShare(all > 0 ? weight / all : 0),
  };
}

const Z = 1.959964; // of 95 %

// The 95 % interval of a share of which `hits` of `all` independent samples were (Wilson 1927).
export function wilson(hits: number, all: number): [number, number] {
  const share = hits / all, z2 = Z * Z;
  const centre = share + z2 / (2 * all);
  const half = Z * Math.sqrt(Math.max(0, share * (1 - share)) / all + z2 / (4 * all * all));
  return [Math.max(0, (centre - half) / (1 + z2 / all)), Math.min(1, (centre + half) / (1 + z2 / all))];
}
