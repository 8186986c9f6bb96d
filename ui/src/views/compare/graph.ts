import { factorOf, formatPoints, formatSmallShare, pairsAround, type Change, type PairChange } from "../../model/compare";
import { plural } from "../../model/format";
import type { Names } from "../../model/names";
import type { CanvasEdge, CanvasNode, Tone } from "../graph/graph_canvas";
import { nodeName } from "../graph/graph_items";

const MAX_EDGES = 60;

function toneOf(pair: PairChange): Tone {
  if (pair.significant === 0) return "grey";
  return pair.after > pair.before ? "red" : "blue";
}

// What changed around a method, as a graph: callers to its left, callees to its right.
export function compareGraph(changes: readonly Change[], names: Names, selected: number | undefined, hasCalls = true):
    { nodes: CanvasNode[]; edges: CanvasEdge[]; hidden: number } {
  if (selected === undefined) return { nodes: [], edges: [], hidden: 0 };
  const { pairs, hidden } = pairsAround(changes, selected, MAX_EDGES);
  const most = pairs.reduce((max, pair) => Math.max(max, Math.abs(pair.after - pair.before)), 0);
  const ranks = new Map<number, number>([[selected, 0]]);
  for (const { caller, callee } of pairs) {
    if (callee === selected && !ranks.has(caller)) ranks.set(caller, -1);
    if (caller === selected && !ranks.has(callee)) ranks.set(callee, 1);
  }
  const nodes: CanvasNode[] = [...ranks].map(([method, rank]) => ({
    id: method, rank, ...nodeName(names, method), title: names.full(method),
  }));
  const edges: CanvasEdge[] = pairs
    .filter(({ caller, callee }) => ranks.has(caller) && ranks.has(callee))
    .map((pair) => {
      const change = pair.after - pair.before;
      const sign = pair.significant === 0 ? "~" : change > 0 ? "▲" : "▼";
      return {
        from: pair.caller, to: pair.callee, tone: toneOf(pair), dashed: pair.significant === 0,
        width: 1 + 5 * (most > 0 ? Math.sqrt(Math.abs(change) / most) : 0),
        label: hasCalls ? `${sign} ${formatPoints(change)}` : factorOf(pair.before, pair.after),
        title: [
          `${names.qualified(pair.caller)} → ${names.qualified(pair.callee)}`,
          hasCalls ? `${formatSmallShare(pair.before)} of all calls before, ${formatSmallShare(pair.after)} after (${factorOf(pair.before, pair.after)})`
            : factorOf(pair.before, pair.after),
          hasCalls ? `${plural(pair.sites, "call site")}, ${pair.significant} of them changed by more than chance`
            : plural(pair.sites, "call site"),
        ].join("\n"),
      };
    });
  return { nodes, edges, hidden };
}
