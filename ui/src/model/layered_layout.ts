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
  // What it is to be drawn on, in pixels: nodes move apart where there is room, and keep their size.
  room?: Size | undefined;
  leastScale?: number | undefined; // at which it can be read; see layout_choice.ts
}

export interface Size { width: number; height: number }

export interface Point { x: number; y: number }
export interface LayoutOutput {
  width: number;
  height: number;
  nodes: Point[]; // in the order of the input
  edges: { points: Point[]; label: Point | undefined }[];
  clusters: { name: string; x: number; y: number; width: number; height: number }[];
}

export function layeredLayout({ direction, nodes, edges, room }: LayoutInput): LayoutOutput {
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

  const size = graph.graph() as Size;
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
    const label = edge.x === undefined || edge.y === undefined ? undefined : { x: edge.x, y: edge.y };
    return { points: isDown || !label ? points : straightAlong(points, label, edges[i]!.width), label };
  });
  const frames = clusters.map((name, i) => {
    const { x, y, width, height } = graph.node(`cluster ${i}`) as Point & Size;
    return { name, x: x - width / 2, y: y - height / 2, width, height };
  });
  const labels = lines.flatMap(({ label }) => label ?? []);
  const points = lines.flatMap((line) => line.points);
  if (room) {
    const { x, y } = roomToStretch(size, room);
    for (const point of [...places, ...points, ...labels]) { point.x *= x; point.y *= y; }
    for (const frame of frames) { frame.x *= x; frame.width *= x; frame.y *= y; frame.height *= y; }
  }
  spreadEnds(isDown, nodes, places, edges, lines.map((line) => line.points));

  // From the middles of the nodes back to their outlines: these have not moved apart.
  const box = boxOf([
    ...nodes.map(({ width, height }, i) => ({ ...places[i]!, width, height })),
    ...edges.flatMap(({ width, height }, i) => lines[i]!.label ? [{ ...lines[i]!.label!, width, height }] : []),
    ...points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })),
    ...frames.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, width, height })),
  ]);
  for (const point of [...places, ...points, ...labels, ...frames]) { point.x -= box.x; point.y -= box.y; }
  return { width: box.width, height: box.height, nodes: places, edges: lines, clusters: frames };
}

// A line to the right goes straight on for as long as its label is.
function straightAlong(points: readonly Point[], label: Point, width: number): Point[] {
  return points.flatMap((point) => {
    if (Math.abs(point.x - label.x) > 1 || Math.abs(point.y - label.y) > 1) return [point];
    const before = { x: label.x - width / 2, y: label.y }, after = { x: label.x + width / 2, y: label.y };
    return points[0]!.x <= points[points.length - 1]!.x ? [before, after] : [after, before];
  });
}

// The side that a room has to spare is used up to this factor.
const MOST_STRETCH = 1.7;
// A graph of two nodes is no poster.
export const MAX_FIT_SCALE = 1.5;

function roomToStretch(size: Size, room: Size): Point {
  const across = room.width / size.width, upright = room.height / size.height;
  const scale = Math.min(MAX_FIT_SCALE, across, upright);
  const stretch = (factor: number) => Math.max(1, Math.min(MOST_STRETCH, factor / scale));
  return { x: stretch(across), y: stretch(upright) };
}

// Around boxes that are told by their middles.
function boxOf(boxes: readonly (Point & Size)[]): Point & Size {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
    top = Math.min(top, y - height / 2);
    bottom = Math.max(bottom, y + height / 2);
  }
  return boxes.length === 0 ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
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
