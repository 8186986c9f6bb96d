import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { formatCount, formatTime } from "../../model/format";
import { timeTicks } from "../../model/time_axis";
import { binned, type WindowPoint } from "../../model/windows";
import { useWidth } from "../../components/use_size";
import { FactTable } from "./fact_table";
import { logScale } from "./scale";

const HEIGHT = 140, LEFT = 56, RIGHT = 12, BOTTOM = 20, TOP = 8;
const BIN_PX = 4;
const ROWS = 12; // of the table

// A value of windows over the run: the median of what begins in each part of it, between the least
// and the largest. The scale is logarithmic: values differ by powers of ten.
export function TimeChart({ title, unit, points, endNs, value, format, svg }: {
  title: string; unit: string; points: readonly WindowPoint[]; endNs: number;
  value: (point: WindowPoint) => number; format: (value: number) => string;
  svg?: RefObject<SVGSVGElement>;
}) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const inside = width - LEFT - RIGHT;
  const parts = (count: number) => binned(points, (point) => {
    const v = value(point);
    return v > 0 ? v : NaN;
  }, endNs, count);
  const bins = useMemo(() => parts(Math.max(1, Math.floor(inside / BIN_PX))), [points, endNs, inside]);
  const rows = useMemo(() => parts(ROWS), [points, endNs]);
  if (bins.length === 0) return <div ref={box}><p class="dim">{title}: not known.</p></div>;
  let low = Infinity, high = -Infinity;
  for (const bin of bins) { low = Math.min(low, bin.low); high = Math.max(high, bin.high); }
  const scale = logScale(low, high);
  const x = (ns: number) => LEFT + inside * Math.min(1, ns / endNs);
  const y = (v: number) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * scale.at(v);
  return (
    <div ref={box}>
      <figure class="sampling-chart">
        <figcaption>{title} <span class="dim">{unit}; dots: medians, bars: from the least to the largest</span></figcaption>
        <svg ref={svg ?? null} width={width} height={HEIGHT} role="img"
          aria-label={`${title}, ${unit}, over ${formatTime(endNs)}: from ${format(low)} to ${format(high)}. The table below has the same.`}>
          <g>
            {scale.decades.map((v) => (
              <g key={v}>
                <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(v)} y2={y(v)} />
                <text x={LEFT - 6} y={y(v) + 4} text-anchor="end">{format(v)}</text>
              </g>
            ))}
            {timeTicks(0, endNs, Math.max(2, Math.floor(inside / 90))).map(({ ns, label }) => (
              <text key={ns} x={x(ns)} y={HEIGHT - 4} text-anchor={x(ns) > width - 30 ? "end" : "middle"}>{label}</text>
            ))}
            {bins.map((bin) => {
              const at = x((bin.fromNs + bin.toNs) / 2);
              return (
                <g key={bin.fromNs}>
                  <title>{`${formatTime(bin.fromNs)} to ${formatTime(bin.toNs)}, ${formatCount(bin.windows)} windows: median ${format(bin.median)} (${format(bin.low)} to ${format(bin.high)})`}</title>
                  <line class="range" x1={at} x2={at} y1={y(bin.low)} y2={y(bin.high)} />
                  <circle class="median" cx={at} cy={y(bin.median)} r={2.2} />
                </g>
              );
            })}
          </g>
        </svg>
        <details>
          <summary>As a table</summary>
          <FactTable label={`${title} over time`} columns={[{ title: "from" }, { title: "windows", numeric: true },
            { title: "least", numeric: true }, { title: "median", numeric: true }, { title: "largest", numeric: true }]}
            rows={rows.map((row) => [formatTime(row.fromNs), formatCount(row.windows), format(row.low),
              format(row.median), format(row.high)])} />
        </details>
      </figure>
    </div>
  );
}
