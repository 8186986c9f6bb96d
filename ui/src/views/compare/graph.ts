import { factorOf, formatPoints, formatSmallShare, pairsAround, type Change, type PairChange } from "../../model/compare";
import { plural } from "../../model/format";
import { LEAST_SCALE } from "../../model/layout_choice";
import type { Names } from "../../model/names";
import type { CanvasEdge, CanvasNode, Drawing, Tone } from "../graph/graph_canvas";
import { nodeName } from "../graph/graph_items";

// How many edges a drawing has: as many as can be read in the room, the largest changes.
const MAX_EDGES = [60, 30, 16, 11, 8, 5, 3, 2, 1];
const CUT_DOWN = 16; // With no more, a drawing is rather shown smaller than with fewer.

export interface CompareDrawing extends Drawing {
  hidden: number; // edges that are not drawn
}

// What changed around a method, the drawings with most edges first.
export function compareDrawings(changes: readonly Change[], names: Names, selected: number | undefined,
                                hasCalls: boolean): CompareDrawing[] {
  return MAX_EDGES.map((most) => ({ ...compareGraph(changes, names, selected, hasCalls, most),
    ...most <= CUT_DOWN && { leastScale: LEAST_SCALE } }))
    .filter(({ edges }, i, all) => i === 0 || edges.length < all[i - 1]!.edges.length)
    .flatMap((graph) => (["right", "down"] as const).map((direction) => ({ ...graph, direction })));
}

function toneOf(pair: PairChange): Tone {
  if (pair.significant === 0) return "grey";
  return pair.after > pair.before ? "red" : "blue";
}

// What changed around a method, as a graph: callers to its left, callees to its right.
function compareGraph(changes: readonly Change[], names: Names, selected: number | undefined, hasCalls: boolean,
                      limit: number):
    { nodes: CanvasNode[]; edges: CanvasEdge[]; hidden: number } {
  if (selected === undefined) return { nodes: [], edges: [], hidden: 0 };
  const { pairs, hidden } = pairsAround(changes, selected, limit);
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
