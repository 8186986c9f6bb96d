// Taking away what is shown: as text, as a drawing, as a picture.

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

const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size",
  "font-weight", "font-style", "opacity", "text-anchor", "dominant-baseline", "marker-end",
  "paint-order", "stroke-linejoin", "visibility"];

// The drawing on its own, with the styles that the page gives it, whole even if only part is in
// sight (its bounding box).
export function svgToText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    copies[i]!.setAttribute("style", STYLED
      .map((property) => `${property}:${style.getPropertyValue(property)}`).join(";"));
  });
  const content = svg.querySelector<SVGGraphicsElement>("g");
  const box = content?.getBBox();
  if (content && box && box.width > 0) {
    const margin = 12;
    const size = { width: box.width + 2 * margin, height: box.height + 2 * margin };
    copy.querySelector("g")?.removeAttribute("transform"); // of pan and zoom
    copy.setAttribute("viewBox", `${box.x - margin} ${box.y - margin} ${size.width} ${size.height}`);
    copy.setAttribute("width", String(Math.ceil(size.width)));
    copy.setAttribute("height", String(Math.ceil(size.height)));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const background = getComputedStyle(document.body).backgroundColor;
  copy.setAttribute("style", `${copy.getAttribute("style") ?? ""};background:${background}`);
  return new XMLSerializer().serializeToString(copy);
}

const PNG_SCALE = 2;
const MAX_PNG_PIXELS = 16_000;

export async function svgToPng(svg: SVGSVGElement): Promise<Blob> {
  const text = svgToText(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(PNG_SCALE, MAX_PNG_PIXELS / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(image.width * scale);
  canvas.height = Math.ceil(image.height * scale);
  const context = canvas.getContext("2d")!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvasToPng(canvas);
}

export function canvasToPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("the picture is too large")));
  });
}
