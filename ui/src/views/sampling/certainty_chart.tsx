import { formatCount, formatShare } from "../../model/format";
import type { Certainty } from "../../model/trust";

const WIDTH = 640, HEIGHT = 180, LEFT = 58, BOTTOM = 34, TOP = 8;
const MOST = 1500;

// Each edge by its share of all calls and by the half width of its interval, of its calls; both
// logarithmic. Of very many edges the hottest are drawn.
export function CertaintyChart({ sure }: { sure: readonly Certainty[] }) {
  const shown = sure.filter(({ relative }) => relative > 0).slice(0, MOST);
  if (shown.length === 0) return <p class="dim">No edge has an interval.</p>;
  const least = Math.max(1e-8, shown[shown.length - 1]!.share);
  const fromX = Math.floor(Math.log10(least)), toX = 0;
  const fromY = -3, toY = 1;
  const clamp = (v: number, low: number, high: number) => Math.max(low, Math.min(high, v));
  const x = (share: number) => LEFT + (WIDTH - LEFT - 8) * (clamp(Math.log10(share), fromX, toX) - fromX) / Math.max(1, toX - fromX);
  const y = (relative: number) => TOP + (HEIGHT - TOP - BOTTOM) * (toY - clamp(Math.log10(relative), fromY, toY)) / (toY - fromY);
  const decades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  return (
    <figure class="sampling-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img"
        aria-label="Half the width of each edge's 95 % interval against its share of all calls; the table below has the medians.">
        <g>
          {decades(fromY, toY).map((v) => (
            <g key={v}>
              <line class="grid" x1={LEFT} x2={WIDTH - 8} y1={y(v)} y2={y(v)} />
              <text x={LEFT - 6} y={y(v) + 4} text-anchor="end">{v < 0.01 ? "0.1 %" : formatShare(v).replace(".0", "")}</text>
            </g>
          ))}
          {decades(fromX, toX).map((v) => (
            <text key={v} x={x(v)} y={HEIGHT - BOTTOM + 14} text-anchor={v === 1 ? "end" : "middle"}>{`${Number((100 * v).toPrecision(1))} %`}</text>
          ))}
          <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 4} text-anchor="middle">share of all calls</text>
          {shown.map(({ edge, share, relative, isInferred }) => isInferred
            ? <rect key={edge} class="inferred" x={x(share) - 2} y={y(relative) - 2} width={4} height={4} />
            : <circle key={edge} class="median" cx={x(share)} cy={y(relative)} r={2} />)}
        </g>
      </svg>
      <figcaption class="dim">± of each edge's calls (95 %); squares: with inlined, inferred calls.
        {sure.length > shown.length && ` The ${formatCount(shown.length)} hottest of ${formatCount(sure.length)} edges.`}</figcaption>
    </figure>
  );
}
