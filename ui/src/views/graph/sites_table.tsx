import { useMemo } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { SourceLink } from "../../components/source_link";
import { describeCalls, describeFlags, describeInlined, type CallSite } from "../../model/call_sites";
import { formatShare, plural } from "../../model/format";
import { describeReasons } from "../../model/inlining_reasons";
import { sourceLine } from "../../model/source_text";
import { parseSort, renderSort } from "../../model/sorting";
import type { PageModel } from "../../model/page_model";
import { setParams, useParam } from "../../state/url_state";
import { goTo, lasting } from "./use_graph_state";

export function siteColumns(model: PageModel): Column<CallSite>[] {
  const { names, profile } = model;
  const hasCounts = profile.kind !== "edges";
  const { reasons } = lasting(model);
  const decided = (site: CallSite) => describeReasons(reasons?.at(site.caller, site.bci, site.callee) ?? []);
  const place = (site: CallSite) => names.at(site.caller, site.line);
  const code = (site: CallSite) => sourceLine(model.data.sources, names.sourcePath(site.caller), site.line).trim();
  const columns: (Column<CallSite> | false)[] = [
    { id: "method", title: "Method", width: "minmax(10rem, 1fr)", key: (s) => names.label(s.other),
      cell: (s) => <MethodName model={model} method={s.other} onClick={() => goTo(model, s.other)} />, text: (s) => names.full(s.other) },
    hasCounts && { id: "calls", title: "Calls", numeric: true, width: "9.6rem", key: (s) => s.calls,
      help: "With their 95 % interval, unless they are exact",
      cell: (s) => describeCalls(s, hasCounts), text: (s) => describeCalls(s, hasCounts) },
    hasCounts && { id: "share", title: "Share", numeric: true, width: "3.8rem", spare: 2, key: (s) => s.share, cell: (s) => formatShare(s.share), text: (s) => formatShare(s.share) },
    { id: "site", title: "Line", numeric: true, width: "3.6rem", spare: 1, help: "Of the call, in the caller's file", key: (s) => `${names.file(s.caller)}:${String(s.line).padStart(7)}`, cell: (s) => <SourceLink model={model} method={s.caller} line={s.line}>{s.line > 0 ? s.line : "?"}</SourceLink>, text: place },
    { id: "bci", title: "Bytecode", numeric: true, width: "4.8rem", spare: 7, help: "Index of the call in the caller's bytecode", key: (s) => s.bci,
      cell: (s) => s.bci < 0 ? "?" : s.bci, text: (s) => s.bci < 0 ? "?" : String(s.bci) },
    hasCounts && { id: "inlined", title: "Inlined", width: "4.4rem", spare: 3, key: (s) => s.inlined, cell: (s) => describeInlined(s.inlined), text: (s) => describeInlined(s.inlined) },
    { id: "flags", title: "Count", width: "7rem", spare: 6, help: "How the count was come by", key: (s) => s.flags, cell: (s) => describeFlags(s.flags), text: (s) => describeFlags(s.flags) },
    reasons !== undefined && { id: "jit", title: "What the compilers decided", width: "22rem", spare: 4, key: decided, cell: decided, text: decided },
    model.data.sources !== null && { id: "code", title: "Code", width: "24rem", spare: 5, cell: code, text: code },
  ];
  return columns.filter((column) => column !== false);
}

// The sites that call a method, or at which it calls. A row is chosen for its details; its method's
// name leads there.
export function SitesTable({ model, title, sites, chosen, empty }: {
  model: PageModel; title: string; sites: readonly CallSite[]; chosen: number | undefined; empty: string;
}) {
  const [sort, setSort] = useParam(title === "Callers" ? "gcallers" : "gcallees", "");
  const columns = useMemo(() => siteColumns(model), [model]);
  const methods = useMemo(() => new Set(sites.map((site) => site.other)).size, [sites]);
  const noun = title === "Callers" ? "caller" : "callee";
  return (
    <section class={sites.length === 0 ? "graph-sites empty" : "graph-sites"} aria-label={title}
      style={{ maxHeight: `${sites.length * 26 + 110}px` }}>
      <h3>{title} <span class="dim">{plural(methods, noun)}, {plural(sites.length, "call site")}</span></h3>
      {sites.length === 0 ? <p class="dim">{empty}</p> : <DataTable label={title} rows={sites} columns={columns} rowKey={(site) => site.edge} selected={chosen}
        onSelect={(site) => setParams({ gsite: String(site.edge) }, "replace")}
        sort={sort ? parseSort(sort) : undefined} onSort={(next) => setSort(renderSort(next))} />}
    </section>
  );
}
