import { useMemo, useRef } from "preact/hooks";
import { DataTable, type Column, type TableHandle } from "../../components/data_table";
import { MethodLabel } from "../../components/method_name";
import { SearchBox } from "../../components/search_box";
import { formatCalls, formatCount, formatShare, formatTime, plural } from "../../model/format";
import { parseSort, renderSort } from "../../model/sorting";
import type { PageModel } from "../../model/page_model";
import { testsOf } from "../../model/tests";
import { setParams, useParams } from "../../state/url_state";
import { goTo, lasting } from "./use_graph_state";

function methodColumns(model: PageModel): Column<number>[] {
  const { names, graph, profile } = model;
  const { times } = lasting(model);
  const calls: Column<number>[] = profile.kind === "edges" ? [] : [
    { id: "calls", title: "Calls", numeric: true, width: "4.2rem", help: "Calls of the method, all call sites together",
      key: (m) => graph.callsOf[m]!, cell: (m) => formatCalls(graph.callsOf[m]!), text: (m) => formatCount(graph.callsOf[m]!) },
    { id: "share", title: "Share", numeric: true, width: "4rem", spare: 3, help: "Of all calls",
      key: (m) => graph.callsOf[m]!, cell: (m) => formatShare(graph.total > 0 ? graph.callsOf[m]! / graph.total : 0),
      text: (m) => formatShare(graph.total > 0 ? graph.callsOf[m]! / graph.total : 0) },
  ];
  const time = times?.unit === "time" ? formatTime : (samples: number) => formatCount(samples);
  const timed: Column<number>[] = times ? ([["self", "Self", times.self], ["total", "Total", times.total]] as const)
    .map(([id, title, values]) => ({
      id, title: times.unit === "time" ? title : `${title} (samples)`, numeric: true, width: times.unit === "time" ? "4.5rem" : "5rem", spare: id === "self" ? 1 : 2,
      help: id === "self" ? "Time in the method itself, by stack samples" : "Time in the method and in all that it calls",
      key: (m: number) => values[m]!, cell: (m: number) => time(values[m]!),
      text: (m: number) => `${time(values[m]!)} (${formatShare(times.all > 0 ? values[m]! / times.all : 0)})`,
    })) : [];
  const around: Column<number>[] = [
    { id: "callers", title: "Callers", numeric: true, width: "4.6rem", spare: 4, help: "Methods that call it",
      key: (m) => graph.callers[m]!, cell: (m) => formatCount(graph.callers[m]!), text: (m) => String(graph.callers[m]!) },
    { id: "callees", title: "Callees", numeric: true, width: "4.6rem", spare: profile.kind === "edges" ? 1 : 5, help: "Methods that it calls",
      key: (m) => graph.callees[m]!, cell: (m) => formatCount(graph.callees[m]!), text: (m) => String(graph.callees[m]!) },
  ];
  const tests: Column<number>[] = profile.tests?.reached ? [
    { id: "tests", title: "Tests", numeric: true, width: "4rem", spare: 0, help: "Tests that reach it",
      key: (m) => testsOf(profile, m)!.length, cell: (m) => formatCount(testsOf(profile, m)!.length), text: (m) => String(testsOf(profile, m)!.length) },
  ] : [];
  return [
    { id: "name", title: "Method", width: "minmax(11rem, 1fr)", key: (m) => names.label(m),
      cell: (m) => <MethodLabel names={names} method={m} />, text: (m) => names.full(m) },
    ...tests, ...calls, ...timed, ...around,
  ];
}

export function MethodsPanel({ model, selected }: { model: PageModel; selected: number }) {
  const params = useParams();
  const query = params.get("gq") ?? "", sortText = params.get("gsort") ?? "";
  const table = useRef<TableHandle>(null);
  const rows = useMemo(() => lasting(model).search.find(query), [model, query]);
  const columns = useMemo(() => methodColumns(model), [model]);
  const fallback = model.profile.kind === "edges" ? "callees" : "calls";
  const sort = sortText ? parseSort(sortText) : query ? undefined : parseSort(fallback);
  return (
    <section class="graph-methods" aria-label="Methods">
      <SearchBox label="Search methods" value={query}
        onInput={(text) => setParams({ gq: text, gsort: undefined }, "replace")}
        onEnter={() => { if (query && rows.length > 0) goTo(model, rows[0]!); }}
        onLeave={() => table.current?.goToFirst()} />
      <p class="dim graph-count" role="status">
        {query ? `${formatCount(rows.length)} of ${plural(model.names.count, "method")}, best match first` : plural(model.names.count, "method")}
      </p>
      <DataTable handle={table} label="Methods" rows={rows} columns={columns} rowKey={(m) => m}
        selected={selected} onSelect={(m) => goTo(model, m)} sort={sort}
        isSorted={!query && sort?.column === "calls" && sort.descending}
        onSort={(next) => setParams({ gsort: renderSort(next) }, "replace")}
        empty="No method has all these words in its full name, nor these initials." />
    </section>
  );
}
