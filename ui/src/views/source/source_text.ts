import { countOfCalls, formatCount, formatInterval, formatShare, formatTime, plural, withCalls } from "../../model/format";
import { describeInlined } from "../../model/call_sites";
import { methodTimes } from "../../model/method_times";
import type { PageModel } from "../../model/page_model";
import { describeDecisions, type Inlined, type LineFacts, type SourceSite } from "../../model/source_index";

// Time, or samples where it is not known what one stands for.
export function timeFormat(model: PageModel): ((value: number) => string) | undefined {
  const times = methodTimes(model.profile, model.names.count);
  return times && (times.unit === "time" ? formatTime : formatCount);
}

// What compilers decided; whether each call was made in such code is another question, and the number
// of calls answers that ("calls inlined: in part").
export const INLINED_SIGN: Record<NonNullable<Inlined>, { sign: string; words: string }> = {
  all: { sign: "✓", words: "inlined" }, some: { sign: "≠", words: "inlined in part" }, none: { sign: "✗", words: "not inlined" },
};
export const INLINED_HELP = "In compiled code: ✓ inlined, ✗ not inlined, ≠ some are, or by some compilations";

export function callsText({ profile }: PageModel, { hasCalls, unexecuted, calls, low, high }: LineFacts): string {
  const never = neverText(unexecuted.length);
  if (!hasCalls) return never;
  const counted = profile.kind === "edges" ? plural(calls, "edge") : formatInterval(calls, low, high);
  return never ? `${counted}, ${never}` : counted;
}

export function neverText(calls: number): string { return calls > 0 ? `${plural(calls, "call")} never executed` : ""; }

// What a method is called, and the time in it: "1.2 M calls, self 3 ms, total 5 ms".
export function methodText(model: PageModel, method: number): string {
  const { graph, profile, names } = model;
  const times = methodTimes(profile, names.count), format = timeFormat(model);
  return [
    profile.kind === "edges" ? plural(graph.callers[method]!, "caller")
      : graph.callsOf[method]! > 0 ? countOfCalls(graph.callsOf[method]!) : "no call seen",
    times && format && `self ${format(times.self[method]!)}, total ${format(times.total[method]!)}` +
      (times.unit === "samples" ? " samples" : ""),
  ].filter(Boolean).join(", ");
}

// What is known of a call site, each a sentence's part.
export function siteTexts(model: PageModel, site: SourceSite): string[] {
  const { graph, profile } = model, { edge } = site;
  const decided = describeDecisions(site);
  const parts: (string | false)[] = [
    edge === undefined ? "no call seen"
      : profile.kind === "edges" ? "found"
      : `${withCalls(formatInterval(graph.edges.calls[edge]!, graph.low(edge), graph.high(edge)))}, ${formatShare(graph.share(edge))} of all`,
    edge !== undefined && profile.kind !== "edges" && graph.edges.inlined[edge]! > 0 && `calls inlined: ${describeInlined(graph.edges.inlined[edge]!)}`,
    decided && `compilers: ${decided}`,
  ];
  return parts.filter((text): text is string => text !== false && text !== "");
}

// A file with what is known of its lines, for the clipboard.
export function fileText(model: PageModel, rows: readonly { line: number; text: string; facts: LineFacts | undefined }[]): string {
  const time = timeFormat(model);
  return rows.map(({ line, text, facts }) => [
    String(line).padStart(6), (facts ? callsText(model, facts) : "").padStart(24),
    ...(time ? [(facts && facts.below > 0 ? time(facts.below) : "").padStart(10)] : []),
    facts?.inlined ? INLINED_SIGN[facts.inlined].sign : " ", text,
  ].join("  ").trimEnd()).join("\n") + "\n";
}
