import { useMemo, useState } from "preact/hooks";
import { DataTable, type Column } from "../../components/data_table";
import { MethodName } from "../../components/method_name";
import { formatCount, plural } from "../../model/format";
import { inlineSites } from "../../model/jit_inlining";
import type { JitLedger } from "../../model/jit_ledger";
import { shorten } from "../../model/shorten";
import type { PageModel } from "../../model/page_model";
import { setParams, useParams } from "../../state/url_state";
import { InliningSite } from "./inlining_site";
import { decisionTexts, placedSite, type PlacedSite } from "./inlining_text";
import { selectMethod } from "./jit_state";

interface Row extends PlacedSite { key: string; text: string; isAllInlined: boolean }

const MAX_PLACE = 18; // characters

// What its compilations inlined, and why not the rest, call site by call site.
export function InliningTable({ model, ledger, jitMethod }: { model: PageModel; ledger: JitLedger; jitMethod: number }) {
  const [onlyRefused, setOnlyRefused] = useState(false);
  const chosen = useParams().get("jsite");
  const { names } = model;
  const all = useMemo<Row[]>(() => inlineSites(ledger, jitMethod).map((site, i) => ({
    ...placedSite(model, site), key: `${jitMethod}.${i}`, text: decisionTexts(ledger, site).join("; "),
    isAllInlined: site.decisions.every(({ ok }) => ok),
  })), [ledger, jitMethod]);
  const columns = useMemo<Column<Row>[]>(() => [
    { id: "site", title: "Call site", width: "minmax(9rem, 1fr)", help: "In the method itself, or in one that was inlined into it; @: the place in the bytecode, where the line is not known",
      cell: ({ site, place }) => `${site.isOwn ? "" : "↳ "}${place ? shorten(place, MAX_PLACE) : `${site.isOwn ? "" : `${names.name(site.caller)} `}@${site.bci}`}`,
      text: ({ site, place }) => [names.qualified(site.caller), place, `bytecode ${site.bci}`].filter(Boolean).join(", ") },
    { id: "callee", title: "Calls", width: "minmax(8.5rem, 1fr)",
      cell: ({ site }) => <MethodName model={model} method={site.callee} onClick={() => selectMethod(model, site.callee)} />,
      text: ({ site }) => names.full(site.callee) },
    { id: "decisions", title: "Decision, by compilation", width: "minmax(12rem, 1.6fr)",
      cell: ({ site, text }) => <>{!site.agree && <span title="Its compilations disagree">≠ </span>}{text}</>, text: ({ text }) => text },
  ], [model]);
  if (all.length === 0) return <p class="dim">No inlining decision of its compilations was recorded.</p>;
  const rows = onlyRefused ? all.filter(({ isAllInlined }) => !isAllInlined) : all;
  const row = all.find(({ key }) => key === chosen);
  return (
    <>
      <h3>Inlining <span class="dim">{onlyRefused ? `${formatCount(rows.length)} of ` : ""}{plural(all.length, "call site")}</span></h3>
      <p class="jit-key">
        <label><input type="checkbox" checked={onlyRefused} onChange={(event) => setOnlyRefused(event.currentTarget.checked)} /> only those not inlined</label>
        <span class="dim"> ✓ inlined · ✗ not · ↳ in a method that was inlined · ≠ compilations disagree</span>
      </p>
      <DataTable label="Inlining decisions" rows={rows} columns={columns} rowKey={({ key }) => key} height={`${Math.min(15, 3 + rows.length * 1.65)}rem`}
        selected={row?.key} onSelect={({ key }) => setParams({ jsite: key }, "replace")} empty="All were inlined." />
      {row && <InliningSite key={row.key} model={model} ledger={ledger} placed={row} />}
    </>
  );
}
