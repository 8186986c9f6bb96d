import type { ProfileData } from "../data/page_data";
import { countOfCalls, formatShort, formatTime } from "./format";

// What a profile is of, in few words; empty ones are not known.
export interface ProfileFacts { title: string; kind: string; jdk: string; duration: string; calls: string; edges: string }

export function profileFacts(profile: ProfileData): ProfileFacts {
  const jdk = profile.config["jvm.version"] ?? "";
  const { calls, edges: { callee, calls: each } } = profile;
  // Of a selection, those that have calls in it.
  const edges = each ? callee.reduce((sum, _, edge) => sum + (each[edge]! > 0 ? 1 : 0), 0) : callee.length;
  return {
    title: profile.config["title"] ?? "",
    kind: profile.kind === "exact" ? "exact" : profile.config["mode"] ?? profile.kind,
    jdk: jdk && `JDK ${jdk}`,
    duration: formatTime(profile.duration_ns),
    calls: calls === null ? "" : `${profile.kind === "exact" ? "" : profile.is_lower_bound ? "at least " : "about "}${countOfCalls(calls)}`,
    edges: `${formatShort(edges)} edge${edges === 1 ? "" : "s"}${calls === null ? " found" : ""}`,
  };
}
