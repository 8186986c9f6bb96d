import type { LayoutInput, Point } from "../../model/layered_layout";
import { shorten, shortenClass } from "../../model/shorten";
import type { CanvasEdge, CanvasNode } from "./graph_canvas";

// Text is of a fixed width per character, so that its extent is known without a browser.
export const CHAR_PX = 7.9; // 13 px
export const SMALL_CHAR_PX = 7.3; // 12 px
const MAX_LABEL = 36, MAX_PARAMETERS = 26, MAX_OWNER = 40;
const PADDING = 9, LINE_PX = 16, UPRIGHT_PADDING = 5;
export const BAR_PX = 54; // of the error bars
export const BAR_HEIGHT_PX = 12;

// A line of a node's text.
export interface NodeLine { text: string; kind: "owner" | "label" | "detail" }

export function nodeLines(node: CanvasNode, loop: CanvasEdge | undefined): NodeLine[] {
  // The parameters tell it apart from others: they have their own room.
  const open = node.label.indexOf("(", 1), end = open < 0 ? node.label.length : open;
  const label = shorten(node.label.slice(0, end), MAX_LABEL) + shorten(node.label.slice(end), MAX_PARAMETERS);
  const owner = node.owner ? shortenClass(node.owner, MAX_OWNER) : "";
  const first = owner || label;
  const detail = [node.detail, loop && `↻ ${loop.label ?? "itself"}`].filter(Boolean).join(" · ");
  const lines: NodeLine[] = [
    { text: node.symbol ? `${node.symbol} ${first}` : first, kind: owner ? "owner" : "label" },
    { text: owner ? label : "", kind: "label" },
    { text: detail, kind: "detail" },
  ];
  return lines.filter(({ text }) => text !== "");
}

// Where a line of text stands, below a node's upper side.
export function lineBelowTop(line: number): number { return UPRIGHT_PADDING + (line + 0.75) * LINE_PX; }

export function layoutInput(nodes: readonly CanvasNode[], edges: readonly CanvasEdge[],
                            direction: "down" | "right"): LayoutInput {
  const loops = new Map(edges.filter((edge) => edge.from === edge.to).map((edge) => [edge.from, edge]));
  return {
    direction,
    nodes: nodes.map((node) => {
      const lines = nodeLines(node, loops.get(node.id));
      const text = Math.max(...lines.map((line) => line.text.length * (line.kind === "detail" ? SMALL_CHAR_PX : CHAR_PX)));
      return {
        id: node.id, width: Math.round(text + 2 * PADDING), height: lines.length * LINE_PX + 2 * UPRIGHT_PADDING,
        rank: node.rank ?? 0, cluster: node.cluster,
      };
    }),
    edges: edges.map((edge) => ({
      from: edge.from, to: edge.to,
      width: Math.max((edge.label?.length ?? 0) * SMALL_CHAR_PX, edge.interval ? BAR_PX : 0),
      height: (edge.label ? 15 : 0) + (edge.interval ? BAR_HEIGHT_PX : 0),
    })),
  };
}

// A line through all points that is upright to the layers at each of them.
export function smoothPath(points: readonly Point[], direction: "down" | "right"): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${round(first.x)} ${round(first.y)}`, last = first;
  for (const point of rest) {
    const x = round((last.x + point.x) / 2), y = round((last.y + point.y) / 2);
    path += direction === "down"
      ? `C${round(last.x)} ${y} ${round(point.x)} ${y} ${round(point.x)} ${round(point.y)}`
      : `C${x} ${round(last.y)} ${x} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    last = point;
  }
  return path;
}

// A triangle whose tip is where the line ends.
export function arrowHead(points: readonly Point[], size: number, direction: "down" | "right"): string {
  const tip = points[points.length - 1], before = points[points.length - 2];
  if (!tip || !before) return "";
  const isDown = direction === "down";
  const back = Math.sign(isDown ? before.y - tip.y : before.x - tip.x) * size * 1.5, half = size * 0.7;
  const corners = [half, -half].map((side) => isDown
    ? `${round(tip.x + side)} ${round(tip.y + back)}` : `${round(tip.x + back)} ${round(tip.y + side)}`);
  return `M${round(tip.x)} ${round(tip.y)}L${corners.join("L")}Z`;
}

function round(value: number): number { return Math.round(value * 10) / 10; }

// The node that lies next in a direction: what is far aside counts as further away.
export function neighbourInDirection(nodes: readonly { id: number; x: number; y: number }[],
                                     from: number, dx: number, dy: number): number | undefined {
  const start = nodes.find((node) => node.id === from);
  if (!start) return undefined;
  let best: number | undefined, least = Infinity;
  for (const node of nodes) {
    const along = (node.x - start.x) * dx + (node.y - start.y) * dy;
    const aside = Math.abs((node.x - start.x) * dy) + Math.abs((node.y - start.y) * dx);
    if (node.id === from || along <= 1) continue;
    const distance = along + 2 * aside;
    if (distance < least) { least = distance; best = node.id; }
  }
  return best;
}
