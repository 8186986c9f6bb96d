import { visibleBoxes } from "../../model/flame_layout";
import type { PageModel } from "../../model/page_model";
import { describeFrame, frameStyle, isDarkNow, ROW_PX } from "./flame_canvas";
import type { Flame } from "./use_flame";

const WIDTH = 1200, LEAST_PX = 1, CHARACTER_PX = 6.6;
const NAMESPACE = "http://www.w3.org/2000/svg";

// The frames that are shown, as a drawing for saving. It stands in the document, out of sight, so
// that it gets its styles; the next one takes its place.
export function flameSvg(model: PageModel, flame: Flame, matches: (method: number) => boolean): SVGSVGElement {
  const { boxes, rows } = visibleBoxes(flame.layout, flame.zoom, WIDTH, LEAST_PX);
  const make = <K extends keyof SVGElementTagNameMap>(name: K, attributes: Record<string, string | number>) => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  };
  const svg = make("svg", { width: WIDTH, height: rows * ROW_PX, "aria-hidden": "true", class: "contexts-svg" });
  const group = make("g", {});
  const isDark = isDarkNow();
  for (const box of boxes) {
    const style = frameStyle(model, flame, box.node, isDark, matches);
    const y = flame.shape === "flame" ? (rows - box.row - 1) * ROW_PX : box.row * ROW_PX;
    const frame = make("g", {});
    const title = make("title", {});
    title.textContent = describeFrame(model, flame, box.node);
    const rect = make("rect", {
      x: box.x, y, width: Math.max(0.5, box.width - 0.5), height: ROW_PX - 1,
      fill: style.isMatch ? "#d946ef" : style.fill, opacity: style.isFaint ? 0.45 : 1,
    });
    if (style.isInlined) for (const [key, value] of [["stroke", style.text], ["stroke-dasharray", "3 3"]]) rect.setAttribute(key!, value!);
    frame.append(title, rect);
    const fitting = Math.floor((box.width - 6) / CHARACTER_PX);
    if (fitting >= 3) {
      const text = make("text", { x: box.x + 3, y: y + ROW_PX / 2 + 3.5, fill: style.isMatch ? "#ffffff" : style.text, "font-size": 11.5, "font-family": "monospace" });
      text.textContent = style.label.length > fitting ? `${style.label.slice(0, fitting - 1)}…` : style.label;
      frame.append(text);
    }
    group.append(frame);
  }
  svg.append(group);
  document.querySelector(".contexts-svg")?.remove();
  document.body.append(svg);
  return svg;
}
