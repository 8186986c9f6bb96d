import { MethodName } from "../../components/method_name";
import { formatCount, formatTime, plural } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { asText } from "../../model/text_table";
import type { TimeSpan } from "../../model/time_axis";
import { selectMethod } from "./jit_state";
import { Scroll } from "./method_tables";
import { tierName } from "./jit_text";

const LISTED = 25;

export interface Longest {
  rows: number[]; // compilations
  count: number; // of all in the time
  compileNs: number;
}

// The dearest compilations that reach into a stretch of time.
export function longest(ledger: JitLedger, [from, to]: TimeSpan): Longest {
  const { start_ns, end_ns } = ledger.jit.compilations;
  const rows: number[] = [];
  let compileNs = 0;
  start_ns.forEach((start, i) => {
    if (start < 0 || start > to || end_ns[i]! < from) return;
    rows.push(i);
    compileNs += ledger.compileNs(i);
  });
  rows.sort((a, b) => ledger.compileNs(b) - ledger.compileNs(a) || a - b);
  return { rows: rows.slice(0, LISTED), count: rows.length, compileNs };
}

export function longestText(model: PageModel, ledger: JitLedger, { rows }: Longest): string {
  const { compilations: c } = ledger.jit;
  const columns = ["cost", "began", "level", "thread", "method"].map((title, i) => ({ title, right: i < 3 }));
  return asText(columns, rows.map((i) => [
    formatTime(ledger.compileNs(i)), formatTime(c.start_ns[i]!), String(c.level[i]), ledger.string(c.thread[i]!),
    model.names.full(ledger.methodOfCompilation(i)),
  ]));
}

export function LongestTable({ model, ledger, list, selected }: {
  model: PageModel; ledger: JitLedger; list: Longest; selected: ReadonlySet<number>;
}) {
  const { compilations: c } = ledger.jit;
  return (
    <>
      <h3>The dearest in this time <span class="dim">{formatCount(list.rows.length)} of {plural(list.count, "compilation")}</span></h3>
      <Scroll label="The dearest compilations in the time shown">
        <thead><tr>
          <th scope="col" class="num">Cost</th><th scope="col" class="num">Began</th>
          <th scope="col">Code</th><th scope="col">Thread</th><th scope="col">Method</th>
        </tr></thead>
        <tbody>{list.rows.map((i) => {
          const method = ledger.methodOfCompilation(i);
          return (
            <tr key={i} class={selected.has(i) ? "jit-same" : undefined}>
              <td class="num">{formatTime(ledger.compileNs(i))}</td>
              <td class="num">{formatTime(c.start_ns[i]!)}</td>
              <td>{tierName(c.level[i]!)}{c.osr[i] === 1 && " OSR"}</td>
              <td>{ledger.string(c.thread[i]!) || "?"}</td>
              <td class="jit-name"><MethodName model={model} method={method} onClick={() => selectMethod(model, method)} /></td>
            </tr>
          );
        })}</tbody>
      </Scroll>
    </>
  );
}
