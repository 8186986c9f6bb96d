import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { formatTime } from "../../model/format";
import { timeTicks } from "../../model/time_axis";
import { binned, type WindowPoint } from "../../model/windows";

const WIDTH = 640, HEIGHT = 130, LEFT = 58, BOTTOM = 20, TOP = 8;
const BINS = 160;

// A value of windows over the run: the median of what begins in each part of it, between the least
// and the largest. The scale is logarithmic: values differ by powers of ten.
export function TimeChart({ title, unit, points, endNs, value, format, svg }: {
  title: string; unit: string; points: readonly WindowPoint[]; endNs: number;
  value: (point: WindowPoint) => number; format: (value: number) => string;
  svg?: RefObject<SVGSVGElement>;
}) {
  const bins = useMemo(() => binned(points, (point) => {
    const v = value(point);
    return v > 0 ? v : NaN;
  }, endNs, BINS), [points, endNs]);
  if (bins.length === 0) return <p class="dim">{title}: not known.</p>;
  let low = Infinity, high = -Infinity;
  for (const bin of bins) { low = Math.min(low, bin.low); high = Math.max(high, bin.high); }
  const from = Math.floor(Math.log10(low)), to = Math.max(from + 1, Math.ceil(Math.log10(high)));
  const x = (ns: number) => LEFT + (WIDTH - LEFT - 8) * ns / endNs;
  const y = (v: number) => TOP + (HEIGHT - TOP - BOTTOM) * (to - Math.log10(v)) / (to - from);
  const decades = Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const every = Math.ceil(decades.length / 5);
  return (
    <figure class="sampling-chart">
      <figcaption>{title} <span class="dim">({unit}; dots: medians, bars: least to largest; {format(low)} to {format(high)})</span></figcaption>
      <svg ref={svg ?? null} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img"
        aria-label={`${title}, ${unit}, over ${formatTime(endNs)}: from ${format(low)} to ${format(high)}.`}>
        <g>
          {decades.map((v, i) => i % every === 0 && (
            <g key={v}>
              <line class="grid" x1={LEFT} x2={WIDTH - 8} y1={y(v)} y2={y(v)} />
              <text x={LEFT - 6} y={y(v) + 4} text-anchor="end">{format(v)}</text>
            </g>
          ))}
          {timeTicks(0, endNs, 6).map(({ ns, label }) => (
            <text key={ns} x={x(ns)} y={HEIGHT - 4} text-anchor="middle">{label}</text>
          ))}
          {bins.map((bin) => {
            const at = x((bin.fromNs + bin.toNs) / 2);
            return (
              <g key={bin.fromNs}>
                <title>{`${formatTime(bin.fromNs)} to ${formatTime(bin.toNs)}: ${bin.windows} windows, median ${format(bin.median)} (${format(bin.low)} to ${format(bin.high)})`}</title>
                <line class="range" x1={at} x2={at} y1={y(bin.low)} y2={y(bin.high)} />
                <circle class="median" cx={at} cy={y(bin.median)} r={2.2} />
              </g>
            );
          })}
        </g>
      </svg>
    </figure>
  );
}
