import { useMemo, useState } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { formatCount, plural } from "../../model/format";
import { inlineSites, type InlineDecision, type InlineSite } from "../../model/jit_inlining";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { selectMethod } from "./jit_state";

interface Row { key: number; site: InlineSite; text: string; isAllInlined: boolean }

// What its compilations inlined, and why not the rest, call site by call site.
export function InliningTable({ model, ledger, jitMethod }: { model: PageModel; ledger: JitLedger; jitMethod: number }) {
  const [onlyRefused, setOnlyRefused] = useState(false);
  const { names } = model;
  const all = useMemo<Row[]>(() => inlineSites(ledger, jitMethod).map((site, key) => ({
    key, site, text: site.decisions.map((one) => describe(ledger, one)).join("; "),
    isAllInlined: site.decisions.every(({ ok }) => ok),
  })), [ledger, jitMethod]);
  const columns = useMemo<Column<Row>[]>(() => [
    { id: "site", title: "Call site", width: "minmax(8.5rem, 1fr)", help: "The method itself, or one that was inlined into it; and the place in its bytecode",
      cell: ({ site }) => `${site.isOwn ? "" : `↳ ${names.label(site.caller)} `}@${site.bci}`,
      text: ({ site }) => `${names.qualified(site.caller)} bytecode ${site.bci}` },
    { id: "callee", title: "Calls", width: "minmax(9rem, 1fr)",
      cell: ({ site }) => <MethodName model={model} method={site.callee} onClick={() => selectMethod(model, site.callee)} />,
      text: ({ site }) => names.full(site.callee) },
    { id: "decisions", title: "Decision, by compilation", width: "minmax(12rem, 1.6fr)",
      cell: ({ site, text }) => <>{!site.agree && <span title="Its compilations disagree">≠ </span>}{text}</>, text: ({ text }) => text },
  ], [model]);
  if (all.length === 0) return <p class="dim">No inlining decision of its compilations was recorded.</p>;
  const rows = onlyRefused ? all.filter(({ isAllInlined }) => !isAllInlined) : all;
  return (
    <>
      <h3>Inlining <span class="dim">{onlyRefused ? `${formatCount(rows.length)} of ` : ""}{plural(all.length, "call site")}</span></h3>
      <p class="jit-key">
        <label><input type="checkbox" checked={onlyRefused} onChange={(event) => setOnlyRefused(event.currentTarget.checked)} /> only those not inlined</label>
        <span class="dim"> ✓ inlined · ✗ not · ↳ in a method that was inlined · ≠ compilations disagree</span>
      </p>
      <DataTable label="Inlining decisions" rows={rows} columns={columns} rowKey={({ key }) => key} height={`${Math.min(15, 3 + rows.length * 1.65)}rem`}
        empty="All were inlined." />
    </>
  );
}

function describe({ jit }: JitLedger, { compilation, ok, reason, times }: InlineDecision): string {
  const { level, id } = jit.compilations;
  return `L${level[compilation]} #${id[compilation]} ${ok ? "✓" : "✗"} ${reason}${times > 1 ? ` ×${times}` : ""}`;
}
