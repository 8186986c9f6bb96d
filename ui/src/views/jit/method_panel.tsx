import { useMemo } from "preact/hooks";
import { hasSource, showMethod, showSource } from "../../app/navigate";
import { formatTime, plural } from "../../model/format";
import { compilationKey, type JitLedger } from "../../model/jit_ledger";
import { methodVerdict, type MethodVerdict } from "../../model/jit_verdicts";
import { versionsOf, type Version } from "../../model/jit_versions";
import { readableDescriptor } from "../../model/descriptor";
import type { PageModel } from "../../model/page_model";
import { CompilationsTable, DeoptimizationsTable, VersionsTables } from "./method_tables";
import { InliningTable } from "./inlining_table";
import { MethodTimeline } from "./method_timeline";
import { explainVerdict, OUTCOME_LOOK, tierName } from "./jit_text";
import { RecompilationDiagram } from "./recompilation_diagram";
import { selectMethod } from "./jit_state";
import { VerdictMark } from "./verdict";
import { WhatIf } from "./what_if";

// All that is known of one method's compilations.
export function MethodPanel({ model, ledger, method }: { model: PageModel; ledger: JitLedger; method: number }) {
  const { names } = model;
  const jitMethods = ledger.jitMethodsOf(method).filter((each) => ledger.compilationsOf(each).length > 0);
  const verdict = methodVerdict(ledger, method);
  const look = OUTCOME_LOOK[verdict.outcome];
  return (
    <section class="jit-panel" aria-label="Selected method" tabIndex={0}>
      <header class="jit-panel-head">
        <h2 title={names.full(method)}>{names.qualified(method).split(".").map((part, i) => <>{i > 0 && <>.<wbr /></>}{part}</>)}</h2>
        <p class="dim mono">{readableDescriptor(names.descriptor(method))}</p>
        {(ledger.isJudged || verdict.outcome === "never") && (
          <p>
            <span class={`jit-verdict tone-${look.tone}`}><span aria-hidden="true">{look.symbol}</span> {look.word}</span>
            <span class="dim"> {describeCounts(verdict)}</span>
          </p>
        )}
        <span class="jit-actions">
          <button type="button" onClick={() => showMethod(model, method)}>Show in Calls</button>
          {hasSource(model, method) && <button type="button" title="The method in its source file (S)" onClick={() => showSource(model, method)}>Source</button>}
          <button type="button" onClick={() => selectMethod(model, undefined)}>Close</button>
        </span>
      </header>
      {jitMethods.length === 0 && <NeverCompiled ledger={ledger} method={method} />}
      {jitMethods.map((jitMethod) => (
        <OneLoader key={jitMethod} model={model} ledger={ledger} jitMethod={jitMethod} isOnly={jitMethods.length === 1} />
      ))}
    </section>
  );
}

function describeCounts({ outcome, counts: [paid, didNot, undecided], isMixed }: MethodVerdict): string {
  if (outcome === "never") return "";
  if (isMixed) return `by the sum of those that are decided: ${paid} paid off, ${didNot} did not`;
  const all = plural(paid + didNot + undecided, "recompilation");
  return undecided > 0 && outcome !== "undecided" ? `${all}, ${undecided} undecided` : all;
}

function OneLoader({ model, ledger, jitMethod, isOnly }: {
  model: PageModel; ledger: JitLedger; jitMethod: number; isOnly: boolean;
}) {
  const method = ledger.jit.methods.method[jitMethod]!;
  const versions = useMemo(() => versionsOf(ledger, jitMethod), [ledger, jitMethod]);
  const deopts = useMemo(() => {
    const { time_ns } = ledger.jit.deoptimizations;
    const all = new Set([jitMethod, ...(isOnly ? ledger.jitMethodsOf(method) : [])].flatMap((each) => ledger.deoptimizationsOf(each)));
    return [...all].sort((a, b) => time_ns[a]! - time_ns[b]!);
  }, [ledger, jitMethod]);
  const caption = `${model.profile.name}, ${model.names.qualified(method)} ${readableDescriptor(model.names.descriptor(method))}`;
  const name = model.names.short(method).replace(/[^\w.-]+/g, "_");
  return (
    <>
      {!isOnly && <h3 class="jit-loader">In the class loader {ledger.loader(jitMethod) || "(not known)"}</h3>}
      <h3>{ledger.isJudged ? "Was it worth it?" : "Versions"}</h3>
      {ledger.isJudged && <RecompilationDiagram versions={versions} name={name} caption={caption} />}
      {ledger.isJudged && <Reasons ledger={ledger} versions={versions} />}
      <VersionsTables versions={versions} isJudged={ledger.isJudged} />
      <h3>When</h3>
      <MethodTimeline ledger={ledger} jitMethod={jitMethod} versions={versions} deopts={deopts} name={name} caption={caption} />
      <CompilationsTable ledger={ledger} jitMethod={jitMethod} />
      {deopts.length > 0 && (
        <>
          <h3>Deoptimized <span class="dim">{plural(deopts.length, "deoptimization")}</span></h3>
          <DeoptimizationsTable model={model} ledger={ledger} deopts={deopts} />
        </>
      )}
      <WhatIf jit={ledger.jit} jitMethod={jitMethod} />
      <InliningTable model={model} ledger={ledger} jitMethod={jitMethod} />
    </>
  );
}

// In words, what the diagram draws: why each recompilation has its verdict.
function Reasons({ ledger, versions }: { ledger: JitLedger; versions: readonly Version[] }) {
  const made = versions.flatMap(({ made: row }) => row ? [row] : []);
  if (made.length === 0) return null;
  return (
    <ul class="jit-reasons">{made.map((row) => (
      <li key={row.index}><strong>{tierName(row.from)} → {tierName(row.to)}</strong>{" "}
        <VerdictMark verdict={row.verdict} /> {explainVerdict(row, ledger.whyUndecided(row))}</li>
    ))}</ul>
  );
}

function NeverCompiled({ ledger, method }: { ledger: JitLedger; method: number }) {
  const { inlinings, methods, deoptimizations: d } = ledger.jit;
  let inlined = 0, refused = 0;
  const into = new Set<string>();
  for (let i = 0; i < inlinings.callee.length; i++) {
    if (methods.method[inlinings.callee[i]!] !== method) continue;
    if (inlinings.ok[i] === 1) { inlined++; into.add(compilationKey(inlinings.compile_id[i]!, inlinings.osr[i]!)); }
    else refused++;
  }
  const deopts = ledger.jitMethodsOf(method).flatMap((each) => ledger.deoptimizationsOf(each));
  return (
    <>
      <p>It was not compiled on its own in this run.</p>
      <p>{inlined > 0
        ? `It was inlined ${plural(inlined, "time")}, into the code of ${plural(into.size, "compilation")}.`
        : "No compilation inlined it, either."}
      {refused > 0 && ` ${plural(refused, "call")} of it ${refused === 1 ? "was" : "were"} not inlined.`}</p>
      {deopts.length > 0 && <p>It was deoptimized {plural(deopts.length, "time")}: {[...new Set(deopts.map((i) =>
        `${ledger.string(d.reason[i]!)} at ${formatTime(d.time_ns[i]!)}`))].join(", ")}.</p>}
    </>
  );
}
