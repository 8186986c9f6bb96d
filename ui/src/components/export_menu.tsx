import { useState } from "preact/hooks";
import { useShortcuts } from "../app/shortcuts";
import { canvasToPng, copyText, saveBlob, svgToPng, svgToText } from "./export";
import type { ExportWords } from "./export_words";

// Ways to take away what a view shows. Each is asked for when it is needed.
export interface Exports {
  name: string; // of the files, without an ending
  text?: () => string;
  svg?: () => SVGSVGElement | undefined;
  canvas?: () => HTMLCanvasElement | undefined;
  words?: () => ExportWords; // of a drawing or picture
}

// Buttons for copying as text, and for saving as SVG and as PNG. The key "c" copies.
export function ExportMenu({ name, text, svg, canvas, words }: Exports) {
  const [said, say] = useState("");
  const attempt = async (what: string, action: () => Promise<boolean>) => {
    try {
      say(await action() ? what : "There is nothing to take.");
    } catch (error) {
      say(`That did not work: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const copy = () => attempt("Copied.", async () => {
    const shown = text?.();
    if (!shown) return false;
    await copyText(shown);
    return true;
  });
  const saveSvg = () => attempt(`Saved ${name}.svg.`, async () => {
    const element = svg?.();
    if (!element) return false;
    saveBlob(new Blob([svgToText(element, words?.())], { type: "image/svg+xml" }), `${name}.svg`);
    return true;
  });
  const savePng = () => attempt(`Saved ${name}.png.`, async () => {
    const drawing = svg?.(), pixels = canvas?.();
    const blob = drawing ? await svgToPng(drawing, words?.())
      : pixels ? await canvasToPng(pixels, words?.()) : undefined;
    if (blob) saveBlob(blob, `${name}.png`);
    return blob !== undefined;
  });
  useShortcuts(text ? { c: copy } : {});
  return (
    <span class="exports">
      {text && <button type="button" onClick={copy} title="Copy as text (c)">Copy</button>}
      {svg && <button type="button" onClick={saveSvg}>SVG</button>}
      {(svg || canvas) && <button type="button" onClick={savePng}>PNG</button>}
      <span role="status" class="dim">{said}</span>
    </span>
  );
}
