import { useMemo } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import type { MethodWeight } from "../../model/flame_methods";
import { formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { parseSort, renderSort } from "../../model/sorting";
import { useParam } from "../../state/url_state";
import type { Flame } from "./use_flame";

// The methods of what is shown, or those that a search finds: what the drawing tells, as a table.
export function MethodsTable({ model, flame }: { model: PageModel; flame: Flame }) {
  const { straight, unit, methods, matches, query } = flame;
  const [sortText, setSort] = useParam("fmsort", "self");
  const isSearch = query.trim() !== "";
  const rows = useMemo(() => {
    const all = [...methods.values()].filter(({ method }) => method >= 0);
    return isSearch ? all.filter(({ method }) => matches.isMatch[method] === 1) : all;
  }, [methods, matches, isSearch]);
  const columns = useMemo((): Column<MethodWeight>[] => {
    const all = straight.total[0]!;
    const share = (weight: number) => formatShare(all > 0 ? weight / all : 0);
    const text = (weight: number) => `${unit.share(weight, all)}, ${unit.format(weight)}`;
    return [
      { id: "self", ...unit.self, numeric: true, width: "4.6rem",
        key: (row) => row.self, text: (row) => text(row.self), cell: (row) => share(row.self) },
      { id: "total", ...unit.total, numeric: true, width: "5.4rem",
        key: (row) => row.total, text: (row) => text(row.total), cell: (row) => share(row.total) },
      { id: "method", title: isSearch ? "Methods that match" : "Method", width: "minmax(8rem, 1fr)",
        key: (row) => model.names.full(row.method), text: (row) => model.names.full(row.method),
        cell: ({ method }) =>
          <MethodName model={model} method={method} onClick={() => flame.selectMethod(method)} /> },
    ];
  }, [straight, flame.contexts, model, isSearch]);
  return (
    <DataTable label="Methods of what is shown" rows={rows} columns={columns} rowKey={({ method }) => method}
      selected={flame.method} onSelect={({ method }) => flame.selectMethod(method)}
      empty="No method of these stacks matches." sort={parseSort(sortText)}
      onSort={(sort) => setSort(renderSort(sort))} />
  );
}
