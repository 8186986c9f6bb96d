import type { PageModel } from "../model/page_model";
import { setParams } from "../state/url_state";

// Shows a method in the call graph: what a click on a method's name means in every view.
export function showMethod(model: PageModel, method: number): void {
  setParams({ view: model.data.diff ? "graph" : undefined, method: model.names.full(method),
    gat: undefined, gsite: undefined });
}

// Shows a line of a method's source file; without one, where the method begins.
export function showSource(model: PageModel, method: number, line = 0): void {
  const at = line > 0 ? line : model.data.methods.line[method] ?? 0;
  setParams({ view: "source", method: model.names.full(method), src: model.names.sourcePath(method),
    srcline: at > 0 ? String(at) : undefined });
}

// Whether there is a file to show.
export function hasSource(model: PageModel, method: number): boolean {
  return method >= 0 && model.names.sourcePath(method) !== "";
}
