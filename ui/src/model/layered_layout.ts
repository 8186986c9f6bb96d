import { Graph, layout } from "@dagrejs/dagre";

// Places of a directed graph's nodes, in layers, and the lines of its edges (Sugiyama's method, by
// dagre). Pixels; a node's place is its middle. Loops are not laid out.
//
// Why dagre 3.1.3: on graphs of 150 nodes and 250 to 400 edges of profiles (2026-11, 2 cores, under
// load) it took 0.2 to 0.7 s, elkjs 0.12.1 0.15 to 0.9 s with a script of 1.6 MB, and graphviz in
// WebAssembly (@hpcc-js 1.29.2) 0.2 to 1.2 s with 0.8 MB and a policy that has 'wasm-unsafe-eval';
// dagre adds 50 kB. Without dagre's own search for cycles, by the ranks, and with its tight-tree
// ranker, it takes 0.15 to 0.25 s of CPU for 150 nodes and 300 edges.

export interface LayoutInput {
  direction: "down" | "right";
  // Edges go from lower to higher ranks, as far as they can: those that do not are drawn backwards.
  nodes: { id: number; width: number; height: number; rank: number; cluster?: string | undefined }[];
  edges: { from: number; to: number; width: number; height: number }[]; // of its label
}

export interface Point { x: number; y: number }
export interface LayoutOutput {
  width: number;
  height: number;
  nodes: Point[]; // in the order of the input
  edges: { points: Point[]; label: Point | undefined }[];
  clusters: { name: string; x: number; y: number; width: number; height: number }[];
}

export function layeredLayout({ direction, nodes, edges }: LayoutInput): LayoutOutput {
  const clusters = [...new Set(nodes.flatMap((node) => node.cluster ?? []))];
  const graph = new Graph({ multigraph: true, compound: clusters.length > 0 });
  const isDown = direction === "down";
  graph.setGraph({
    rankdir: isDown ? "TB" : "LR", nodesep: isDown ? 22 : 14, edgesep: 8, ranksep: isDown ? 44 : 56,
    ranker: "tight-tree",
  });
  clusters.forEach((_, i) => graph.setNode(`cluster ${i}`, {}));
  const order = new Map(nodes.map((node, i) => [node.id, node.rank * nodes.length + i]));
  for (const { id, width, height, cluster } of nodes) {
    graph.setNode(String(id), { width, height });
    if (cluster !== undefined) graph.setParent(String(id), `cluster ${clusters.indexOf(cluster)}`);
  }
  const isBackward = edges.map(({ from, to }) => order.get(from)! > order.get(to)!);
  edges.forEach(({ from, to, width, height }, i) => {
    if (from === to) return;
    const ends = isBackward[i] ? [to, from] : [from, to];
    graph.setEdge(String(ends[0]), String(ends[1]), { width, height, labelpos: "c" }, String(i));
  });
  layout(graph);

  const size = graph.graph() as { width: number; height: number };
  const places = nodes.map(({ id }) => {
    const { x, y } = graph.node(String(id)) as Point;
    return { x, y };
  });
  const lines = edges.map(({ from, to }, i) => {
    if (from === to) return { points: [], label: undefined };
    const ends = isBackward[i] ? [to, from] : [from, to];
      const edge = graph.edge(String(ends[0]), String(ends[1]), String(i)) as
        { points: Point[]; x?: number; y?: number };
      const points = edge.points.map(({ x, y }) => ({ x, y }));
      if (isBackward[i]) points.reverse();
      return {
        points,
        label: edge.x === undefined || edge.y === undefined ? undefined : { x: edge.x, y: edge.y },
      };
    });
  spreadEnds(isDown, nodes, places, edges, lines.map(({ points }) => points));
  return {
    width: size.width, height: size.height, nodes: places, edges: lines,
    clusters: clusters.map((name, i) => {
      const { x, y, width, height } = graph.node(`cluster ${i}`) as
        { x: number; y: number; width: number; height: number };
      return { name, x: x - width / 2, y: y - height / 2, width, height };
    }),
  };
}

// Lines begin and end on the sides of nodes that face other layers, next to each other in the order
// in which they go on, so that they neither cross there nor cover each other.
function spreadEnds(isDown: boolean, nodes: LayoutInput["nodes"], places: readonly Point[],
                    edges: LayoutInput["edges"], lines: readonly Point[][]): void {
  const index = new Map(nodes.map(({ id }, i) => [id, i]));
  const along = (point: Point) => isDown ? point.x : point.y;
  const across = (point: Point) => isDown ? point.y : point.x;
  const sides = new Map<string, { node: number; sign: number; ends: { end: Point; next: Point }[] }>();
  edges.forEach(({ from, to }, i) => {
    const points = lines[i]!;
    if (points.length < 2) return;
    for (const [id, end, next] of [[from, points[0]!, points[1]!],
      [to, points[points.length - 1]!, points[points.length - 2]!]] as const) {
      const node = index.get(id)!, sign = across(next) < across(places[node]!) ? -1 : 1;
      const key = `${node} ${sign}`;
      let side = sides.get(key);
      if (!side) sides.set(key, side = { node, sign, ends: [] });
      side.ends.push({ end, next });
    }
  });
  for (const { node, sign, ends } of sides.values()) {
    const { width, height } = nodes[node]!, place = places[node]!;
    const room = 0.8 * (isDown ? width : height), depth = (isDown ? height : width) / 2;
    ends.sort((a, b) => along(a.next) - along(b.next));
    const gap = Math.min(MAX_END_GAP, room / ends.length);
    ends.forEach(({ end }, i) => {
      const offset = (i - (ends.length - 1) / 2) * gap;
      end.x = isDown ? place.x + offset : place.x + sign * depth;
      end.y = isDown ? place.y + sign * depth : place.y + offset;
    });
  }
}

const MAX_END_GAP = 14;
