import type { LayoutInput, LayoutOutput, Point } from "../../model/layered_layout";
import { arrowHead, BAR_PX, smoothPath } from "./canvas_geometry";
import type { CanvasEdge } from "./graph_canvas";

interface Props {
  edge: CanvasEdge;
  line: LayoutOutput["edges"][number];
  loopAt: { place: Point | undefined; size: LayoutInput["nodes"][number] } | undefined;
  direction: "down" | "right";
  isNear: boolean;
}

export function CanvasEdgeShape({ edge, line, loopAt, direction, isNear }: Props) {
  const tone = `tone-${edge.tone ?? "neutral"}${isNear ? " is-near" : ""}`;
  const strokes = { "stroke-width": edge.width, "stroke-dasharray": edge.dashed ? `${4 + 2 * edge.width} ${2 + edge.width / 2}` : undefined };
  if (loopAt) {
    if (!loopAt.place) return null;
    const x = loopAt.place.x + loopAt.size.width / 2, y = loopAt.place.y - loopAt.size.height / 2;
    return (
      <g class={`canvas-edge ${tone}`}>
        <title>{edge.title}</title>
        <path d={`M${x - 16} ${y}C${x - 16} ${y - 16} ${x + 24} ${y + 7} ${x} ${y + 9}`} fill="none"
          stroke-width={Math.min(edge.width, 3)} stroke-dasharray={strokes["stroke-dasharray"]} />
        <path class="head" d={arrowHead([{ x: x + 9, y: y + 9 }, { x, y: y + 9 }], 4, "right")} />
      </g>
    );
  }
  const path = smoothPath(line.points, direction);
  return (
    <g class={`canvas-edge ${tone}`}>
      <title>{edge.title}</title>
      <path class="reach" d={path} fill="none" stroke="transparent" stroke-width={12} />
      <path d={path} fill="none" {...strokes} />
      <path class="head" d={arrowHead(line.points, 4 + edge.width / 2, direction)} />
    </g>
  );
}

// Drawn after all lines, so that none goes through it.
export function CanvasEdgeLabel({ edge, at, isNear }: { edge: CanvasEdge; at: Point; isNear: boolean }) {
  const { interval } = edge;
  const clear = edge.width / 2 + 3; // beside the line, which goes through the middle
  const left = at.x - BAR_PX / 2, y = at.y + clear + 4;
  const px = (part: number) => left + BAR_PX * Math.max(0, Math.min(1, part));
  const whiskers = interval && `M${px(interval.low)} ${y - 4}v8m0 -4H${px(interval.high)}m0 -4v8`;
  return (
    <g class={`canvas-edge canvas-edge-label${isNear ? " is-near" : ""}`}>
      <text class="canvas-halo" paint-order="stroke" x={at.x} y={at.y - clear} text-anchor="middle">{edge.label}</text>
      {interval && (
        <g class="canvas-bar">
          <path class="ground" fill="none" d={whiskers} />
          <path class="whisker" fill="none" d={whiskers} />
          <circle class="value" cx={px(interval.value)} cy={y} r={3.5} />
        </g>
      )}
    </g>
  );
}
