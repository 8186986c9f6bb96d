import { itemsBetween, type Lane } from "../../model/compile_lanes";
import { formatTime } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import type { Names } from "../../model/names";
import { shorten } from "../../model/shorten";
import { timeTicks, type TimeSpan } from "../../model/time_axis";

export const LANE_HEIGHT = 46, AXIS_HEIGHT = 20, DEOPT_HEIGHT = 24, LEFT = 8;
const BAR_TOP = 18, BAR_HEIGHT = 22;

export interface Drawn {
  boxes: { compilation: number; x: number; end: number; y: number }[];
}

interface Scene {
  ledger: JitLedger;
  lanes: readonly Lane[];
  span: TimeSpan;
  width: number;
  height: number;
  selected: ReadonlySet<number>; // compilations
  near: number | undefined;
  names: Names;
}

// What lies under a point; of neighbours too near to be told apart the first.
export function itemAt({ boxes }: Drawn, x: number, y: number): number | undefined {
  const inLane = boxes.filter((box) => y >= box.y && y <= box.y + BAR_HEIGHT && x >= box.x - 2 && x <= box.end + 2);
  const distance = (box: Drawn["boxes"][number]) => Math.max(box.x - x, 0, x - box.end);
  return inLane.sort((a, b) => distance(a) - distance(b) || (a.end - a.x) - (b.end - b.x))[0]?.compilation;
}

export function drawTimeline(canvas: HTMLCanvasElement, scene: Scene): Drawn {
  const { ledger, lanes, span: [from, to], width, height, selected, near, names } = scene;
  const context = canvas.getContext("2d");
  const drawn: Drawn = { boxes: [] };
  if (!context) return drawn;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const colour = colours(canvas);
  const x = (ns: number) => LEFT + (width - LEFT) * ((ns - from) / (to - from));
  const { compilations: c, deoptimizations: d } = ledger.jit;
  context.fillStyle = colour("--bg");
  context.fillRect(0, 0, width, height);
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = "alphabetic";
  for (const { ns, label } of timeTicks(from, to, Math.max(2, width / 110))) {
    context.fillStyle = colour("--line");
    context.fillRect(x(ns), 16, 1, height);
    context.fillStyle = colour("--dim");
    context.textAlign = x(ns) > width - 30 ? "right" : x(ns) < 30 ? "left" : "center";
    context.fillText(label, x(ns), 12);
  }
  context.textAlign = "left";
  lanes.forEach((lane, l) => {
    const top = AXIS_HEIGHT + l * LANE_HEIGHT, y = top + BAR_TOP;
    context.fillStyle = colour("--text");
    context.fillText(`${lane.thread} · busy ${formatTime(lane.busyNs)}`, LEFT, top + 13);
    const [first, end] = itemsBetween(ledger.jit, lane, from, to);
    let drawnTo = -Infinity; // pixels; what lies before it is covered already
    for (let i = first; i < end; i++) {
      const item = lane.items[i]!, isMarked = selected.has(item) || item === near;
      const left = Math.max(LEFT, x(c.start_ns[item]!)), right = Math.min(width, Math.max(left + 1, x(c.end_ns[item]!)));
      if (right <= drawnTo && !isMarked) continue;
      const level = c.level[item]!;
      context.fillStyle = colour(level === 4 ? "--jit-c2" : "--jit-c1");
      const gap = right - left > 4 ? 0.5 : 0;
      context.fillRect(left, y, right - left - gap, BAR_HEIGHT);
      if (right - left > 44) {
        context.fillStyle = colour(level === 4 ? "--jit-c2-text" : "--jit-c1-text");
        const room = Math.floor((right - left - 8) / 6.2);
        context.fillText(shorten(`${c.osr[item] ? "OSR " : ""}${names.label(ledger.methodOfCompilation(item))}`, room), left + 4, y + 15);
      }
      if (isMarked) {
        context.strokeStyle = colour(item === near ? "--accent" : "--text");
        context.lineWidth = 2;
        context.strokeRect(left - 1, y - 1, Math.max(3, right - left + 1), BAR_HEIGHT + 2);
        if (selected.has(item)) triangle(context, (left + right) / 2, y + BAR_HEIGHT + 2);
      }
      drawn.boxes.push({ compilation: item, x: left, end: right, y });
      drawnTo = Math.max(drawnTo, right);
    }
  });
  if (d.time_ns.length > 0) {
    const y = height - 8;
    context.fillStyle = colour("--text");
    context.textAlign = "center";
    for (const ns of d.time_ns) {
      if (ns < from || ns > to) continue;
      context.fillText("✕", x(ns), y);
    }
  }
  return drawn;
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.fillStyle = context.strokeStyle;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 4, y + 5);
  context.lineTo(x - 4, y + 5);
  context.fill();
}

// light-dark() is resolved only where it is a property's value: one is borrowed.
function colours(element: HTMLElement): (name: string) => string {
  const found = new Map<string, string>();
  const before = element.style.color;
  return (name) => {
    let value = found.get(name);
    if (value === undefined) {
      element.style.color = `var(${name})`;
      found.set(name, value = getComputedStyle(element).color);
      element.style.color = before;
    }
    return value;
  };
}
