import type { ShareChange } from "../../model/compare";
import { SignedScale } from "../../model/signed_scale";

// All intervals share a scale, logarithmic but for its middle: changes differ by powers of ten.
const LINEAR_PART = 1 / 300;

export function scaleOf(changes: readonly ShareChange[]): SignedScale {
  let most = 1e-12;
  for (const { low, high } of changes) most = Math.max(most, Math.abs(low), Math.abs(high));
  return new SignedScale(most, most * LINEAR_PART);
}

const HALF = 50, MARGIN = 2;

// A change with its 95 % interval, around zero.
export function IntervalBar({ change: { low, high, change, isSignificant }, scale }: { change: ShareChange; scale: SignedScale }) {
  const at = (value: number) => HALF + (HALF - MARGIN) * scale.at(value);
  const tone = !isSignificant ? "chance" : change > 0 ? "more" : "less";
  return (
    <svg class={`compare-interval ${tone}`} viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <line x1={HALF} x2={HALF} y1="0" y2="14" class="zero" />
      <line x1={at(low)} x2={at(high)} y1="7" y2="7" />
      <line x1={at(low)} x2={at(low)} y1="4" y2="10" />
      <line x1={at(high)} x2={at(high)} y1="4" y2="10" />
      <rect x={at(change) - 1} y="3" width="2" height="8" />
    </svg>
  );
}
