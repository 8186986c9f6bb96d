import { useId, useMemo, useRef, useState } from "preact/hooks";
import type { JitData } from "../../data/page_data";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { formatShare, formatTime } from "../../model/format";
import { timeTicks } from "../../model/time_axis";
import { KINDS, threadTicks, warmUpParts, warmUpShares, type WarmUpPart } from "../../model/warm_up";
import { useWidth } from "../../components/use_size";

const HEIGHT = 118, LEFT = 26, RIGHT = 8, TOP = 6, BOTTOM = 18;
const CLASSES = ["l0", "l1", "l4", "lx"] as const;
const TABLE_ROWS = 12;

// Busy threads over time, by the kind of code that they executed, and busy compiler threads.
export function WarmUpChart({ jit, profile }: { jit: JitData; profile: string }) {
  const box = useRef<HTMLDivElement>(null), svg = useRef<SVGSVGElement>(null), legend = useRef<HTMLUListElement>(null);
  const width = useWidth(box);
  const [asTable, setAsTable] = useState(false);
  const shares = useMemo(() => warmUpShares(jit), [jit]);
  const parts = useMemo(() => warmUpParts(jit, Math.floor((width - LEFT - RIGHT) / 3)), [jit, width]);
  if (!shares || parts.length === 0) {
    return <p class="dim jit-warm-up">What was executed when is not known: no stacks were sampled.</p>;
  }
  return (
    <figure class="jit-warm-up">
      <figcaption>
        <h2>Warm-up <span class="dim">busy threads</span></h2>
        <span class="jit-actions">
          <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>Table</button>
          {!asTable && <ExportMenu name="warm-up" svg={() => svg.current ?? undefined}
            words={() => ({ caption: `${profile}: busy threads by the kind of code`, legend: itemsOf(legend.current) })} />}
        </span>
        <ul class="jit-legend" ref={legend}>
          {KINDS.map((kind, i) => shares[i]! > 0 && (
            <li key={kind}><Swatch kind={CLASSES[i]!} /> {kind} {formatShare(shares[i]!)}</li>
          ))}
          <li><svg width={16} height={10} aria-hidden="true"><line class="jit-compilers" x1={0} x2={16} y1={5} y2={5} /></svg> compiling</li>
        </ul>
      </figcaption>
      <div ref={box}>{asTable
        ? <WarmUpTable parts={warmUpParts(jit, TABLE_ROWS)} />
        : <Drawing parts={parts} width={width} svg={svg} label={describe(warmUpParts(jit, 4))} />}</div>
    </figure>
  );
}

export function Swatch({ kind }: { kind: string }) {
  return <svg class="jit-swatch" width={12} height={12} aria-hidden="true"><rect class={`jit-code ${kind}`} width={12} height={12} rx={2} /></svg>;
}

function total(part: WarmUpPart): number { return part.busy.reduce((sum, threads) => sum + threads, 0); }

function describe(quarters: readonly WarmUpPart[]): string {
  return "Busy threads by the kind of code. " + quarters.map((part) =>
    `Until ${formatTime(part.endNs)}: ${KINDS.map((kind, i) =>
      `${kind} ${formatShare(total(part) > 0 ? part.busy[i]! / total(part) : 0)}`).join(", ")}.`).join(" ");
}

function Drawing({ parts, width, svg, label }: {
  parts: readonly WarmUpPart[]; width: number; svg: { current: SVGSVGElement | null }; label: string;
}) {
  const pattern = useId();
  const end = parts[parts.length - 1]!.endNs;
  const most = Math.max(0.1, ...parts.map((part) => Math.max(total(part), part.compilers)));
  const x = (ns: number) => LEFT + (width - LEFT - RIGHT) * (ns / end);
  const y = (threads: number) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (threads / most);
  // Steps: the outline of what lies below kind + 1.
  const area = (kind: number) => {
    const sum = (part: WarmUpPart, kinds: number) => part.busy.slice(0, kinds).reduce((all, one) => all + one, 0);
    const above = parts.map((part) => `L${x(part.beginNs).toFixed(1)} ${y(sum(part, kind + 1)).toFixed(1)}H${x(part.endNs).toFixed(1)}`);
    const below = [...parts].reverse().map((part) => `L${x(part.endNs).toFixed(1)} ${y(sum(part, kind)).toFixed(1)}H${x(part.beginNs).toFixed(1)}`);
    return `M${above.join("").slice(1)}${below.join("")}Z`;
  };
  const compilers = `M${parts.map((part) => `${x(part.beginNs).toFixed(1)} ${y(part.compilers).toFixed(1)}H${x(part.endNs).toFixed(1)}`).join("L")}`;
  return (
    <svg ref={svg} width={width} height={HEIGHT} role="img" aria-label={label} class="jit-drawing">
      <defs>
        <pattern id={pattern} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="jit-code lx" width={5} height={5} /><line class="jit-hatch" x1={0} x2={0} y1={0} y2={5} />
        </pattern>
      </defs>
      <g>
        {threadTicks(most).map((threads) => (
          <g key={threads}>
            <line class="jit-grid" x1={LEFT} x2={width - RIGHT} y1={y(threads)} y2={y(threads)} />
            <text class="jit-tick" x={LEFT - 4} y={y(threads) + 4} text-anchor="end">{threads}</text>
          </g>
        ))}
        {CLASSES.map((kind, i) => (
          <path key={kind} class={`jit-code ${kind}`} d={area(i)} {...(kind === "lx" && { style: { fill: `url(#${pattern})` } })} />
        ))}
        <path class="jit-compilers" d={compilers} fill="none" />
        <line class="jit-axis" x1={LEFT} x2={width - RIGHT} y1={y(0)} y2={y(0)} />
        {timeTicks(0, end, Math.max(2, width / 110)).map(({ ns, label: text }) => (
          <text key={ns} class="jit-tick" x={x(ns)} y={HEIGHT - 4} text-anchor={x(ns) > width - 30 ? "end" : ns === 0 ? "start" : "middle"}>{text}</text>
        ))}
        {parts.map((part) => (
          <rect key={part.beginNs} class="jit-hit" x={x(part.beginNs)} y={TOP} height={HEIGHT - TOP - BOTTOM}
            width={Math.max(0.5, x(part.endNs) - x(part.beginNs))}>
            <title>{titleOf(part)}</title>
          </rect>
        ))}
      </g>
    </svg>
  );
}

function threads(value: number): string { return value === 0 ? "0" : value.toFixed(2); }

function titleOf(part: WarmUpPart): string {
  return [`${formatTime(part.beginNs)} to ${formatTime(part.endNs)}, busy threads`,
    ...KINDS.map((kind, i) => `${kind}: ${threads(part.busy[i]!)}`).reverse(), `compiling: ${threads(part.compilers)}`].join("\n");
}

function WarmUpTable({ parts }: { parts: readonly WarmUpPart[] }) {
  return (
    <div class="jit-scroll" tabIndex={0} role="region" aria-label="Busy threads over time">
      <table class="jit-table">
        <thead><tr>
          <th scope="col">Until</th>
          {[...KINDS, "compiling"].map((kind) => <th key={kind} scope="col" class="num">{kind}</th>)}
        </tr></thead>
        <tbody>{parts.map((part) => (
          <tr key={part.endNs}>
            <th scope="row">{formatTime(part.endNs)}</th>
            {part.busy.map((value, i) => <td key={i} class="num">{threads(value)}</td>)}
            <td class="num">{threads(part.compilers)}</td>
          </tr>
        ))}</tbody>
      </table>
      <p class="dim">Busy threads on average, by samples.</p>
    </div>
  );
}
