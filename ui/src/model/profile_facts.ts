import type { ProfileData } from "../data/page_data";
import { countOfCalls, formatShort, formatTime } from "./format";

// What a profile is of, in few words; empty ones are not known.
export interface ProfileFacts { title: string; kind: string; jdk: string; duration: string; calls: string; edges: string }

export function profileFacts(profile: ProfileData): ProfileFacts {
  const jdk = profile.config["jvm.version"] ?? "";
  const { calls } = profile;
  return {
    title: profile.config["title"] ?? "",
    kind: profile.kind === "exact" ? "exact" : profile.config["mode"] ?? profile.kind,
    jdk: jdk && `JDK ${jdk}`,
    duration: formatTime(profile.duration_ns),
    calls: calls === null ? "" : `${profile.kind === "exact" ? "" : profile.is_lower_bound ? "at least " : "about "}${countOfCalls(calls)}`,
    edges: `${formatShort(profile.edges.callee.length)} edge${profile.edges.callee.length === 1 ? "" : "s"}${calls === null ? " found" : ""}`,
  };
}
