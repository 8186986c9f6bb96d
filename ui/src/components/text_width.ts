// How wide text of a font is, in pixels: the sum of its characters, each measured once. Kerning is
// left out; digits have none.
export class TextWidths {
  private readonly widths = new Map<string, number>();
  private readonly context = document.createElement("canvas").getContext("2d");

  constructor(font: string) {
    if (this.context) this.context.font = font;
  }

  of(text: string): number {
    let sum = 0;
    for (const character of text) {
      let width = this.widths.get(character);
      if (width === undefined) {
        this.widths.set(character, width = this.context?.measureText(character).width ?? 8);
      }
      sum += width;
    }
    return sum;
  }
}
