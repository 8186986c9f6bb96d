import type { RefObject } from "preact";
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import { CanvasEdgeLabel, CanvasEdgeShape } from "./canvas_edge";
import { CanvasNodeShape } from "./canvas_node";
import { usePrinting } from "../../components/use_printing";
import { useSize } from "../../components/use_size";
import { layoutInput, neighbourInDirection, nodeLines } from "./canvas_geometry";
import { CanvasMap } from "./canvas_map";
import { useLayout } from "./use_layout";
import { useZoom } from "./use_zoom";
import "./canvas.css";

// Colours of app/style.css. Whoever uses one also says it by a symbol or in words.
export type Tone = "neutral" | "blue" | "green" | "red" | "grey";

export interface CanvasNode {
  id: number; // unique: a method, or ROOT
  label: string; // shortened in its middle when it is long
  owner?: string; // a line above the label, of which packages give way first
  detail?: string; // a second line
  title: string; // all that is to be said of it: a tooltip, and what a screen reader says
  tone?: Tone;
  symbol?: string; // before the label: says what the tone says, "▲"
  cluster?: string; // nodes of the same one are framed together
  rank?: number; // lower ones above: edges go from lower to higher ranks where they can; default 0
  hidden?: { above: number; below: number }; // neighbours that are not shown
}

export interface CanvasEdge {
  from: number; // ids of nodes; both the same: a loop
  to: number;
  width: number; // pixels
  label?: string;
  title: string;
  tone?: Tone;
  dashed?: boolean;
  // Drawn under the label as a dot with whiskers; 0 is the left end of a scale that all edges
  // share, 1 its right end.
  interval?: { low: number; value: number; high: number };
}

// What the owner of a canvas can ask of it.
export interface CanvasHandle {
  svg(): SVGSVGElement | undefined;
  fit(): void;
  zoom(factor: number): void;
}

// A graph, and how it is to be laid out.
export interface Drawing {
  nodes: readonly CanvasNode[];
  edges: readonly CanvasEdge[];
  direction: "down" | "right";
  leastScale?: number; // at which it is taken as one that can be read; by default that of most graphs
}

export interface GraphCanvasProps {
  label: string; // for screen readers: what the drawing shows, in a sentence
  // The first that can be read when all of it is in sight is shown, else the one that comes nearest
  // to that; `onShown` says which. The layout is made anew for another array (keep it in useMemo).
  drawings: readonly Drawing[];
  onShown?: (index: number) => void;
  selected?: number | undefined;
  focus?: number | undefined; // in sight at first, when all would be too small to read
  onSelect: (id: number) => void; // a click, or the space bar
  onCentre?: (id: number) => void; // a double click, or Enter
  handle?: RefObject<CanvasHandle>;
}

