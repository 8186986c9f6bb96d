import type { ComponentChildren } from "preact";
import { MethodName } from "../../components/method_name";
import { formatCount, formatTime } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import type { Version } from "../../model/jit_versions";
import type { PageModel } from "../../model/page_model";
import { describeGain, describeTime, levelName } from "./jit_text";
import { atBytecode } from "./method_timeline";
import { selectMethod } from "./jit_state";
import { VerdictMark } from "./verdict";

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="jit-scroll" tabIndex={0} role="region" aria-label={label}><table class="jit-table">{children}</table></div>;
}

function Heads({ titles, numeric }: { titles: readonly string[]; numeric: ReadonlySet<string> }) {
  return <thead><tr>{titles.map((title) => <th key={title} scope="col" class={numeric.has(title) ? "num" : undefined}>{title}</th>)}</tr></thead>;
}

function remainingText({ remaining, isLaterKnown }: Version): string {
  return remaining ? `${isLaterKnown ? "" : "≥ "}${describeTime(remaining)}` : "?";
}

// The numbers of the recompilation diagram.
export function VersionsTable({ versions, isJudged }: { versions: readonly Version[]; isJudged: boolean }) {
  const judged = ["Calls", "A call", "Executed", "Own samples", "Later calls in it", "Gain", "Verdict"];
  const titles = ["Version", "From", "Compiled", ...(isJudged ? judged : [])];
  return (
    <Scroll label="Versions">
      <Heads titles={titles} numeric={new Set(titles.filter((title) => title !== "Version" && title !== "Verdict"))} />
      <tbody>{versions.map((version, i) => (
        <tr key={i}>
          <th scope="row">{levelName(version.level)}</th>
          <td class="num">{formatTime(version.beginNs)}</td>
          <td class="num">{version.compilation < 0 ? "—" : formatTime(version.compileNs)}</td>
          {isJudged && (
            <>
              <td class="num">{version.calls === null ? "?" : formatCount(version.calls)}</td>
              <td class="num">{version.perCall ? describeTime(version.perCall) : "?"}</td>
              <td class="num">{version.executed ? describeTime(version.executed) : "?"}</td>
              <td class="num">{version.ownNs === null ? "?" : formatTime(version.ownNs)}</td>
              <td class="num">{i === versions.length - 1 ? "—" : remainingText(version)}</td>
              <td class="num">{version.made?.gain ? describeGain(version.made.gain) : version.compilation < 0 ? "—" : "?"}</td>
              <td>{version.made ? <VerdictMark verdict={version.made.verdict} /> : "—"}{version.made?.isGivenUp && " given up"}</td>
            </>
          )}
        </tr>
      ))}</tbody>
    </Scroll>
  );
}

export function CompilationsTable({ ledger, jitMethod }: { ledger: JitLedger; jitMethod: number }) {
  const { compilations: c } = ledger.jit;
  const rows = [...ledger.compilationsOf(jitMethod)].sort((a, b) => c.end_ns[a]! - c.end_ns[b]!);
  const bytes = (value: number) => value < 0 ? "?" : formatCount(value);
  const titles = ["Compilation", "Level", "Queued", "Began", "Took", "Thread", "Code bytes", "Bytecode", "Inlined", "Result"];
  return (
    <Scroll label="Compilations">
      <Heads titles={titles} numeric={new Set(["Queued", "Began", "Took", "Code bytes", "Bytecode", "Inlined"])} />
      <tbody>{rows.map((i) => (
        <tr key={i}>
          <th scope="row">#{c.id[i]}{c.osr[i] === 1 && ` loop${atBytecode(c.osr_bci[i]!)}`}</th>
          <td>{c.level[i]}</td>
          <td class="num">{c.queued_ns[i]! < 0 ? "?" : formatTime(c.queued_ns[i]!)}</td>
          <td class="num">{c.start_ns[i]! < 0 ? "earlier" : formatTime(c.start_ns[i]!)}</td>
          <td class="num">{c.start_ns[i]! < 0 ? "?" : formatTime(ledger.compileNs(i))}</td>
          <td>{ledger.string(c.thread[i]!) || "?"}</td>
          <td class="num">{bytes(c.code_bytes[i]!)}</td>
          <td class="num">{bytes(c.bytecode_bytes[i]!)}</td>
          <td class="num">{bytes(c.inlined_bytes[i]!)}</td>
          <td>{c.succeeded[i] === 1 ? "made" : `✗ failed: ${ledger.string(c.failure[i]!) || "no reason told"}`}</td>
        </tr>
      ))}</tbody>
    </Scroll>
  );
}

export function DeoptimizationsTable({ model, ledger, deopts }: { model: PageModel; ledger: JitLedger; deopts: readonly number[] }) {
  const { deoptimizations: d, methods } = ledger.jit;
  return (
    <Scroll label="Deoptimisations">
      <Heads titles={["At", "Reason", "Action", "Code", "In", "Line"]} numeric={new Set(["At"])} />
      <tbody>{deopts.map((i) => {
        const method = methods.method[d.method[i]!]!;
        return (
          <tr key={i}>
            <td class="num">{formatTime(d.time_ns[i]!)}</td>
            <td>{ledger.string(d.reason[i]!)}</td>
            <td>{ledger.string(d.action[i]!)}</td>
            <td>#{d.compile_id[i]}{d.osr[i] === 1 && " loop"}</td>
            <td><MethodName model={model} method={method} onClick={() => selectMethod(model, method)} /></td>
            <td>{model.names.at(method, d.line[i]!) || "?"} <span class="dim">bytecode {d.bci[i]}</span></td>
          </tr>
        );
      })}</tbody>
    </Scroll>
  );
}
