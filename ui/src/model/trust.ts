import type { ProfileData } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { formatCount, formatShare, formatTime, plural } from "./format";

// What was lost, by its reason (hotspot/agent/drops.h), in words.
const DROPS: Record<string, string> = {
  ring_full: "samples lost as the agent's thread was too slow",
  window_cut: "windows in which the recording ended",
  walk_failed: "the JVM did not give the stack",
  no_thread_state: "no memory for a thread's state",
  walk_mismatch: "the remembered call and the JVM's own answer differed; the JVM's was taken",
  callee_unknown: "calls into code whose method is not known",
  caller_unknown: "calls from frames that are not known",
  no_debug_info: "calls from code of which the compiler recorded nothing",
  not_java_thread: "signals that found a thread of the JVM's own: no Java stack",
  in_compiler: "signals that found a compiler at work: no Java stack",
  no_java_frame: "signals outside of Java code",
  collecting: "signals while the garbage collector was at work",
  java_not_walkable: "stacks that could not be walked from where Java code was",
  vm_not_walkable: "stacks that could not be walked from within the JVM or native code",
  state_not_walkable: "threads that were changing their state",
  stack_too_deep: "stacks with more frames than there is room for",
  stack_buffer_full: "stacks lost as the agent's thread was too slow",
  method_gone: "stacks with a method that had been unloaded",
  contexts_full: "calling contexts beyond what memory is taken for",
  class_unreadable: "class files that were not understood, left as they are",
  class_not_rewritten: "classes that the JVM would not change",
};
// Not lost: there was nothing to see.
const NOTHING_TO_SEE = new Set(["not_java_thread", "in_compiler", "no_java_frame", "collecting"]);

export interface DropRow { reason: string; count: number; words: string; isLoss: boolean }

export function dropsOf(profile: ProfileData): DropRow[] {
  return Object.entries(profile.drops).map(([reason, count]) => ({
    reason, count, words: DROPS[reason] ?? reason.replaceAll("_", " "),
    isLoss: !NOTHING_TO_SEE.has(reason) && reason !== "walk_mismatch",
  })).sort((a, b) => b.count - a.count);
}

// How sure an edge's number of calls is: the interval's half, of the number.
export interface Certainty { edge: number; share: number; relative: number; isInferred: boolean }

export function certainties(graph: CallGraph): Certainty[] {
  const found: Certainty[] = [];
  for (let edge = 0; edge < graph.count; edge++) {
    const calls = graph.edges.calls[edge]!;
    if (calls <= 0) continue;
    found.push({
      edge, share: graph.share(edge), relative: (graph.high(edge) - graph.low(edge)) / 2 / calls,
      isInferred: graph.isInferred(edge),
    });
  }
  return found.sort((a, b) => b.share - a.share);
}

// The median of the relative half widths of edges by their share of all calls, from the hottest.
export interface CertaintyBand { from: number; to: number; edges: number; calls: number; median: number; worst: number }

const BANDS = [1, 0.01, 0.001, 0.0001, 0.00001, 0];

export function certaintyBands(all: readonly Certainty[]): CertaintyBand[] {
  const bands: CertaintyBand[] = [];
  for (let i = 0; i + 1 < BANDS.length; i++) {
    const to = BANDS[i]!, from = BANDS[i + 1]!;
    const inside = all.filter(({ share }) => share > from && (share <= to || i === 0));
    if (inside.length === 0) continue;
    const sorted = inside.map(({ relative }) => relative).sort((a, b) => a - b);
    bands.push({
      from, to, edges: inside.length, calls: inside.reduce((sum, { share }) => sum + share, 0),
      median: sorted[Math.floor(sorted.length / 2)]!, worst: sorted[sorted.length - 1]!,
    });
  }
  return bands;
}

function number(profile: ProfileData, key: string): number {
  return Number(profile.config[key] ?? NaN);
}

// The agent's own cost by its own measure, of the program's CPU time; NaN where it is not known.
export function ownCost(profile: ProfileData): number {
  const program = number(profile, "cost.program_cpu_ns");
  const parts = ["cost.drain_cpu_ns", "cost.slow_path_ns", "cost.stacks_ns", "cost.trigger_cpu_ns",
    "cost.observed_calls_ns"].map((key) => number(profile, key)).filter(Number.isFinite);
  return program > 0 && parts.length > 0 ? parts.reduce((a, b) => a + b, 0) / program : NaN;
}

// In words, the most important first.
export function trustInWords(profile: ProfileData, graph: CallGraph): string[] {
  const lines: string[] = [];
  const windows = profile.windows.tick.length;
  if (profile.kind === "exact") {
    lines.push("Every call was counted: numbers are exact, and the program ran slower for it.");
  } else if (profile.kind === "edges") {
    lines.push("Each edge was recorded when it was first taken: the set of edges is what exact counting finds; how often each was taken is not known.");
  } else {
    const uniform = profile.config["policy"] === "countdown";
    lines.push(`Numbers of calls are estimates from ${plural(profile.samples, "sample")} in ${plural(windows, "window")}, ` +
      (uniform ? "uniform over calls: each call was as likely to be sampled as any other."
        : "weighted by how many calls each window stands for."));
    const hot = certainties(graph).slice(0, 10);
    if (hot.length > 0) {
      const median = hot.map(({ relative }) => relative).sort((a, b) => a - b)[Math.floor(hot.length / 2)]!;
      lines.push(`The ${hot.length} most called edges are known to within ± ${formatShare(median)} (median, 95 % interval).`);
    }
    let inferred = 0;
    for (let edge = 0; edge < graph.count; edge++) if (graph.isInferred(edge)) inferred += graph.share(edge);
    if (inferred > 0) {
      lines.push(`${formatShare(inferred)} of the calls are on edges with inlined calls, which run no method entry: they are inferred from the JVM's own method profiles, and their intervals say how far to trust that.`);
    }
  }
  const lost = dropsOf(profile).filter(({ isLoss }) => isLoss).reduce((sum, { count }) => sum + count, 0);
  if (lost > 0) lines.push(`${formatCount(lost)} samples or stacks were lost, by the reasons below.`);
  if (!profile.complete) lines.push("The run did not end in order: what was recorded up to then is here.");
  const cost = ownCost(profile);
  if (Number.isFinite(cost)) lines.push(`Recording took ${formatShare(cost)} of the program's CPU time by its own measure.`);
  return lines;
}

// What to do for a profile that can be trusted more.
export function advice(profile: ProfileData, graph: CallGraph): string[] {
  if (profile.kind !== "sampled") return [];
  const lines: string[] = [];
  const hot = certainties(graph).slice(0, 10);
  const wide = hot.length > 0 && hot[Math.floor(hot.length / 2)]!.relative > 0.2;
  if (profile.duration_ns < 30e9) lines.push(`The run took ${formatTime(profile.duration_ns)}: let it go on for a minute, or attach to a running program (yp attach PID -d 60s).`);
  if (wide || profile.samples < 10_000) lines.push("More samples for more CPU time: --budget 5 takes ten times as many as the default.");
  lines.push("How near is this to the truth? yp selfcheck -- COMMAND runs the program exactly counted and sampled, and prints the overlap.");
  return lines;
}
