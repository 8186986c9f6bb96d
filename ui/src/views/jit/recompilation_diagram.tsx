import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { countOfCalls, formatTime } from "../../model/format";
import { diagramRows, type DiagramRow } from "../../model/jit_diagram";
import type { Estimate } from "../../model/jit_ledger";
import type { Version } from "../../model/jit_versions";
import { describeGain, describeTime, levelClass, levelName, VERDICT_LOOK } from "./jit_text";
import { useWidth } from "../../components/use_size";

const BAR = 14, LINE = 14, BELOW = 15, RIGHT = 58, TOP = 4;
const ONE_LINE = 430; // pixels in which a row's caption fits

// The recompilation diagram (Zimmer and Diehl, Figure 4), as a staircase: a version's bar begins
// where the one before it was replaced, so that the ends of two bars tell what was gained.
export function RecompilationDiagram({ versions, name, caption }: {
  versions: readonly Version[]; name: string; caption: string;
}) {
  const box = useRef<HTMLDivElement>(null), svg = useRef<SVGSVGElement>(null), legend = useRef<HTMLUListElement>(null);
  const width = useWidth(box);
  const hatch = useId();
  const { rows, end } = diagramRows(versions);
  if (end <= 0) return <p class="dim" ref={box}>How long its versions were executed is not known.</p>;
  const lines = width < ONE_LINE ? 2 : 1, rowHeight = lines * LINE + 3 + BAR + BELOW;
  const height = TOP + rowHeight * rows.length;
  const x = (ns: number) => (width - RIGHT) * Math.min(1, ns / end);
  return (
    <figure class="jit-figure">
      <div ref={box}>
        <svg ref={svg} width={width} height={height} role="img" class="jit-drawing"
          aria-label={`Recompilation diagram. ${rows.map(describeRow).join(" ")} The table below has the numbers.`}>
          <defs>
            <pattern id={hatch} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect class="jit-compile-ground" width={5} height={5} /><line class="jit-compile-line" x1={0} x2={0} y1={0} y2={5} />
            </pattern>
          </defs>
          <g>
            {rows.map((row, i) => (
              <Row key={i} row={row} top={TOP + i * rowHeight} lines={lines} x={x} hatch={hatch}
                step={rows[i + 1] && rowHeight} />
            ))}
          </g>
        </svg>
      </div>
      <figcaption>
        <ul class="jit-legend" ref={legend}>
          <li><Key><rect width={12} height={12} style={{ fill: `url(#${hatch})` }} /></Key> compiled</li>
          <li><Key><rect class="jit-code l4" width={12} height={12} /></Key> executed</li>
          <li><Key><rect class="jit-remaining l4" x={1} y={1} width={10} height={10} /></Key> what later calls would have taken in it</li>
          <li>├┤ 95 % interval</li>
          <li>▲ paid off, ▼ did not, ? undecided: what was gained</li>
        </ul>
        <ExportMenu name={`recompilation-${name}`} svg={() => svg.current ?? undefined}
          words={() => ({ caption: `${caption}: what its versions cost and gained`, legend: itemsOf(legend.current) })} />
      </figcaption>
    </figure>
  );
}

function Key({ children }: { children: ComponentChildren }) {
  return <svg class="jit-swatch" width={12} height={12} aria-hidden="true">{children}</svg>;
}

function describeRow({ version, compileNs }: DiagramRow): string {
  return `${levelName(version.level)}: ` + [
    version.compilation >= 0 && `compiled ${formatTime(compileNs)}`,
    `executed ${version.executed ? describeTime(version.executed) : "not known"}`,
    version.remaining && `later calls ${version.isLaterKnown ? "" : "at least "}${describeTime(version.remaining)} in it`,
  ].filter(Boolean).join(", ") + ".";
}

function Row({ row, top, lines, x, hatch, step }: {
  row: DiagramRow; top: number; lines: number; x: (ns: number) => number; hatch: string; step: number | undefined;
}) {
  const { version, beginNs, compileNs, executedNs, remainingNs } = row;
  const bar = top + lines * LINE + 3, middle = bar + BAR / 2;
  const compiled = beginNs + compileNs, executed = compiled + executedNs, end = executed + remainingNs;
  const kind = levelClass(version.level);
  const reach = Math.max(x(end), x(executed + (version.remaining?.high ?? 0)), x(compiled + (version.executed?.high ?? 0)));
  const gain = version.made?.gain;
  const caption = [
    levelName(version.level),
    version.calls !== null ? countOfCalls(version.calls) : "calls not known",
    version.perCall && `${formatTime(version.perCall.value)} each`,
  ].filter(Boolean).join(" · ");
  const gained = gain && `${VERDICT_LOOK[version.made!.verdict].symbol} ${describeGain(gain)}`;
  return (
    <g>
      <text class="jit-caption" x={0} y={top + 11}>{caption}{gained && lines === 1 && ` · ${gained}`}</text>
      {gained && lines === 2 && <text class="jit-caption" x={0} y={top + 11 + LINE}>{gained}</text>}
      <rect x={x(beginNs)} y={bar} width={compileNs > 0 ? Math.max(2, x(compiled) - x(beginNs)) : 0} height={BAR} style={{ fill: `url(#${hatch})` }}>
        <title>compiled {formatTime(compileNs)}</title>
      </rect>
      {version.executed && (
        <rect class={`jit-code ${kind}`} x={x(compiled)} y={bar} width={Math.max(1, x(executed) - x(compiled))} height={BAR}>
          <title>executed {describeTime(version.executed)}</title>
        </rect>
      )}
      {version.remaining && (
        <rect class={`jit-remaining ${kind}`} x={x(executed)} y={bar + 0.5} width={Math.max(1, x(end) - x(executed))} height={BAR - 1}>
          <title>later calls in this version: {version.isLaterKnown ? "" : "at least "}{describeTime(version.remaining)}</title>
        </rect>
      )}
      {version.executed && <Whisker x={x} from={compiled} estimate={version.executed} middle={middle - 3} />}
      {version.remaining && <Whisker x={x} from={executed} estimate={version.remaining} middle={middle + 3} />}
      <text class="jit-tick" x={reach + 5} y={middle + 4}>{version.isLaterKnown ? "" : "≥ "}{formatTime(end)}</text>
      {step !== undefined && version.remaining && (
        <path class="jit-step" d={`M${x(executed)} ${bar + BAR}V${bar + BAR + step}`} />
      )}
    </g>
  );
}

function Whisker({ x, from, estimate, middle }: {
  x: (ns: number) => number; from: number; estimate: Estimate; middle: number;
}) {
  const left = x(from + estimate.low), right = x(from + estimate.high);
  if (right - left < 2) return null;
  return <path class="jit-whisker" d={`M${left} ${middle - 3}v6M${left} ${middle}H${right}M${right} ${middle - 3}v6`} />;
}
