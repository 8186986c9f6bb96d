import { useMemo } from "preact/hooks";
import { showMethod } from "../../app/navigate";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { ExportMenu } from "../../components/export_menu";
import { Resize, Split, useRegionWidth } from "../../components/split";
import { sourceIndex } from "../../model/source_index";
import { sourceLines, whyNoSource } from "../../model/source_text";
import { CodeTable } from "./code_table";
import { FilesPanel } from "./files_panel";
import { LinePanel } from "./line_panel";
import { Outline } from "./outline";
import { hottestLine, nextLine, sourceRows } from "./source_rows";
import { fileText, INLINED_HELP } from "./source_text";
import { showLine, useSourceState } from "./use_source_state";
import "./style.css";

function Source({ model }: ViewProps) {
  const { path, line: chosen, method, query, sortText } = useSourceState(model);
  const { sources } = model.data, index = sourceIndex(model);
  const file = index.file(path), facts = useMemo(() => index.linesOf(path), [index, path]);
  const rows = useMemo(() => sourceRows(sourceLines(sources, path), facts), [sources, path, facts]);
  const line = chosen || hottestLine(facts), why = whyNoSource(sources, path);
  const go = (step: 1 | -1) => {
    const next = nextLine(facts, line, step);
    if (next !== undefined) showLine(model, path, next, facts.get(next)?.sites[0]?.caller);
  };
  useShortcuts({
    n: () => go(1), N: () => go(-1),
    g: () => { if (method !== undefined) showMethod(model, method); },
  });
  const files = useRegionWidth("srcfiles", "clamp(15rem, 20vw, 30rem)"), side = useRegionWidth("srcside", "clamp(18rem, 25vw, 40rem)");
  const name = path.split("/").pop() || "source";
  return (
    <Split columns={`${files.css} auto minmax(16rem, 1fr) auto ${side.css}`}>
      <FilesPanel model={model} path={path} query={query} sortText={sortText} />
      <Resize label="Width of the files" side="left" onResize={files.resize} />
      <section class="source-main" aria-label="Code">
        <div class="source-head">
          <h2>{path || "No file"}</h2>
          <ExportMenu name={name} text={() => fileText(model, rows)} />
        </div>
        {why && <p class="source-note" role="note">{why}{rows.length > 0 && " Lines of which something is known are listed."}</p>}
        {path && !file && <p class="source-note" role="note">Nothing was seen of {path}.</p>}
        {rows.length > 0 && <CodeTable model={model} path={path} rows={rows} facts={facts} line={line} />}
        {rows.length > 0 && (
          <p class="source-legend dim">Calls and time are those of the calls that a line makes.
            {model.profile.kind !== "edges" && <> {INLINED_HELP}.</>} n: the next line with calls.</p>
        )}
      </section>
      <Resize label="Width of the details" side="right" onResize={side.resize} />
      <section class="source-side" aria-label="Details">
        <div class="source-details panel" tabIndex={0} role="region" aria-label="Line"><LinePanel model={model} path={path} line={line} facts={facts.get(line)} /></div>
        {file && <Outline model={model} file={file} selected={method} />}
      </section>
    </Split>
  );
}

export const sourceView: View = {
  id: "source",
  title: "Source",
  component: Source,
  missing: (model) => model.data.methods.file.some((file) => file >= 0) ? undefined
    : "No method was seen whose class file says of which source file it is.",
  keys: [
    { key: "n N", does: "The next or previous line with calls" },
    { key: "g", does: "The line's method in the call graph" },
    { key: "arrows", does: "From line to line" },
    { key: "Enter", does: "Select the line" },
  ],
};
