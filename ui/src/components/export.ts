// Taking away what is shown: as text, as a drawing, as a picture.

import { drawnWords, type ExportWords } from "./export_words";
import { styledCopy, svgElement } from "./svg_copy";

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page from disk may not have the clipboard; a selection always does.
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("aria-hidden", "true");
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("the browser does not let this page copy");
  }
}

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const MARGIN_PX = 12, LEAST_ROOM_PX = 420;

// The drawing on its own, with the styles that the page gives it, whole even if only part is in
// sight (its bounding box), and with the words that it is understood by.
export function svgToText(svg: SVGSVGElement, words?: ExportWords): string {
  const copy = styledCopy(svg);
  const box = svg.querySelector<SVGGraphicsElement>("g")?.getBBox();
  if (box && box.width > 0) {
    copy.querySelector("g")?.removeAttribute("transform"); // of pan and zoom
    frame(copy, box, words);
  }
  return alone(copy);
}

// Sets the drawing's edges around `box` and the words above and below it.
function frame(drawing: SVGSVGElement, box: { x: number; y: number; width: number; height: number },
               words: ExportWords | undefined): void {
  let { y, width, height } = box;
  if (words) {
    const { above, aboveHeight, below, belowHeight, width: least } = drawnWords(words, Math.max(box.width, LEAST_ROOM_PX));
    y -= aboveHeight + MARGIN_PX;
    height += aboveHeight + belowHeight + 2 * MARGIN_PX;
    width = Math.max(width, least);
    above.setAttribute("transform", `translate(${box.x} ${y})`);
    below.setAttribute("transform", `translate(${box.x} ${box.y + box.height + MARGIN_PX})`);
    drawing.append(above, below);
  }
  const size = { width: width + 2 * MARGIN_PX, height: height + 2 * MARGIN_PX };
  drawing.setAttribute("viewBox", `${box.x - MARGIN_PX} ${y - MARGIN_PX} ${size.width} ${size.height}`);
  drawing.setAttribute("width", String(Math.ceil(size.width)));
  drawing.setAttribute("height", String(Math.ceil(size.height)));
}

function alone(drawing: SVGSVGElement): string {
  drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const background = getComputedStyle(document.body).backgroundColor;
  drawing.setAttribute("style", `${drawing.getAttribute("style") ?? ""};background:${background}`);
  return new XMLSerializer().serializeToString(drawing);
}

const PNG_SCALE = 2;
const MAX_PNG_PIXELS = 16_000;

export function svgToPng(svg: SVGSVGElement, words?: ExportWords): Promise<Blob> {
  return textToPng(svgToText(svg, words), PNG_SCALE);
}

async function textToPng(text: string, wantedScale: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(wantedScale, MAX_PNG_PIXELS / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(image.width * scale);
  canvas.height = Math.ceil(image.height * scale);
  const context = canvas.getContext("2d")!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
}

export function canvasToPng(canvas: HTMLCanvasElement, words?: ExportWords): Promise<Blob> {
  if (!words) return blobOf(canvas);
  const box = { x: 0, y: 0, width: canvas.clientWidth, height: canvas.clientHeight };
  const drawing = svgElement("svg", {});
  drawing.append(svgElement("image", { href: canvas.toDataURL(), width: box.width, height: box.height }));
  frame(drawing, box, words);
  return textToPng(alone(drawing), canvas.width / canvas.clientWidth);
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("the picture is too large")));
  });
}
