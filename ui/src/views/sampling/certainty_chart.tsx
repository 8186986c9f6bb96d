import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { formatRelative, type Certainty } from "../../model/certainty";
import { formatCount } from "../../model/format";
import { useWidth } from "../../components/use_size";
import { dotsPath, logScale } from "./scale";

const HEIGHT = 210, LEFT = 56, RIGHT = 12, BOTTOM = 36, TOP = 8;
const LEAST_SHARE = 1e-7;
const MOST_RELATIVE = 100; // What is less sure is known to be there, and no more.

// Of a power of ten: "0.001 %".
function percentLabel(share: number): string {
  return `${Number((100 * share).toPrecision(1)).toFixed(Math.max(0, -Math.round(Math.log10(100 * share))))} %`;
}

// Each edge by its share of all calls and by half the width of its interval, of its calls; both
// logarithmic. All are drawn.
export function CertaintyChart({ sure, svg }: { sure: readonly Certainty[]; svg: RefObject<SVGSVGElement> }) {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box);
  const known = useMemo(() => sure.filter(({ relative }) => relative > 0), [sure]);
  const drawn = useMemo(() => {
    let lowX = Infinity, highX = 0, lowY = Infinity, highY = 0;
    for (const { share, relative } of known) {
      lowX = Math.min(lowX, share); highX = Math.max(highX, share);
      lowY = Math.min(lowY, relative); highY = Math.max(highY, relative);
    }
    const xs = logScale(Math.max(LEAST_SHARE, lowX), Math.max(LEAST_SHARE, highX));
    const ys = logScale(Math.min(MOST_RELATIVE, lowY), Math.min(MOST_RELATIVE, highY));
    const x = (share: number) => LEFT + (width - LEFT - RIGHT) * xs.at(share);
    const y = (relative: number) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ys.at(relative);
    const dots = (inferred: boolean) => dotsPath(known.filter(({ isInferred }) => isInferred === inferred)
      .map(({ share, relative }) => [x(share), y(relative)] as const));
    return { xs, ys, x, y, seen: dots(false), inferred: dots(true) };
  }, [known, width]);
  if (known.length === 0) return <p class="dim">No edge has an interval.</p>;
  const beyond = known.reduce((sum, { share, relative }) =>
    sum + Number(relative > MOST_RELATIVE || share < LEAST_SHARE), 0);
  const { xs, ys, x, y } = drawn;
  return (
    <figure class="sampling-chart" ref={box}>
      <svg ref={svg} width={width} height={HEIGHT} role="img"
        aria-label="Half the width of each edge's 95 % interval against its share of all calls; the table below has the medians.">
        <g>
          {ys.decades.map((v) => (
            <g key={v}>
              <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(v)} y2={y(v)} />
              <text x={LEFT - 6} y={y(v) + 4} text-anchor="end">{formatRelative(v)}</text>
            </g>
          ))}
          {xs.decades.map((v) => (
            <g key={v}>
              <line class="grid" x1={x(v)} x2={x(v)} y1={TOP} y2={HEIGHT - BOTTOM} />
              <text x={x(v)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">{percentLabel(v)}</text>
            </g>
          ))}
          <text x={(LEFT + width) / 2} y={HEIGHT - 4} text-anchor="middle">share of all calls</text>
          <path class="inferred" d={drawn.inferred} />
          <path class="seen" d={drawn.seen} />
        </g>
      </svg>
      <figcaption class="dim">
        ± of each edge's calls, by 95 % intervals. <span class="sampling-seen">●</span> seen by samples;{" "}
        <span class="sampling-inferred">■</span> with inlined calls, inferred.
        {known.length < sure.length && ` ${formatCount(sure.length - known.length)} edges without an interval are not drawn.`}
        {beyond > 0 && ` ${formatCount(beyond)} are off the scale and drawn at its ends.`}
      </figcaption>
    </figure>
  );
}
