import type { Verdict } from "../../data/page_data";
import type { Estimate } from "../../model/jit_ledger";
import type { SignedScale } from "../../model/signed_scale";
import { VERDICT_LOOK } from "./jit_text";

// `why`: instead of the word, what it follows from where the interval alone would say otherwise.
export function VerdictMark({ verdict, why }: { verdict: Verdict; why?: string | undefined }) {
  const { symbol, word, tone } = VERDICT_LOOK[verdict];
  return (
    <span class={`jit-verdict tone-${tone}`}>
      <span aria-hidden="true">{symbol}</span> {why ? <><span class="sr">{word}: </span>{why}</> : word}
    </span>
  );
}

const WIDTH = 116, HEIGHT = 16, MIDDLE = WIDTH / 2, HALF = MIDDLE - 5;

// An interval around zero. The numbers stand beside it.
export function GainBar({ gain, scale, verdict }: { gain: Estimate; scale: SignedScale; verdict: Verdict }) {
  const x = (value: number) => MIDDLE + HALF * scale.at(value);
  const left = x(gain.low), right = x(gain.high);
  return (
    <svg class={`jit-gain tone-${VERDICT_LOOK[verdict].tone}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <line class="zero" x1={MIDDLE} x2={MIDDLE} y1={0} y2={HEIGHT} />
      <rect class="range" x={left} y={5} width={Math.max(1, right - left)} height={6} rx={2} />
      <path class="ends" d={`M${left} 3v10M${right} 3v10`} />
      <circle cx={x(gain.value)} cy={HEIGHT / 2} r={3} />
    </svg>
  );
}
