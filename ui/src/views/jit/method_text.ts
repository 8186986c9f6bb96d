import { formatCount, formatTime } from "../../model/format";
import { inlineSites } from "../../model/jit_inlining";
import type { JitLedger } from "../../model/jit_ledger";
import { versionsOf } from "../../model/jit_versions";
import { whatIfOf } from "../../model/jit_what_if";
import type { PageModel } from "../../model/page_model";
import { asText } from "../../model/text_table";
import { decisionTexts, placedSite } from "./inlining_text";
import { describeGain, describeTime, levelName, VERDICT_LOOK } from "./jit_text";

// What the panel of a method tells, for copying.
export function methodText(model: PageModel, ledger: JitLedger, method: number): string {
  const { names } = model;
  const { deoptimizations: d } = ledger.jit;
  const columns = (titles: string[], left: number) => titles.map((title, i) => ({ title, right: i >= left }));
  return [names.full(method), ...ledger.jitMethodsOf(method).filter((each) => ledger.compilationsOf(each).length > 0).flatMap((jitMethod) => [
    asText(columns(["version", "verdict", "from", "compiled", "calls", "a call", "as the next has it", "executed", "later calls in it", "gain"], 2),
      versionsOf(ledger, jitMethod).map((v) => [
        levelName(v.level), v.made && ledger.isJudged ? VERDICT_LOOK[v.made.verdict].word : "", formatTime(v.beginNs), formatTime(v.compileNs),
        v.calls === null ? "?" : formatCount(v.calls), v.perCall ? describeTime(v.perCall) : "?", v.beforeNext ? describeTime(v.beforeNext) : "", v.executed ? describeTime(v.executed) : "?",
        v.remaining ? describeTime(v.remaining) : "", v.made?.gain ? describeGain(v.made.gain) : "",
      ])),
    ...(whatIfOf(ledger.jit, jitMethod)?.strategies.map(({ phrase, saved }) => `${phrase}: ${describeGain(saved)} saved`) ?? []),
    ...ledger.deoptimizationsOf(jitMethod).map((i) =>
      `deoptimized at ${formatTime(d.time_ns[i]!)}: ${ledger.string(d.reason[i]!)}, ${ledger.string(d.action[i]!)}`),
    "",
    ...inlineSites(ledger, jitMethod).map((site) =>
      `${names.qualified(site.caller)} ${placedSite(model, site).place || `@${site.bci}`} → ${names.qualified(site.callee)}: ` +
        decisionTexts(ledger, site).join("; ")),
  ])].join("\n") + "\n";
}
