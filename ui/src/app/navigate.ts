import type { PageModel } from "../model/page_model";
import { setParams } from "../state/url_state";

// Shows a method in the call graph: what a click on a method's name means in every view.
export function showMethod(model: PageModel, method: number): void {
  setParams({ view: model.data.diff ? "graph" : undefined, method: model.names.full(method),
    gat: undefined, gsite: undefined });
}
