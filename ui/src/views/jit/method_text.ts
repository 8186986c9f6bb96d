import { formatCount, formatTime } from "../../model/format";
import { inlineSites } from "../../model/jit_inlining";
import type { JitLedger } from "../../model/jit_ledger";
import { versionsOf } from "../../model/jit_versions";
import { whatIfOf } from "../../model/jit_what_if";
import type { PageModel } from "../../model/page_model";
import { asText } from "../../model/text_table";
import { describeGain, describeTime, levelName, VERDICT_LOOK } from "./jit_text";

// What the panel of a method tells, for copying.
export function methodText({ names }: PageModel, ledger: JitLedger, method: number): string {
  const { deoptimizations: d, compilations: c } = ledger.jit;
  const columns = (titles: string[], left: number) => titles.map((title, i) => ({ title, right: i >= left }));
  return [names.full(method), ...ledger.jitMethodsOf(method).filter((each) => ledger.compilationsOf(each).length > 0).flatMap((jitMethod) => [
    asText(columns(["version", "verdict", "from", "compiled", "calls", "a call", "executed", "later calls in it", "gain"], 2),
      versionsOf(ledger, jitMethod).map((v) => [
        levelName(v.level), v.made && ledger.isJudged ? VERDICT_LOOK[v.made.verdict].word : "", formatTime(v.beginNs), formatTime(v.compileNs),
        v.calls === null ? "?" : formatCount(v.calls), v.perCall ? describeTime(v.perCall) : "?", v.executed ? describeTime(v.executed) : "?",
        v.remaining ? describeTime(v.remaining) : "", v.made?.gain ? describeGain(v.made.gain) : "",
      ])),
    ...(whatIfOf(ledger.jit, jitMethod)?.ways.map(({ way, saved }) => `what if ${way.replace("_", " ")}: ${describeGain(saved)}`) ?? []),
    ...ledger.deoptimizationsOf(jitMethod).map((i) =>
      `deoptimised at ${formatTime(d.time_ns[i]!)}: ${ledger.string(d.reason[i]!)}, ${ledger.string(d.action[i]!)}`),
    "",
    ...inlineSites(ledger, jitMethod).map(({ caller, bci, callee, decisions }) =>
      `${names.qualified(caller)} @${bci} → ${names.qualified(callee)}: ` + decisions.map(({ compilation, ok, reason }) =>
        `#${c.id[compilation]} level ${c.level[compilation]} ${ok ? "inlined" : "not inlined"} (${reason})`).join("; ")),
  ])].join("\n") + "\n";
}
