import type { ProfileData } from "../data/page_data";

// What the agent measured of its own work (cost.*, hotspot/recording/session.cc).
const PARTS: readonly [key: string, words: string][] = [
  ["cost.observed_calls_ns", "counting calls"],
  ["cost.slow_path_ns", "taking samples of calls"],
  ["cost.stacks_ns", "taking stacks"],
  ["cost.trigger_cpu_ns", "making ticks"],
  ["cost.drain_cpu_ns", "the agent's own thread: names, writing the recording"],
];

export interface CostPart { words: string; ns: number; share: number }

export interface RecordingCost {
  programNs: number; // CPU time
  share: number; // of it, by all parts
  parts: CostPart[]; // those that took any
  budget: number; // what calls might cost, as a share; NaN: not limited
}

function settingOf(profile: ProfileData, key: string): number {
  const text = profile.config[key];
  return text === undefined || text === "" ? NaN : Number(text);
}

// What --budget allowed, as a share of the program's CPU time; NaN where there was no limit.
export function budgetOf(profile: ProfileData): number {
  const ppm = settingOf(profile, "budget_ppm");
  return ppm > 0 ? ppm / 1e6 : NaN;
}

export interface CountingCost {
  addedNs: number; // to each call that is counted, as measured when the recording began
  walksNs: number; // in walks of stacks, for callers that had not announced their calls
  programNs: number; // CPU time
  share: number; // of it, by counting
  factor: number; // CPU time to that without counting; NaN: counting seems to have taken all of it
}

// What exact mode cost (counting.*, hotspot/probes/bytecode). Undefined where it was not measured.
export function countingCost(profile: ProfileData): CountingCost | undefined {
  const addedNs = settingOf(profile, "counting.call_ps") / 1000;
  const programNs = settingOf(profile, "counting.program_cpu_ns");
  if (profile.kind !== "exact" || profile.calls === null || !(addedNs >= 0 && programNs > 0)) return undefined;
  const walksNs = Math.max(0, settingOf(profile, "counting.walks_ns") || 0);
  const share = (profile.calls * addedNs + walksNs) / programNs;
  return { addedNs, walksNs, programNs, share, factor: share < 0.95 ? 1 / (1 - share) : NaN };
}

// Undefined where the agent has not measured it.
export function recordingCost(profile: ProfileData): RecordingCost | undefined {
  const programNs = settingOf(profile, "cost.program_cpu_ns");
  if (!(programNs > 0)) return undefined;
  const parts = PARTS.map(([key, words]) => ({ words, ns: settingOf(profile, key) }))
    .filter(({ ns }) => ns > 0).map((part) => ({ ...part, share: part.ns / programNs }));
  return {
    programNs, parts, share: parts.reduce((sum, { share }) => sum + share, 0), budget: budgetOf(profile),
  };
}
