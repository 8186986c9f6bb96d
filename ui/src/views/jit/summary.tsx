import type { Verdict } from "../../data/page_data";
import { formatCount, formatShare, formatTime, plural } from "../../model/format";
import { tellsCompilations } from "../../model/jit_lacks";
import type { JitLedger } from "../../model/jit_ledger";
import { describeGain, formatGain, VERDICT_LOOK, VERDICT_MEANS } from "./jit_text";
import { showVerdict, type JitState } from "./jit_state";
import { WarmUpChart } from "./warm_up_chart";

// What all compilations have cost and brought, and what was executed meanwhile.
export function Summary({ ledger, state, profile }: { ledger: JitLedger; state: JitState; profile: string }) {
  const { jit } = ledger;
  return (
    <section class="jit-summary" aria-label="Ledger">
      <div class="jit-facts">
        <Verdicts ledger={ledger} state={state} />
        <WhyUndecided ledger={ledger} state={state} />
        <dl>{factsOf(ledger).map(({ name, value, note }) => (
          <div key={name}><dt>{name}</dt><dd>{value}{note && <span class="dim"> {note}</span>}</dd></div>
        ))}</dl>
        {jit.lacks.map((lack) => <p key={lack} class="jit-lack">Not known: {lack}.</p>)}
      </div>
      <WarmUpChart jit={jit} profile={profile} />
    </section>
  );
}

function Verdicts({ ledger, state }: { ledger: JitLedger; state: JitState }) {
  const { paid_off, did_not, undecided, paid_off_ns, did_not_ns } = ledger.jit.ledger;
  if (!ledger.isJudged) {
    return (
      <p class="jit-lack" role="note">
        Nothing is judged: it is not known how the methods were executed, as no stacks were sampled. What
        compilations cost is shown. <code>yp run --jit</code> samples stacks, too.
      </p>
    );
  }
  const counts: [Verdict, number, string][] = [
    [0, paid_off, paid_off > 0 ? formatGain(paid_off_ns) : ""], [1, did_not, did_not > 0 ? formatGain(did_not_ns) : ""], [2, undecided, ""]];
  const all = paid_off + did_not + undecided;
  return (
    <div class="jit-counts" role="group" aria-label={`${plural(all, "recompilation")} by verdict`}>
      {counts.map(([verdict, count, gain]) => {
        const { symbol, word, tone } = VERDICT_LOOK[verdict];
        const isShown = state.tab === "list" && state.verdicts.size === 1 && state.verdicts.has(verdict);
        return (
          <button key={verdict} type="button" class={`tone-${tone}`} aria-pressed={isShown}
            title={`${VERDICT_MEANS[verdict]}. Show these.`} onClick={() => showVerdict(verdict)}>
            <span class="jit-big"><span aria-hidden="true">{symbol} </span>{formatCount(count)}</span>
            <span>{verdict === 1 ? "did not pay off" : word}{gain && <span class="dim"> {gain}</span>}</span>
          </button>
        );
      })}
    </div>
  );
}

interface Way { undecided: number; rows: number; cost: number; why: string; remedy: string }

function waysOf({ jit: { ledger: { why_undecided: ways } } }: JitLedger): Way[] {
  return ways.undecided.map((undecided, i) => ({
    undecided, rows: ways.rows[i]!, cost: ways.compile_ns[i]!, why: ways.why[i]!, remedy: ways.remedy[i]!,
  }));
}

// The undecided, by why they are, and what to record to decide them. A click shows them.
function WhyUndecided({ ledger, state }: { ledger: JitLedger; state: JitState }) {
  const ways = waysOf(ledger);
  if (!ledger.isJudged || ways.length === 0) return null;
  return (
    <details class="jit-why">
      <summary>Why {formatCount(ledger.jit.ledger.undecided)} are undecided, and what decides them</summary>
      <table>
        <thead><tr><th scope="col" class="num">Number</th><th scope="col" class="num">Cost</th><th scope="col">Why</th><th scope="col">What decides them</th></tr></thead>
        <tbody>
          {ways.map(({ undecided, rows, cost, why, remedy }) => (
            <tr key={undecided}>
              <td class="num"><button type="button" class="jit-link" aria-pressed={state.why === undecided && state.verdicts.has(2)}
                title="Show these" onClick={() => showVerdict(2, undecided)}>{formatCount(rows)}</button></td>
              <td class="num">{formatTime(cost)}</td><td>{why}</td><td>{remedy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface Fact { name: string; value: string; note?: string }

function factsOf({ jit, isJudged }: JitLedger): Fact[] {
  if (!tellsCompilations(jit)) return [{ name: "Compiling cost", value: "not known" }];
  const { ledger } = jit;
  const part = (ns: number) => ledger.compile_ns > 0 && ns > 0 ? formatShare(ns / ledger.compile_ns) : "";
  const facts: Fact[] = [{
    name: "Compiling cost", value: formatTime(ledger.compile_ns),
    note: `in ${plural(jit.compilations.id.length, "compilation")}`,
  }];
  if (isJudged) {
    facts.push(ledger.gain_ns
      ? { name: "Gain", value: describeGain(ledger.gain_ns), note: "of those between tiers that were seen enough" }
      : { name: "Gain", value: "not known", note: "no two tiers were seen enough to tell it of all" });
  }
  facts.push(
    { name: "Made not entrant later", value: formatTime(ledger.not_entrant_ns), note: part(ledger.not_entrant_ns) },
    { name: "OSR", value: formatTime(ledger.loops_ns), note: part(ledger.loops_ns) },
    { name: "Failed", value: formatTime(ledger.failed_ns), note: part(ledger.failed_ns) },
  );
  return facts;
}

// The same as text, for copying.
export function summaryText(ledger: JitLedger): string {
  const { paid_off, did_not, undecided } = ledger.jit.ledger;
  return [
    ...(ledger.isJudged
      ? [`${formatCount(paid_off)} paid off, ${formatCount(did_not)} did not, ${formatCount(undecided)} undecided`] : ["Nothing is judged."]),
    ...waysOf(ledger).map(({ rows, why, remedy }) => `${formatCount(rows)} undecided: ${why}; ${remedy}`),
    ...factsOf(ledger).map(({ name, value, note }) => `${name}: ${value}${note ? ` (${note})` : ""}`),
    ...ledger.jit.lacks.map((lack) => `Not known: ${lack}.`),
  ].join("\n") + "\n";
}
