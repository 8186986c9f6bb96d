import { svgElement } from "../../components/svg_copy";
import { flameRows } from "../../model/flame_layout";
import { formatCount } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import type { Colours } from "./colours";
import { frameLabel, frameStyle, ROW_PX } from "./flame_paint";
import { frameSentence, transformWords } from "./frame_words";
import type { Flame } from "./use_flame";

const WIDTH = 1200, LEAST_PX = 1, CHARACTER_PX = 6.95, HEAD_ROWS = 2.5;
const MONOSPACE = { "font-size": 11.5, "font-family": "monospace" };

function writing(x: number, y: number, text: string): SVGTextElement {
  return svgElement("text", { x, y, "font-size": 12, "font-family": "sans-serif", class: "contexts-caption" }, text);
}

// What the colours are, in a row of squares and words.
function legend(colours: Colours): SVGElement[] {
  let x = 0;
  return colours.legend.flatMap(({ paint, words }) => {
    const at = x;
    x += 26 + words.length * CHARACTER_PX;
    return [svgElement("rect", { x: at, y: 23, width: 11, height: 11, fill: paint.fill }), writing(at + 15, 33, words)];
  });
}

// What is shown, as a drawing for saving, with a line that says what it is. It stands in the
// document, out of sight, as long as what called this runs: what is saved are computed styles.
export function flameSvg(model: PageModel, flame: Flame, colours: Colours): SVGSVGElement {
  const { unit, tree, shape } = flame;
  const rows = flameRows(flame.layout, flame.zoom, WIDTH, LEAST_PX);
  const group = svgElement("g", {});
  for (let row = 0; row < rows.count; row++) {
    const y = ROW_PX * (HEAD_ROWS + (shape === "flame" ? rows.count - row - 1 : row));
    for (let i = rows.rowStart[row]!; i < rows.rowStart[row + 1]!; i++) {
      const node = rows.node[i]!, x = rows.x[i]!, width = rows.width[i]!;
      const { paint, isFaint, isInlined, isChosen } = frameStyle(flame, rows, colours, node, row);
      const frame = svgElement("g", {});
      frame.append(svgElement("title", {}, frameSentence(model, flame, node)), svgElement("rect", {
        x, y, width: Math.max(0.5, width - 0.5), height: ROW_PX - 1, fill: paint.fill, opacity: isFaint ? 0.45 : 1,
        ...(isInlined || isChosen ? { stroke: paint.text } : {}), ...(isInlined ? { "stroke-dasharray": "3 3" } : {}),
      }));
      const label = frameLabel(model, flame, node, isInlined, width, CHARACTER_PX);
      if (label) frame.append(svgElement("text", { x: x + 3, y: y + ROW_PX / 2 + 3.5, fill: paint.text, ...MONOSPACE }, label));
      group.append(frame);
    }
  }
  const caption = [
    `${model.profile.name}: ${unit.widths}, ${unit.format(tree.total[0]!)} in all`, flame.isInverted && "inverted",
    ...flame.transforms.map((transform) => transformWords(model.names, transform)),
    rows.narrow > 0 && `${formatCount(rows.narrow)} frames are too narrow to be drawn`,
  ].filter(Boolean).join("; ");
  group.append(writing(0, 13, caption), ...legend(colours));
  const svg = svgElement("svg", {
    width: WIDTH, height: (rows.count + HEAD_ROWS) * ROW_PX, role: "img", "aria-label": caption, class: "contexts-svg",
  });
  svg.append(group);
  document.body.append(svg);
  setTimeout(() => svg.remove());
  return svg;
}