// A graph in layers, to be moved (drag, wheel, pinch) and zoomed (Ctrl with the wheel or the wheel
// alone, + - 0). Arrow keys go from node to node.
export function GraphCanvas(props: GraphCanvasProps) {
  const { drawings, selected } = props;
  const box = useRef<HTMLDivElement>(null), svg = useRef<SVGSVGElement>(null);
  const content = useRef<SVGGElement>(null);
  const [near, setNear] = useState<number>(); // hovered, or with the keyboard's focus
  // Of a canvas that becomes a little larger the graph stays as it is.
  const size = useSize(box), across = roomFor(size.width), upright = roomFor(size.height);
  const inputs = useMemo(() => drawings.map(({ nodes, edges, direction, leastScale }) => ({ ...layoutInput(nodes, edges, direction), leastScale })),
    [drawings]);
  const choice = useMemo(() => size.isKnown ? { inputs, room: { width: across, height: upright }, drawings } : undefined,
    [inputs, across, upright, size.isKnown]);
  const layout = useLayout(choice);
  const { output } = layout;
  const made = (layout.choice as typeof choice)?.drawings[layout.index];
  const shown = made ?? drawings[0]!;
  const places = useMemo(() => new Map((made?.nodes ?? []).map((node, i) =>
    [node.id, { node, place: output?.nodes[i], size: layout.choice!.inputs[layout.index]!.nodes[i]! }])), [output]);
  const isPrinting = usePrinting();
  const tools = useRef<HTMLDivElement>(null);
  const boxes = useMemo(() => [...places.values()].flatMap(({ place, size: { width, height } }) =>
    place ? [{ x: place.x - width / 2, y: place.y - height / 2, width, height }] : []), [places]);
  const zoom = useZoom(svg, content, output, places.get(props.focus ?? selected ?? -2)?.place, size, boxes, tools);
  useEffect(() => {
    if (output && layout.choice === choice) props.onShown?.(layout.index);
  }, [output]);

  useImperativeHandle(props.handle ?? null, () => ({
    svg: () => svg.current ?? undefined, fit: zoom.fit, zoom: zoom.by,
  }), [zoom]);
  useShortcuts({
    "+": () => zoom.by(1.4), "=": () => zoom.by(1.4), "-": () => zoom.by(1 / 1.4), 0: zoom.fit,
  });
  useEffect(() => setNear(undefined), [output]);

  const stop = [near, selected, props.focus, shown.nodes[0]?.id]
    .find((id) => id !== undefined && places.has(id));
  function onKeyDown(event: KeyboardEvent): void {
    if (stop === undefined) return;
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step) {
      const next = neighbourInDirection([...places.values()].flatMap(({ node, place }) =>
        place ? [{ id: node.id, ...place }] : []), stop, step[0]!, step[1]!);
      if (next !== undefined) {
        svg.current?.querySelector<SVGRectElement>(`[data-id="${next}"]`)?.focus();
        zoom.reveal(places.get(next)?.place);
      }
    } else if (event.key === "Enter") (props.onCentre ?? props.onSelect)(stop);
    else if (event.key === " ") props.onSelect(stop);
    else return;
    event.preventDefault();
  }
  const loops = new Map(shown.edges.flatMap((edge) =>
    edge.from === edge.to ? [[edge.from, edge]] : []));
  const isNear = (edge: CanvasEdge) => near !== undefined && (edge.from === near || edge.to === near);
  const neighbours = near === undefined ? undefined : new Set([near, ...shown.edges
    .filter(isNear).flatMap((edge) => [edge.from, edge.to])]);

  return (
    <div class="canvas" ref={box} aria-busy={layout.busy}>
      {/* On paper, all that the screen shows, in less room. */}
      <svg ref={svg} role="group" aria-label={props.label} viewBox={isPrinting ? `0 0 ${size.width} ${size.height}` : undefined} class={neighbours ? "canvas-svg near" : "canvas-svg"}
        onKeyDown={onKeyDown}>
        <g ref={content}>
          {output?.clusters.map((cluster) => (
            <g key={cluster.name} class="canvas-cluster">
              <rect x={cluster.x} y={cluster.y} width={cluster.width} height={cluster.height} rx={8} />
              <text x={cluster.x + 8} y={cluster.y + 14}>{cluster.name || "(no package)"}</text>
            </g>
          ))}
          {output && shown.edges.map((edge, i) => (
            <CanvasEdgeShape key={`${edge.from} ${edge.to}`} edge={edge} line={output.edges[i]!}
              loopAt={edge.from === edge.to ? places.get(edge.from) : undefined} direction={shown.direction} isNear={isNear(edge)} />
          ))}
          {output && shown.edges.map((edge, i) => {
            const at = output.edges[i]!.label;
            return at && edge.label && <CanvasEdgeLabel key={`${edge.from} ${edge.to}`} edge={edge} at={at} isNear={isNear(edge)} />;
          })}
          {output && [...places.values()].map(({ node, place, size }) => place && (
            <CanvasNodeShape key={node.id} node={node} place={place} size={size}
              lines={nodeLines(node, loops.get(node.id))} direction={shown.direction}
              selected={node.id === selected} tabIndex={node.id === stop ? 0 : -1}
              isNear={neighbours?.has(node.id) ?? false}
              onNear={(is) => setNear(is ? node.id : undefined)}
              onSelect={() => props.onSelect(node.id)}
              onCentre={() => props.onCentre?.(node.id)} />
          ))}
        </g>
      </svg>
      {output && <CanvasMap output={output} sizes={layout.choice!.inputs[layout.index]!.nodes}
        selected={shown.nodes.findIndex(({ id }) => id === selected)} watch={zoom.watch} onMove={zoom.centre} />}
      <div class="canvas-tools" ref={tools}>
        <button type="button" onClick={() => zoom.by(1.4)} title="Larger (+)"><span aria-hidden="true">+</span><span class="sr">Zoom in</span></button>
        <button type="button" onClick={() => zoom.by(1 / 1.4)} title="Smaller (-)"><span aria-hidden="true">−</span><span class="sr">Zoom out</span></button>
        <button type="button" onClick={zoom.fit} title="All of it (0)">Fit</button>
      </div>
      {layout.error && <p class="canvas-note" role="alert">The graph could not be laid out: {layout.error}. The tables show the same calls.</p>}
      {layout.busy && !output && <p class="canvas-note" role="status">Laying out…</p>}
    </div>
  );
}

const ROOM_STEP_PX = 48;

function roomFor(pixels: number): number { return Math.max(ROOM_STEP_PX, Math.floor(pixels / ROOM_STEP_PX) * ROOM_STEP_PX); }
