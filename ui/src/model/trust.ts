import type { ProfileData } from "../data/page_data";
import { callsWithin, formatRelative, inferredShare, medianOf, type Certainty } from "./certainty";
import { formatCount, formatShare, formatTime, plural } from "./format";
import { budgetOf, countingCost, recordingCost } from "./recording_cost";

const HOTTEST = 10;
const SURE = 0.25; // Half the width of the interval, of an edge's calls.

// How calls became samples (yp run --help: --mode, --policy).
function sampling(profile: ProfileData): string {
  const { config } = profile;
  const from = plural(profile.samples, "sample"), isCountdown = config["policy"] === "countdown";
  if (config["mode"] === "timer") {
    return `Shares of calls are estimates from ${from}, one a tick: methods that run long are seen too often, and how many calls there were is not known.`;
  }
  if (config["mode"] === "patching") {
    return `Shares of calls are estimates from ${from}: the first calls of each method after it was compiled, whatever came later.`;
  }
  // Of a countdown, a window is no more than the samples of one thread in a tick.
  const places = isCountdown ? profile.ticks : profile.windows.tick.length;
  const within = places > 0 ? ` in ${plural(places, isCountdown ? "tick" : "window")}` : "";
  return `Numbers of calls are estimates from ${from}${within}, ${isCountdown
    ? "in which each call has the same chance to be a sample. A sample weighs as much as the calls that its tick stands for."
    : "which come at equal times: each weighs as much as the calls that its window stands for."}`;
}

function sampledInWords(profile: ProfileData, sure: readonly Certainty[]): string[] {
  const lines = [sampling(profile)];
  const seenNs = profile.windows.duration_ns.reduce((sum, ns) => sum + ns, 0);
  const cost = recordingCost(profile);
  if (seenNs > 0 && cost && seenNs < cost.programNs) {
    lines.push(`Windows last ${formatTime(seenNs)} in all, of ${formatTime(cost.programNs)} of the program's CPU time: what it did only between them was not seen.`);
  }
  const hot = sure.slice(0, HOTTEST);
  if (hot.length > 0) {
    const surely = callsWithin(sure, SURE);
    lines.push(`The ${plural(hot.length, "most called edge")} ${hot.length === 1 ? "is" : "are"} known to within ± ${formatRelative(medianOf(hot))} (median of the 95 % intervals). ` +
      `${surely > 0 ? `Edges with ${formatShare(surely)} of all calls are` : "No edge is"} known to within ± ${formatRelative(SURE)}.`);
  }
  const inferred = inferredShare(sure);
  if (inferred > 0) {
    lines.push(`${formatShare(inferred)} of the calls are on edges with inlined calls, which run no method's entry: they are inferred from the JVM's own method profiles. Their intervals say how far to trust that.`);
  }
  return lines;
}

function slower(profile: ProfileData): string {
  const cost = countingCost(profile);
  return cost && Number.isFinite(cost.factor) ? `about ${cost.factor.toFixed(2)} times as long` : "slower";
}

function firstWords(profile: ProfileData, sure: readonly Certainty[]): string[] {
  if (profile.edges.callee.length === 0) return ["No calls were observed."];
  switch (profile.kind) {
    case "exact":
      return [`Every call${profile.config["scope"] === "app" ? " of the program's own methods" : ""} was counted: numbers are exact, and the program ran ${slower(profile)} for it.`];
    case "edges":
      return ["Each edge was recorded when it was first taken: these are the edges that exact counting finds. How often each was taken is not known."];
    case "sampled":
      return sampledInWords(profile, sure);
  }
}

// How far the profile can be trusted, the most important first.
export function trustInWords(profile: ProfileData, sure: readonly Certainty[]): string[] {
  const lines = firstWords(profile, sure);
  const lost = profile.drops.filter(({ kind }) => kind === "lost").reduce((sum, { count }) => sum + count, 0);
  lines.push(lost > 0
    ? `${formatCount(lost)} samples, stacks or methods were lost, for the reasons below.` : "Nothing was lost.");
  if (!profile.complete) lines.push("The run did not end in order: what was recorded up to then is here.");
  const cost = recordingCost(profile);
  if (cost) lines.push(`Recording took ${formatShare(cost.share)} of the program's CPU time by its own measure.`);
  return lines;
}

const LONG_NS = 60e9;
const LARGE_BUDGET = 0.05;

// What to do for a profile that can be trusted more.
export function advice(profile: ProfileData, sure: readonly Certainty[]): string[] {
  if (profile.kind === "exact") return [];
  if (profile.kind === "edges") {
    return ["For numbers of calls, record without --mode edges: sampled, or with --mode exact each of them."];
  }
  const lines: string[] = [];
  if (profile.duration_ns < LONG_NS) {
    lines.push(`The run took ${formatTime(profile.duration_ns)}: let it go on for a minute or more, or attach to a program that runs anyway (yp attach PID --duration 60s).`);
  }
  const budget = budgetOf(profile);
  if (budget < LARGE_BUDGET) {
    lines.push(`--budget 5 takes about ${Number((LARGE_BUDGET / budget).toPrecision(2))} times as many samples as this budget of ${Number((100 * budget).toPrecision(3))} %, for as much more CPU time.`);
  }
  if (inferredShare(sure.slice(0, HOTTEST)) > 0) {
    const all = profile.config["scope"] === "all" ? " --scope all" : ""; // Of exact mode, app is the default.
    lines.push(`Where the hot edges are inferred, more samples help less: --mode exact${all} counts inlined calls as well.`);
  }
  lines.push("How near to the truth is it? yp selfcheck -- COMMAND runs the program counted and sampled, and prints how far the two overlap.");
  return lines;
}
