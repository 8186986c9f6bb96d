import { useMemo, useRef } from "preact/hooks";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { formatCount, plural } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import { methodVerdict, sumOf, type MethodOutcome } from "../../model/jit_verdicts";
import { ROOT } from "../../model/names";
import { neighbourhood, NEIGHBOURHOOD_DEFAULTS } from "../../model/neighbourhood";
import type { PageModel } from "../../model/page_model";
import { setParams, useNumberParam, useParam } from "../../state/url_state";
import { GraphCanvas, type CanvasHandle, type CanvasNode } from "../graph/graph_canvas";
import { canvasEdges, canvasNodes, edgeTitle, shownAndHidden } from "../graph/graph_items";
import { GraphLegend } from "../graph/legend";
import { describeGain, OUTCOME_LOOK } from "./jit_text";
import { selectMethod, type JitState } from "./jit_state";

const MAX_STEPS = 6;
const OUTCOMES = Object.keys(OUTCOME_LOOK) as MethodOutcome[];

// The call graph, coloured by what the recompilations of its methods came to (Zimmer and Diehl,
// Figure 1).
export function ColouredCalls({ model, ledger, state }: { model: PageModel; ledger: JitLedger; state: JitState }) {
  const { names } = model;
  const canvas = useRef<CanvasHandle>(null), outcomes = useRef<HTMLUListElement>(null), marks = useRef<HTMLUListElement>(null);
  const hasCounts = model.profile.kind !== "edges";
  const [callers, setCallers] = useNumberParam("jup", 1, 0, MAX_STEPS);
  const [callees, setCallees] = useNumberParam("jdown", 2, 0, MAX_STEPS);
  const [centreText] = useParam("jat", "");
  // The graph stays where it is while what is selected is in it.
  const centre = useMemo(() => (centreText ? names.find(centreText) : undefined) ?? state.method ?? busiestJudged(model, ledger),
    [model, ledger, centreText, state.method]);
  const shown = useMemo(() => neighbourhood(model.graph, centre, {
    ...NEIGHBOURHOOD_DEFAULTS, callers, callees, ...(hasCounts ? {} : { threshold: 0 }), maxNodes: 80, maxEdges: 200,
  }), [model, centre, callers, callees, hasCounts]);
  const nodes = useMemo(() => canvasNodes(shown, names, model.graph.callsOf, "none", hasCounts)
    .map((node) => coloured(ledger, node)), [shown]);
  const drawings = useMemo(() => {
    const edges = canvasEdges(shown, names, hasCounts);
    return (["right", "down"] as const).map((direction) => ({ nodes, edges, direction }));
  }, [nodes]);
  const told = shownAndHidden(shown, names.count, hasCounts);
  const counts = useMemo(() => countOutcomes(ledger, shown.nodes.map(({ method }) => method)), [shown]);
  const inWords = [...counts].map(([outcome, count]) => `${count} ${OUTCOME_LOOK[outcome].word}`).join(", ");
  const go = (method: number) => {
    setParams({ jat: undefined, jrow: undefined, jsite: undefined, method: names.full(method) });
  };
  const asText = () => [
    ...nodes.map(({ title }) => title.replaceAll("\n", "; ")), "",
    ...shown.edges.map((edge) => edgeTitle(edge, names, hasCounts).replaceAll("\n", "; ")), ...told, "",
  ].join("\n");
  return (
    <section class="jit-tab" aria-label="Coloured calls">
      <div class="jit-filters">
        <Steps label="Callers" value={callers} onChange={setCallers} />
        <Steps label="Callees" value={callees} onChange={setCallees} />
        {state.method !== undefined && state.method !== centre &&
          <button type="button" onClick={() => go(state.method!)}>Centre on the selected method</button>}
        <ExportMenu name="coloured-calls" text={asText} svg={() => canvas.current?.svg()} words={() => ({
          caption: `${model.profile.name}: calls around ${names.qualified(centre)}, by what recompilations came to`,
          legend: itemsOf(outcomes.current, marks.current) })} />
      </div>
      <ul class="jit-legend jit-outcomes" ref={outcomes}>
        {OUTCOMES.map((outcome) => {
          const { symbol, word, tone } = OUTCOME_LOOK[outcome];
          return (
            <li key={outcome}>
              <span class={`tone-${tone}`} aria-hidden="true">{symbol}</span> {word} <span class="dim">{formatCount(counts.get(outcome) ?? 0)}</span>
            </li>
          );
        })}
      </ul>
      {!ledger.isJudged && <p class="jit-lack">Nothing is judged: compiled methods are undecided.</p>}
      <GraphCanvas handle={canvas} drawings={drawings} selected={state.method} focus={centre}
        label={`Calls around ${names.qualified(centre)}, by the verdict on each method: ${inWords}. ${told[0]}`}
        onSelect={(method) => {
          if (method === ROOT) return;
          setParams({ jat: names.full(centre) }, "replace");
          selectMethod(model, method);
        }} onCentre={go} />
      <p class="dim jit-count" role="status">{told.join(" ")}</p>
      <GraphLegend profile={model.profile} list={marks} />
    </section>
  );
}

function coloured(ledger: JitLedger, node: CanvasNode): CanvasNode {
  if (node.id === ROOT) return node;
  const verdict = methodVerdict(ledger, node.id), { symbol, tone, word } = OUTCOME_LOOK[verdict.outcome];
  const rows = ledger.jitMethodsOf(node.id).flatMap((each) => ledger.rowsOf(each));
  const gains = rows.flatMap(({ gain }) => gain ? [gain] : []);
  return {
    ...node, symbol, tone,
    title: [node.title, word, rows.length > 0 && plural(rows.length, "recompilation"),
      verdict.isMixed && "some paid off, some did not; their sum decides",
      gains.length > 0 && `gain of all: ${describeGain(sumOf(gains))}`].filter(Boolean).join("\n"),
  };
}

function countOutcomes(ledger: JitLedger, methods: readonly number[]): Map<MethodOutcome, number> {
  const counts = new Map<MethodOutcome, number>();
  for (const method of methods) {
    if (method === ROOT) continue;
    const { outcome } = methodVerdict(ledger, method);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

// Where to begin when nothing is selected: the method with a verdict that calls most.
function busiestJudged(model: PageModel, ledger: JitLedger): number {
  const { callsBy } = model.graph;
  const judged = ledger.rows.filter(({ verdict }) => verdict !== 2);
  return (judged.length > 0 ? judged : ledger.rows).reduce((best, { method }) =>
    best === ROOT || callsBy[method]! > callsBy[best]! ? method : best, ROOT);
}

function Steps({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label>{label} <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {Array.from({ length: MAX_STEPS + 1 }, (_, steps) => <option key={steps} value={steps}>{steps}</option>)}
    </select></label>
  );
}
