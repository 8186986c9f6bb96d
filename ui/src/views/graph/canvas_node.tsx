import type { LayoutInput, Point } from "../../model/layered_layout";
import { formatCount } from "../../model/format";
import { lineBelowTop, type NodeLine } from "./canvas_geometry";
import type { CanvasNode } from "./graph_canvas";

interface Props {
  node: CanvasNode;
  lines: readonly NodeLine[];
  place: Point;
  size: LayoutInput["nodes"][number];
  direction: "down" | "right";
  selected: boolean;
  isNear: boolean;
  tabIndex: number;
  onNear: (is: boolean) => void;
  onSelect: () => void;
  onCentre: () => void;
}

export function CanvasNodeShape(props: Props) {
  const { node, place, size, lines } = props;
  const x = place.x - size.width / 2, y = place.y - size.height / 2;
  return (
    <g class={`canvas-node tone-${node.tone ?? "neutral"}${props.selected ? " selected" : ""}${props.isNear ? " is-near" : ""}`}
      onMouseEnter={() => props.onNear(true)} onMouseLeave={() => props.onNear(false)}
      onClick={props.onSelect}
      onDblClick={(event) => { event.stopPropagation(); props.onCentre(); }}>
      <title>{node.title}</title>
      <rect x={x} y={y} width={size.width} height={size.height} rx={5} role="button" data-id={node.id}
        {...{ tabindex: props.tabIndex }} aria-label={node.title} aria-pressed={props.selected}
        onFocus={() => props.onNear(true)} onBlur={() => props.onNear(false)} />
      {lines.map(({ text, kind }, i) => (
        <text key={kind} class={kind} aria-hidden="true" x={place.x} y={y + lineBelowTop(i)} text-anchor="middle">{text}</text>
      ))}
      {node.hidden && <Hidden {...props} />}
    </g>
  );
}

// "+12" where neighbours are missing, off the sides at which lines end: callers to the left or above,
// callees to the right or below.
function Hidden({ node, place, size, direction }: Props) {
  const { above, below } = node.hidden!;
  const isDown = direction === "down";
  const across = size.width / 2, top = place.y - size.height / 2 - 3;
  const spots = [
    { count: above, x: place.x - across, y: top, anchor: "start" },
    isDown ? { count: below, x: place.x - across, y: place.y + size.height / 2 + 12, anchor: "start" }
      : { count: below, x: place.x + across, y: top, anchor: "end" },
  ];
  return (
    <>
      {spots.map(({ count, x, y, anchor }, i) => count > 0 && (
        <text key={i} aria-hidden="true" class="canvas-halo hidden-count" paint-order="stroke" x={x} y={y} text-anchor={anchor}>+{formatCount(count)}</text>
      ))}
    </>
  );
}
