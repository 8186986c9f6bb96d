import { useMemo, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import { DataTable, tableText, type Column, type TableHandle } from "../../components/data_table";
import { ExportMenu } from "../../components/export_menu";
import { SearchBox } from "../../components/search_box";
import { formatCount, formatTime, plural } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import { jitTree, visibleRows, type TreeNode } from "../../model/jit_tree";
import { renderOpen, type OpenNodes } from "../../model/jit_tree_open";
import { methodVerdict } from "../../model/jit_verdicts";
import type { PageModel } from "../../model/page_model";
import { renderSort, type SortState } from "../../model/sorting";
import { setParams } from "../../state/url_state";
import { selectMethod, type JitState } from "./jit_state";
import { OUTCOME_LOOK } from "./jit_text";
import { hasAll, wordsOf } from "../../model/words";

// Packages, their classes and their methods: how often they were compiled, what that cost, and
// how long they were executed.
export function ClassTree({ model, ledger, state }: { model: PageModel; ledger: JitLedger; state: JitState }) {
  const { names } = model;
  const { words, treeSort, open } = state;
  const table = useRef<TableHandle>(null);
  const roots = useMemo(() => {
    const each = wordsOf(words);
    return jitTree(ledger, names, (method) => hasAll(names.lowerFull(method), each));
  }, [ledger, words]);
  // What is selected or searched for is in sight without being opened, unless all were closed.
  const lead = useMemo(() => state.method === undefined ? new Set<string>()
    : new Set([`p:${names.packageName(state.method)}`, `c:${names.className(state.method)}`]), [state.method]);
  const isOpen = (node: TreeNode) => open.toggled.has(node.id) !==
    (open.base === "default" ? words !== "" || lead.has(node.id) : open.base === "all");
  const setOpen = (next: OpenNodes) => setParams({ jopen: renderOpen(next) }, "replace");
  const toggle = (node: TreeNode) => {
    const toggled = new Set(open.toggled);
    if (!toggled.delete(node.id)) toggled.add(node.id);
    setOpen({ base: open.base, toggled });
  };
  const rows = useMemo(() => visibleRows(roots, isOpen, treeSort), [roots, open, lead, words, treeSort.column, treeSort.descending]);
  const columns = useMemo(() => treeColumns(ledger, roots, rows, treeSort, isOpen, toggle), [rows]);
  const select = (node: TreeNode) => node.method >= 0 ? selectMethod(model, node.method) : toggle(node);
  const openAll = () => setOpen({ base: "all", toggled: new Set() });
  const closeAll = () => setOpen({ base: "none", toggled: new Set() });
  useShortcuts({ e: openAll, E: closeAll });
  const methods = roots.reduce((sum, root) => sum + root.methods, 0);
  return (
    <section class="jit-tab" aria-label="Classes">
      <div class="jit-filters">
        <SearchBox label="Search methods" value={words} onInput={(text) => setParams({ jq: text, jopen: undefined }, "replace")}
          onLeave={() => table.current?.goToFirst()} />
        <button type="button" onClick={openAll}>Open all</button>
        <button type="button" onClick={closeAll}>Close all</button>
        <ExportMenu name="classes" text={() => tableText(columns, rows)} />
      </div>
      <p class="dim jit-count" role="status">
        {plural(methods, "method")} that {methods === 1 ? "was" : "were"} compiled, in {plural(roots.length, "package")}.
        {ledger.isJudged && " ≥: of some versions it is not known how long they were executed."}
      </p>
      <DataTable handle={table} label="Packages, classes and methods" rows={rows} columns={columns} rowKey={({ id }) => id}
        selected={state.method === undefined ? undefined : `m:${names.full(state.method)}`} onSelect={select}
        sort={treeSort} onSort={(sort) => setParams({ jtsort: renderSort(sort) }, "replace")}
        empty="No compiled method has all these words in its full name." />
    </section>
  );
}

function treeColumns(ledger: JitLedger, roots: readonly TreeNode[], rows: readonly TreeNode[], sort: SortState,
                     isOpen: (node: TreeNode) => boolean, toggle: (node: TreeNode) => void): Column<TreeNode>[] {
  // Rows come sorted within their parents: each table column orders them as they stand.
  const place = new Map(rows.map((node, i) => [node, sort.descending ? -i : i]));
  const key = (node: TreeNode) => place.get(node) ?? 0;
  const compile = roots.reduce((sum, root) => sum + root.compileNs, 0);
  const time = roots.reduce((sum, root) => sum + root.timeNs, 0);
  const timeText = (node: TreeNode) => node.isTimeKnown ? formatTime(node.timeNs)
    : node.timeNs > 0 ? `≥ ${formatTime(node.timeNs)}` : "?";
  return [
    { id: "name", title: "Name", width: "minmax(12rem, 1fr)", key,
      cell: (node) => <Label ledger={ledger} node={node} isOpen={isOpen(node)} onToggle={() => toggle(node)} />,
      text: (node) => `${"  ".repeat(node.depth)}${node.label}` },
    { id: "compile", title: "Compiled", numeric: true, width: "7.4rem", help: "CPU time of the compilations; the bar: of all of them", key,
      cell: (node) => <Amount text={formatTime(node.compileNs)} part={compile > 0 ? node.compileNs / compile : 0} kind="compile" />,
      text: (node) => formatTime(node.compileNs) },
    ...(ledger.isJudged ? [{
      id: "time", title: "Executed", numeric: true, width: "7.4rem", spare: 1, key,
      help: "By samples, without what was inlined elsewhere; the bar: of all that is known",
      cell: (node: TreeNode) => <Amount text={timeText(node)} part={time > 0 ? node.timeNs / time : 0} kind="time" />,
      text: timeText,
    }] : []),
    { id: "methods", title: "Methods", numeric: true, width: "5.4rem", spare: 3, help: "Compiled methods", key,
      cell: (node) => node.depth < 2 ? formatCount(node.methods) : "", text: (node) => node.depth < 2 ? String(node.methods) : "" },
    { id: "compilations", title: "Compilations", numeric: true, width: "6.8rem", spare: 2, key,
      cell: (node) => formatCount(node.compilations), text: (node) => String(node.compilations) },
  ];
}

function Amount({ text, part, kind }: { text: string; part: number; kind: "compile" | "time" }) {
  return (
    <span class="jit-amount">
      <span class={`jit-part ${kind}`} aria-hidden="true"><span style={{ width: `${(100 * part).toFixed(1)}%` }} /></span>
      {text}
    </span>
  );
}

function Label({ ledger, node, isOpen, onToggle }: { ledger: JitLedger; node: TreeNode; isOpen: boolean; onToggle: () => void }) {
  const indent = { paddingLeft: `${node.depth * 1.1}rem` };
  if (node.method < 0) {
    return (
      <span class="jit-node" style={indent}>
        <button type="button" tabIndex={-1} aria-expanded={isOpen} onClick={(event) => { event.stopPropagation(); onToggle(); }}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {node.label}
        </button>
      </span>
    );
  }
  const { symbol, word, tone } = OUTCOME_LOOK[methodVerdict(ledger, node.method).outcome];
  return (
    <span class="jit-node mono" style={indent}>
      {ledger.isJudged && <span class={`tone-${tone}`} title={word}>{symbol}<span class="sr"> {word}: </span></span>} {node.label}
    </span>
  );
}
