import type { LayoutInput, Point } from "../../model/layered_layout";
import { formatCount } from "../../model/format";
import { nodeLabel } from "./canvas_geometry";
import type { CanvasNode } from "./graph_canvas";

interface Props {
  node: CanvasNode;
  detail: string;
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
  const { node, place, size, detail } = props;
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
      <text class="label" aria-hidden="true" x={place.x} y={detail ? place.y - 4 : place.y + 4} text-anchor="middle">{nodeLabel(node)}</text>
      {detail && <text class="detail" aria-hidden="true" x={place.x} y={place.y + 12} text-anchor="middle">{detail}</text>}
      {node.hidden && <Hidden {...props} />}
    </g>
  );
}

// "+12" on the side where neighbours are missing.
function Hidden({ node, place, size, direction }: Props) {
  const { above, below } = node.hidden!;
  const isDown = direction === "down";
  const across = size.width / 2, upright = size.height / 2;
  const spots = [
    { count: above, x: isDown ? place.x - across : place.x - across - 3, y: isDown ? place.y - upright - 3 : place.y - upright + 8, anchor: isDown ? "start" : "end" },
    { count: below, x: isDown ? place.x - across : place.x + across + 3, y: isDown ? place.y + upright + 11 : place.y + upright, anchor: "start" },
  ];
  return (
    <>
      {spots.map(({ count, x, y, anchor }, i) => count > 0 && (
        <text key={i} aria-hidden="true" class="canvas-halo hidden-count" paint-order="stroke" x={x} y={y} text-anchor={anchor}>+{formatCount(count)}</text>
      ))}
    </>
  );
}
