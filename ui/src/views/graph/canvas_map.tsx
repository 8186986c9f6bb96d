import { useEffect, useState } from "preact/hooks";
import type { LayoutInput, LayoutOutput, Point } from "../../model/layered_layout";
import type { SeenPart, Zoom } from "./use_zoom";

const WIDTH_PX = 150, HEIGHT_PX = 100;

// All of a graph in a corner, and which part of it is in sight, unless that is all: a click or a drag moves there. For
// pointers alone: the keyboard moves from node to node.
export function CanvasMap({ output, sizes, selected, watch, onMove }: {
  output: LayoutOutput; sizes: LayoutInput["nodes"]; selected: number; watch: Zoom["watch"]; onMove: (to: Point) => void;
}) {
  const [view, setView] = useState<SeenPart>();
  useEffect(() => watch(setView), [watch]);
  if (!view) return null;
  const scale = Math.min(WIDTH_PX / output.width, HEIGHT_PX / output.height);
  const width = Math.max(24, output.width * scale), height = Math.max(24, output.height * scale);
  const move = (event: PointerEvent) => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    onMove({ x: (event.clientX - left) / scale, y: (event.clientY - top) / scale });
  };
  const x = Math.max(0, view.x), y = Math.max(0, view.y);
  return (
    <svg class="canvas-map" width={width} height={height} viewBox={`0 0 ${width / scale} ${height / scale}`} aria-hidden="true"
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); move(event); }}
      onPointerMove={(event) => { if (event.buttons === 1) move(event); }}>
      {output.edges.map(({ points }, i) => points.length > 1 && (
        <polyline key={i} class="edge" stroke-width={0.7 / scale} points={points.map((point) => `${point.x},${point.y}`).join(" ")} />
      ))}
      {output.nodes.map((place, i) => (
        <rect key={i} class={i === selected ? "node selected" : "node"} x={place.x - sizes[i]!.width / 2}
          y={place.y - sizes[i]!.height / 2} width={sizes[i]!.width} height={sizes[i]!.height} />
      ))}
      <rect class="seen" stroke-width={1.5 / scale} x={x} y={y}
        width={Math.max(0, Math.min(output.width, view.x + view.width) - x)}
        height={Math.max(0, Math.min(output.height, view.y + view.height) - y)} />
    </svg>
  );
}
