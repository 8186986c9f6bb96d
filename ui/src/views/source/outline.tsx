import { useMemo } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { MethodLabel } from "../../components/method_name";
import { formatCalls, formatCount } from "../../model/format";
import { methodTimes } from "../../model/method_times";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import type { SourceFile } from "../../model/source_index";
import { useParam } from "../../state/url_state";
import { timeFormat } from "./source_text";
import { showLine } from "./use_source_state";

// The methods of a file; a row leads to where its method begins.
export function Outline({ model, file, selected }: { model: PageModel; file: SourceFile; selected: number | undefined }) {
  const [sort, setSort] = useParam("srcmsort", "");
  const columns = useMemo((): Column<number>[] => {
    const { names, graph, profile, data: { methods } } = model;
    const times = methodTimes(profile, names.count), time = timeFormat(model);
    const number = (id: string, title: string, spare: number, of: (method: number) => number, format: (value: number) => string): Column<number> =>
      ({ id, title, numeric: true, width: "4rem", spare, key: of, cell: (method) => format(of(method)), text: (method) => format(of(method)) });
    return [
      { id: "method", title: "Method", width: "minmax(8rem, 1fr)", key: (method) => names.label(method), text: (method) => names.full(method),
        cell: (method) => <MethodLabel names={names} method={method} /> },
      ...(profile.kind === "edges" ? [number("callers", "Callers", 2, (method) => graph.callers[method]!, formatCount)]
        : [number("calls", "Calls", 1, (method) => graph.callsOf[method]!, formatCalls)]),
      ...(times && time ? [number("self", "Self", 4, (method) => times.self[method]!, time), number("total", "Total", 3, (method) => times.total[method]!, time)] : []),
      number("line", "Line", 2, (method) => methods.line[method]!, (line) => line > 0 ? String(line) : "?"),
    ];
  }, [model]);
  return (
    <DataTable label="Methods of the file" rows={file.methods} columns={columns} rowKey={(method) => method} selected={selected}
      onSelect={(method) => showLine(model, file.path, model.data.methods.line[method] || 1, method)}
      sort={sort ? parseSort(sort) : undefined} onSort={(next) => setSort(renderSort(next))} />
  );
}
