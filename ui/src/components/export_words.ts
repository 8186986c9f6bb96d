import { flowed } from "../model/flow";
import { styledCopy, svgElement } from "./svg_copy";

// What a drawing needs to be understood without its page.
export interface ExportWords {
  caption: string;
  legend: readonly Element[]; // items of the page: small drawings and words
}

const FONT_PX = 12, LINE_PX = 18, GAP_PX = 16, AFTER_SWATCH_PX = 4;

// The items of lists.
export function itemsOf(...lists: (Element | null)[]): Element[] {
  return lists.flatMap((list) => [...list?.children ?? []]);
}

type Part = { text: string; colour: string } | { swatch: SVGSVGElement };

// The caption above, the legend below: each a group whose place is the drawing's left edge, and how
// high it is.
export function drawnWords({ caption, legend }: ExportWords, room: number):
    { above: SVGGElement; aboveHeight: number; below: SVGGElement; belowHeight: number; width: number } {
  const { fontFamily, color } = getComputedStyle(document.body);
  const font = { "font-family": fontFamily, "font-size": FONT_PX };
  const context = document.createElement("canvas").getContext("2d")!;
  const widthOf = (text: string, weight = "") => {
    context.font = `${weight} ${FONT_PX}px ${fontFamily}`;
    return context.measureText(text).width;
  };
  const above = svgElement("g", {});
  above.append(svgElement("text", { x: 0, y: FONT_PX, fill: color, "font-weight": 600, ...font }, caption));

  const captionWidth = widthOf(caption, "600");

  const below = svgElement("g", {});
  const items = legend.map(partsOf).filter((parts) => parts.length > 0);
  const widths = items.map((parts) => parts.reduce((sum, part) => sum +
    ("swatch" in part ? sizeOf(part.swatch).width + AFTER_SWATCH_PX : widthOf(part.text)), 0));
  const places = flowed(widths, Math.max(room, captionWidth), GAP_PX);
  items.forEach((parts, i) => {
    let { x } = places[i]!;
    const y = places[i]!.row * LINE_PX + LINE_PX;
    for (const part of parts) {
      if ("swatch" in part) {
        const { width, height } = sizeOf(part.swatch), copy = styledCopy(part.swatch);
        copy.setAttribute("x", String(x));
        copy.setAttribute("y", String(y - FONT_PX / 2 + 2 - height / 2));
        below.append(copy);
        x += width + AFTER_SWATCH_PX;
      } else {
        below.append(svgElement("text", { x, y, fill: part.colour, "xml:space": "preserve", ...font }, part.text));
        x += widthOf(part.text);
      }
    }
  });
  const rows = places.length > 0 ? places[places.length - 1]!.row + 1 : 0;
  return {
    above, aboveHeight: LINE_PX, below, belowHeight: rows * LINE_PX,
    width: Math.max(captionWidth, ...places.map(({ x }, i) => x + widths[i]!)),
  };
}

function sizeOf(swatch: SVGSVGElement): { width: number; height: number } {
  return { width: swatch.width.baseVal.value, height: swatch.height.baseVal.value };
}

// An item's drawings, and its words with their colours; without what only a screen reader says.
function partsOf(item: Element): Part[] {
  const parts: Part[] = [];
  const visit = (node: Node, parent: Element) => {
    if (node instanceof SVGSVGElement) parts.push({ swatch: node });
    else if (node instanceof Element) { if (!node.classList.contains("sr")) node.childNodes.forEach((child) => visit(child, node)); }
    else {
      const text = (node.textContent ?? "").replace(/\s+/g, " ");
      if (text && !(text === " " && parts.length === 0)) parts.push({ text, colour: getComputedStyle(parent).color });
    }
  };
  item.childNodes.forEach((child) => visit(child, item));
  return parts;
}
