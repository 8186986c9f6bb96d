import { Fragment, type ComponentChildren } from "preact";
import { MethodName } from "../../components/method_name";
import { SourceLink } from "../../components/source_link";
import { formatCount, formatTime } from "../../model/format";
import type { Estimate, JitLedger } from "../../model/jit_ledger";
import type { Version } from "../../model/jit_versions";
import type { PageModel } from "../../model/page_model";
import { formatGain, levelName, NOT_ENTRANT, tierName } from "./jit_text";
import { atBytecode } from "./method_timeline";
import { selectMethod } from "./jit_state";
import { VerdictMark } from "./verdict";

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="jit-scroll" tabIndex={0} role="region" aria-label={label}><table class="jit-table">{children}</table></div>;
}

function Heads({ titles, numeric }: { titles: readonly string[]; numeric: ReadonlySet<string> }) {
  return <thead><tr>{titles.map((title) => <th key={title} scope="col" class={numeric.has(title) ? "num" : undefined}>{title}</th>)}</tr></thead>;
}

// An estimate, and its interval below it; `format`: of a time or of a gain.
export function EstimateLines({ of, format, least = false }: {
  of: Estimate; format: (ns: number) => string; least?: boolean;
}) {
  const whole = (ns: number) => format(ns).replaceAll(" ", "\u00a0"); // A number stays with its unit.
  return (
    <span class="jit-estimate">
      {least && "≥\u00a0"}{whole(of.value)}<br />
      <span class="dim">{of.low === of.high ? "no interval" : `${whole(of.low)} to ${whole(of.high)}`}</span>
    </span>
  );
}

const VERSIONS_BESIDE = 3; // There is room for.

interface Measure { title: string; help?: string; cell: (version: Version, isLast: boolean) => ComponentChildren }

const MEASURES: readonly Measure[] = [
  { title: "From", cell: ({ beginNs }) => formatTime(beginNs) },
  { title: "Compiled", cell: ({ compilation, compileNs }) => compilation < 0 ? "—" : formatTime(compileNs) },
];
const JUDGED: readonly Measure[] = [
  { title: "Verdict", cell: ({ made }) => made ? <><VerdictMark verdict={made.verdict} />{made.isMadeNotEntrant && <span class="jit-estimate"> {NOT_ENTRANT}</span>}</> : "—" },
  { title: "Gain", cell: ({ made, compilation }) => made?.gain ? <EstimateLines of={made.gain} format={formatGain} /> : compilation < 0 ? "—" : "?" },
  ...MEASURES,
  { title: "Calls", cell: ({ calls }) => calls === null ? "?" : formatCount(calls) },
  { title: "A call", help: "With the methods that it or the version before has inlined: Call after of its recompilation",
    cell: ({ perCall }) => perCall ? <EstimateLines of={perCall} format={formatTime} /> : "?" },
  { title: "A call, as the next has it", help: "With the methods that it or the next version has inlined: Call before of the next recompilation",
    cell: ({ beforeNext }, isLast) => beforeNext ? <EstimateLines of={beforeNext} format={formatTime} /> : isLast ? "—" : "?" },
  { title: "Executed", cell: ({ executed }) => executed ? <EstimateLines of={executed} format={formatTime} /> : "?" },
  { title: "Own samples", cell: ({ ownNs }) => ownNs === null ? "?" : formatTime(ownNs) },
  { title: "Later calls in it", cell: ({ remaining, isLaterKnown }, isLast) => isLast ? "—"
    : remaining ? <EstimateLines of={remaining} format={formatTime} least={!isLaterKnown} /> : "?" },
];

