import type { Names } from "../../model/names";
import type { Neighbourhood, NeighbourEdge, HiddenPairs } from "../../model/neighbourhood";
import { countOfCalls, formatCalls, formatCount, formatInterval, formatShare, plural, withCalls } from "../../model/format";
import type { CanvasEdge, CanvasNode } from "./graph_canvas";

export type ClusterBy = "none" | "class" | "package";

const MIN_WIDTH = 1, MAX_WIDTH = 6;

export function canvasNodes(shown: Neighbourhood, names: Names, callsOf: ArrayLike<number>,
                            by: ClusterBy, hasCounts: boolean): CanvasNode[] {
  return shown.nodes.map(({ method, side, distance, hiddenCallers, hiddenCallees }) => {
    const calls = method < 0 || !hasCounts ? undefined
      : callsOf[method]! > 0 ? countOfCalls(callsOf[method]!) : "no call seen";
    const hidden = [
      hiddenCallers > 0 && `${plural(hiddenCallers, "caller")} not shown`,
      hiddenCallees > 0 && `${plural(hiddenCallees, "callee")} not shown`,
    ].filter(Boolean).join(", ");
    const cluster = method < 0 || by === "none" ? undefined
      : by === "class" ? names.className(method) : names.packageName(method);
    return {
      id: method, ...nodeName(names, method), rank: side === "caller" ? -distance : distance,
      title: [method < 0 ? "(root): threads' first methods, calls from native code and the VM" : names.full(method),
        calls, hidden].filter(Boolean).join("\n"),
      hidden: { above: hiddenCallers, below: hiddenCallees },
      ...(calls !== undefined && { detail: calls }), ...(cluster !== undefined && { cluster }),
    };
  });
}

// The class in a line of its own, above the method.
export function nodeName(names: Names, method: number): Pick<CanvasNode, "label" | "owner"> {
  const { type, name, parameters } = names.labelParts(method);
  return { label: name + parameters, ...(type && { owner: type }) };
}

// Widths go with the square root of the calls, so that rarer edges are still told apart.
export function canvasEdges(shown: Neighbourhood, names: Names, hasCounts: boolean): CanvasEdge[] {
  const most = shown.edges.reduce((calls, edge) => Math.max(calls, edge.calls), 0);
  const scale = logScale(shown.edges.filter(isEstimate).flatMap(({ low, high }) => [low, high]));
  return shown.edges.map((edge) => {
    const common = {
      from: edge.caller, to: edge.callee, title: edgeTitle(edge, names, hasCounts), dashed: edge.inferred,
    };
    if (!hasCounts) return { ...common, width: 1.5, dashed: false };
    const part = most > 0 ? Math.sqrt(edge.calls / most) : 0;
    return {
      ...common, width: MIN_WIDTH + (MAX_WIDTH - MIN_WIDTH) * part,
      label: `${formatCalls(edge.calls)}${edge.inlined === 2 ? " ⊂" : ""}`,
      ...(isEstimate(edge) && { interval: {
        low: scale(edge.low), value: scale(edge.calls), high: scale(edge.high),
      } }),
    };
  });
}

function isEstimate(edge: NeighbourEdge): boolean { return edge.hasInterval && edge.high > edge.low; }

// From the least of the numbers (at least 1) to the largest, as 0 to 1. Logarithmic: whiskers of
// one length mean one relative error.
function logScale(numbers: readonly number[]): (value: number) => number {
  const log = (value: number) => Math.log(Math.max(1, value));
  const logs = numbers.map(log);
  const low = logs.reduce((a, b) => Math.min(a, b), Infinity);
  const high = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  return (value) => high > low ? (log(value) - low) / (high - low) : 0.5;
}

export function edgeTitle(edge: NeighbourEdge, names: Names, hasCounts: boolean): string {
  return [
    `${names.qualified(edge.caller)} → ${names.qualified(edge.callee)}`,
    hasCounts && `${withCalls(edge.hasInterval ? formatInterval(edge.calls, edge.low, edge.high)
      : `${formatCalls(edge.calls)} (no interval)`)}, ${formatShare(edge.share)} of all`,
    plural(edge.sites, "call site"),
    edge.inferred && "most of it inferred from inlining",
    edge.inlined === 2 ? "inlined" : edge.inlined === 1 && "inlined in part",
  ].filter(Boolean).join("\n");
}

// What is shown, and what is not and why; each a sentence.
export function shownAndHidden(shown: Neighbourhood, methods: number, hasCounts: boolean): string[] {
  const { hidden, totalCalls, shownCalls } = shown;
  const share = (calls: number) => totalCalls > 0 ? calls / totalCalls : 0;
  const part = ({ pairs, calls }: HiddenPairs, why: string) => pairs > 0 &&
    `${formatCount(pairs)} ${why}${hasCounts ? ` (${formatShare(share(calls))} of all calls)` : ""}`;
  const parts = [
    part(hidden.threshold, "below the threshold"),
    part(hidden.depth, "further away or beside"),
    part(hidden.limit, `for lack of room`),
  ].filter(Boolean);
  return [
    `${formatCount(shown.nodes.length)} of ${plural(methods, "method")} and ${plural(shown.edges.length, "edge")}` +
      (hasCounts ? `, ${formatShare(share(shownCalls))} of all calls.` : "."),
    parts.length > 0 ? `Edges of these not shown: ${parts.join(", ")}.` : "All edges of these are shown.",
    ...(shown.methodsBeyondLimit > 0
      ? [`${plural(shown.methodsBeyondLimit, "method")} within these steps left out: at most ${formatCount(shown.nodes.length)} are drawn.`]
      : []),
  ];
}
