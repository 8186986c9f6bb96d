// Parts of the page as parts of a drawing that stands alone.

const NAMESPACE = "http://www.w3.org/2000/svg";
const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size",
  "font-weight", "font-style", "opacity", "text-anchor", "dominant-baseline", "marker-end",
  "paint-order", "stroke-linecap", "stroke-linejoin", "visibility"];

export function svgElement<K extends keyof SVGElementTagNameMap>(
  name: K, attributes: Record<string, string | number>, text?: string,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

// With the styles that the page gives it.
export function styledCopy<Kind extends SVGElement>(element: Kind): Kind {
  const copy = element.cloneNode(true) as Kind;
  const copies = [copy, ...copy.querySelectorAll("*")];
  [element, ...element.querySelectorAll("*")].forEach((original, i) => {
    const style = getComputedStyle(original);
    copies[i]!.setAttribute("style", STYLED
      .map((property) => `${property}:${style.getPropertyValue(property)}`).join(";"));
  });
  return copy;
}