// The numbers of the recompilation diagram: a column a version, a few of them in a table.
export function VersionsTables({ versions, isJudged }: { versions: readonly Version[]; isJudged: boolean }) {
  const begins = versions.map((_, i) => i).filter((i) => i % VERSIONS_BESIDE === 0);
  return <>{begins.map((begin) => {
    const part = versions.slice(begin, begin + VERSIONS_BESIDE);
    return (
      <Scroll key={begin} label={begins.length === 1 ? "Versions" : `Versions ${begin + 1} to ${begin + part.length}`}>
        <thead><tr>
          <th scope="col">Version</th>
          {part.map(({ level }, i) => <th key={i} scope="col" class="num">{levelName(level)}</th>)}
        </tr></thead>
        <tbody>{(isJudged ? JUDGED : MEASURES).map(({ title, help, cell }) => (
          <tr key={title}>
            <th scope="row" title={help}>{title}</th>
            {part.map((version, i) => <td key={i} class="num">{cell(version, version === versions[versions.length - 1])}</td>)}
          </tr>
        ))}</tbody>
      </Scroll>
    );
  })}</>;
}

// "C2 CompilerThread0" is "C2 0".
function shortThread(name: string): string { return name.replace(/\bCompilerThread(?=\d)/, ""); }

export function CompilationsTable({ ledger, jitMethod }: { ledger: JitLedger; jitMethod: number }) {
  const { compilations: c } = ledger.jit;
  const rows = [...ledger.compilationsOf(jitMethod)].sort((a, b) => c.end_ns[a]! - c.end_ns[b]!);
  const bytes = (value: number) => value < 0 ? "?" : formatCount(value);
  const titles = ["Compilation", "Queued", "Began", "Took", "Thread", "Code bytes", "Byte\u00adcode", "Inlined"];
  return (
    <Scroll label="Compilations">
      <Heads titles={titles} numeric={new Set(titles.filter((title) => title !== "Compilation" && title !== "Thread"))} />
      <tbody>{rows.map((i) => {
        const thread = ledger.string(c.thread[i]!);
        return (
          <Fragment key={i}>
            <tr>
              <th scope="row">{tierName(c.level[i]!)} #{c.id[i]}{c.osr[i] === 1 && <><br /><span class="dim">OSR{atBytecode(c.osr_bci[i]!)}</span></>}</th>
              <td class="num">{c.queued_ns[i]! < 0 ? "?" : formatTime(c.queued_ns[i]!)}</td>
              <td class="num">{c.start_ns[i]! < 0 ? "earlier" : formatTime(c.start_ns[i]!)}</td>
              <td class="num">{c.start_ns[i]! < 0 ? "?" : formatTime(ledger.compileNs(i))}</td>
              <td title={thread}>{shortThread(thread) || "?"}</td>
              <td class="num">{bytes(c.code_bytes[i]!)}</td>
              <td class="num">{bytes(c.bytecode_bytes[i]!)}</td>
              <td class="num">{bytes(c.inlined_bytes[i]!)}</td>
            </tr>
            {c.succeeded[i] !== 1 && (
              <tr><td class="jit-wrap" colSpan={titles.length}>✗ #{c.id[i]} failed: {ledger.string(c.failure[i]!) || "no reason told"}</td></tr>
            )}
          </Fragment>
        );
      })}</tbody>
    </Scroll>
  );
}

export function DeoptimizationsTable({ model, ledger, deopts }: { model: PageModel; ledger: JitLedger; deopts: readonly number[] }) {
  const { deoptimizations: d, methods } = ledger.jit;
  return (
    <Scroll label="Deoptimisations">
      <Heads titles={["At", "Reason, action", "Code", "In"]} numeric={new Set(["At"])} />
      <tbody>{deopts.map((i) => {
        const method = methods.method[d.method[i]!]!;
        return (
          <tr key={i}>
            <td class="num">{formatTime(d.time_ns[i]!)}</td>
            <td class="jit-wrap">{ledger.string(d.reason[i]!)}<br /><span class="dim">{ledger.string(d.action[i]!)}</span></td>
            <td>{d.osr[i] === 1 && "OSR "}#{d.compile_id[i]}</td>
            <td class="jit-name">
              <MethodName model={model} method={method} onClick={() => selectMethod(model, method)} /><br />
              <SourceLink model={model} method={method} line={d.line[i]!}>{model.names.at(method, d.line[i]!)}</SourceLink> <span class="dim">bytecode {d.bci[i]}</span>
            </td>
          </tr>
        );
      })}</tbody>
    </Scroll>
  );
}
