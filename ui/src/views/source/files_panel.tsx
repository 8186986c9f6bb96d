import { useMemo, useRef } from "preact/hooks";
import { DataTable, type Column, type TableHandle } from "../../components/data_table";
import { SearchBox } from "../../components/search_box";
import { formatCalls, formatCount, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import { sourceIndex, type SourceFile } from "../../model/source_index";
import { whyNoSource } from "../../model/source_text";
import { hasAll, wordsOf } from "../../model/words";
import { setParams } from "../../state/url_state";
import { timeFormat } from "./source_text";
import { showFile } from "./use_source_state";

function fileColumns(model: PageModel): Column<SourceFile>[] {
  const { sources } = model.data, time = timeFormat(model), hasCounts = model.profile.kind !== "edges";
  const has = ({ path }: SourceFile) => whyNoSource(sources, path) === "";
  const number = (id: string, title: string, help: string, spare: number, of: (file: SourceFile) => number,
                  format: (value: number) => string): Column<SourceFile> =>
    ({ id, title, help, numeric: true, width: "4.2rem", spare, key: of, cell: (file) => format(of(file)), text: (file) => format(of(file)) });
  return [
    { id: "file", title: "File", width: "minmax(8rem, 1fr)", key: ({ path }) => path,
      text: (file) => file.path + (has(file) ? "" : " (not in this page)"),
      cell: (file) => (
        <span class={has(file) ? undefined : "dim"}>{file.path.split("/").pop()}{" "}
          <span class="dim source-folder">{file.path.split("/").slice(0, -1).join(".")}</span>
          {!has(file) && sources !== null && <span class="sr"> (not in this page)</span>}</span>
      ) },
    ...(hasCounts ? [
      number("calls", "Calls", "Calls of the file's methods", 1, (file) => file.calls, formatCalls),
      number("made", "Made", "Calls that the file's methods make", 3, (file) => file.made, formatCalls),
    ] : []),
    ...(time ? [number("self", "Self", "Time in the file's methods alone, by stack samples", 2, (file) => file.self, time)] : []),
    number("methods", "Methods", "So many of its methods were seen", 4, (file) => file.methods.length, formatCount),
  ];
}

// The files of which something is known.
export function FilesPanel({ model, path, query, sortText }: { model: PageModel; path: string; query: string; sortText: string }) {
  const { files } = sourceIndex(model), { sources } = model.data, hasCounts = model.profile.kind !== "edges";
  const table = useRef<TableHandle>(null);
  const rows = useMemo(() => {
    const words = wordsOf(query);
    return words.length === 0 ? files : files.filter((file) => hasAll(file.path.toLowerCase().replaceAll("/", "."), words.map((word) => word.replaceAll("/", "."))));
  }, [files, query]);
  const columns = useMemo(() => fileColumns(model), [model]);
  const there = useMemo(() => files.filter((file) => whyNoSource(sources, file.path) === "").length, [files, sources]);
  return (
    <section class="source-files" aria-label="Files">
      <SearchBox label="Search files" value={query} onInput={(text) => setParams({ srcq: text }, "replace")}
        onEnter={() => { if (query && rows.length > 0) showFile(rows[0]!.path); }}
        onLeave={() => table.current?.goToFirst()} />
      <p class="dim source-count" role="status">
        {query ? `${formatCount(rows.length)} of ${plural(files.length, "file")}` : plural(files.length, "file")}
        {sources !== null && `, the code of ${formatCount(there)}`}
        {!sortText && !query && hasCounts && "; first those with most calls, received and made"}
      </p>
      <DataTable handle={table} label="Files" rows={rows} columns={columns} rowKey={(file) => file.path} selected={path}
        onSelect={(file) => showFile(file.path)} sort={sortText ? parseSort(sortText) : undefined}
        onSort={(next) => setParams({ srcsort: renderSort(next) }, "replace")} empty="No file has all these words in its path." />
    </section>
  );
}
