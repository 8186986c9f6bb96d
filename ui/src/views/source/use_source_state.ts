import { useMemo } from "preact/hooks";
import type { PageModel } from "../../model/page_model";
import { sourceIndex } from "../../model/source_index";
import { setParams, useParams } from "../../state/url_state";

// What is shown, as it stands in the address: a file, or that of the selected method, or the first; in
// it a line, or where that method begins.
export function useSourceState(model: PageModel) {
  const text = useParams();
  const index = sourceIndex(model);
  const wanted = text.get("src") ?? "", named = text.get("method") ?? "";
  const method = useMemo(() => named ? model.names.find(named) : undefined, [model, named]);
  const ofMethod = method !== undefined && method >= 0 ? model.names.sourcePath(method) : "";
  const path = wanted || ofMethod || (method === undefined ? index.files[0]?.path ?? "" : "");
  const line = Number(text.get("srcline"));
  const begins = method !== undefined && ofMethod === path ? model.data.methods.line[method] ?? 0 : 0;
  return {
    path,
    method: method !== undefined && method >= 0 ? method : undefined,
    line: Number.isInteger(line) && line > 0 ? line : begins, // 0: none
    query: text.get("srcq") ?? "",
    sortText: text.get("srcsort") ?? "",
  };
}

export function showFile(path: string): void {
  setParams({ src: path, srcline: undefined, method: undefined });
}

// A line; `method`: whose code it is, where that is known.
export function showLine(model: PageModel, path: string, line: number, method: number | undefined): void {
  setParams({ src: path, srcline: String(line), ...(method !== undefined && { method: model.names.full(method) }) }, "replace");
}
