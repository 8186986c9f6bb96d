import { useId, useRef } from "preact/hooks";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { formatTime, plural } from "../../model/format";
import type { JitLedger } from "../../model/jit_ledger";
import { eventSpan, type Version } from "../../model/jit_versions";
import { timeTicks, type TimeSpan } from "../../model/time_axis";
import { useParam } from "../../state/url_state";
import { levelClass, levelName, tierName } from "./jit_text";
import { Swatch } from "./warm_up_chart";
import { useWidth } from "../../components/use_size";

const LEFT = 92, RIGHT = 10, LANE = 19, BAR = 12, MAX_COMPILATIONS = 14;

// Which version was current when, when its compilations waited and ran, and where code was left
// because what the compiler had assumed did not hold.
export function MethodTimeline({ ledger, jitMethod, versions, deopts, name, caption }: {
  ledger: JitLedger; jitMethod: number; versions: readonly Version[]; deopts: readonly number[]; name: string;
  caption: string;
}) {
  const box = useRef<HTMLDivElement>(null), svg = useRef<SVGSVGElement>(null), legend = useRef<HTMLUListElement>(null);
  const width = useWidth(box), clip = useId();
  const [zoom, setZoom] = useParam("jspan", "run");
  const isNear = zoom === "events";
  const { compilations: c, deoptimizations: d, end_ns } = ledger.jit;
  const all = [...ledger.compilationsOf(jitMethod)].sort((a, b) => c.end_ns[a]! - c.end_ns[b]!);
  const shown = all.slice(0, MAX_COMPILATIONS);
  const [from, to]: TimeSpan = isNear ? eventSpan(ledger, jitMethod) : [0, end_ns];
  const x = (ns: number) => LEFT + (width - LEFT - RIGHT) * ((ns - from) / Math.max(1, to - from));
  const lanes = 1 + shown.length + (deopts.length > 0 ? 1 : 0);
  const height = lanes * LANE + 18;
  const inWords = [
    ...versions.map((version) => `${levelName(version.level)} until ${formatTime(version.endNs)}`),
    plural(all.length, "compilation"), plural(deopts.length, "deoptimization"),
  ].join(", ");
  const text = (lane: number) => lane * LANE + 13;
  return (
    <figure class="jit-figure">
      <figcaption>
        <span class="jit-group" role="group" aria-label="Time shown">
          <button type="button" aria-pressed={!isNear} onClick={() => setZoom("run")}>Whole run</button>
          <button type="button" aria-pressed={isNear} onClick={() => setZoom("events")}>Compilations</button>
        </span>
        <ExportMenu name={`timeline-${name}`} svg={() => svg.current ?? undefined}
          words={() => ({ caption: `${caption}: when it was compiled`, legend: itemsOf(legend.current) })} />
      </figcaption>
      <div ref={box}>
        <svg ref={svg} width={width} height={height} class="jit-drawing" role="img"
          aria-label={`Timeline: ${inWords}. The tables below have the moments.`}>
          <clipPath id={clip}><rect x={LEFT} y={0} width={width - LEFT - RIGHT} height={height} /></clipPath>
          <g>
            {timeTicks(from, to, Math.max(2, (width - LEFT) / 90)).map(({ ns, label }) => (
              <g key={ns}>
                <line class="jit-grid" x1={x(ns)} x2={x(ns)} y1={0} y2={height - 16} />
                <text class="jit-tick" x={x(ns)} y={height - 4} text-anchor={x(ns) > width - 30 ? "end" : "middle"}>{label}</text>
              </g>
            ))}
            <text class="jit-caption" x={0} y={text(0)}>Current</text>
            <g clip-path={`url(#${clip})`}>
              {versions.map((version, i) => <Life key={i} version={version} x={x} from={from} to={to} />)}
            </g>
            {shown.map((compilation, i) => {
              const lane = i + 1, y = lane * LANE + 3;
              const start = Math.max(0, c.start_ns[compilation]!), end = c.end_ns[compilation]!;
              const queued = c.queued_ns[compilation]!, isOsr = c.osr[compilation] === 1, level = c.level[compilation]!;
              const title = compilationTitle(ledger, compilation);
              return (
                <g key={compilation}>
                  <text class="jit-caption" x={0} y={text(lane)}>{isOsr ? "OSR " : ""}{tierName(level)} #{c.id[compilation]}<title>{title}</title></text>
                  <g clip-path={`url(#${clip})`}>
                    {queued >= 0 && <path class="jit-queued" d={`M${x(queued)} ${y + 2}v8M${x(queued)} ${y + 6}H${x(start)}`} />}
                    <rect class={`jit-code ${levelClass(level)}${isOsr ? " osr" : ""}`} x={x(start)} y={y} height={BAR} rx={1}
                      width={Math.max(3, x(end) - x(start))}><title>{title}</title></rect>
                    {c.succeeded[compilation] === 0 && <text class="jit-mark" x={x(end) + 5} y={y + 10}>✗</text>}
                  </g>
                </g>
              );
            })}
            {deopts.length > 0 && <text class="jit-caption" x={0} y={text(lanes - 1)}>Deopt.</text>}
            <g clip-path={`url(#${clip})`}>
              {deopts.map((i) => (
                <text key={i} class="jit-mark" x={x(d.time_ns[i]!)} y={text(lanes - 1)} text-anchor="middle">✕
                  <title>{`${formatTime(d.time_ns[i]!)}: ${ledger.string(d.reason[i]!)}, ${ledger.string(d.action[i]!)}`}</title>
                </text>
              ))}
            </g>
          </g>
        </svg>
      </div>
      {all.length > shown.length && <p class="dim">{all.length - shown.length} more compilations are in the table only.</p>}
      <ul class="jit-legend jit-key" ref={legend}>
        <li><Swatch kind="l0" /> interpreted</li><li><Swatch kind="l1" /> C1</li><li><Swatch kind="l4" /> C2</li>
        <li>├─ waited</li><li>✗ failed</li><li>✕ deoptimized</li>
      </ul>
    </figure>
  );
}

function Life({ version, x, from, to }: { version: Version; x: (ns: number) => number; from: number; to: number }) {
  const left = x(Math.max(from, version.beginNs)), right = x(Math.min(to, version.endNs));
  if (right <= left) return null;
  const name = levelName(version.level);
  return (
    <g>
      <rect class={`jit-code ${levelClass(version.level)}`} x={left} y={2} width={Math.max(1, right - left - 1)} height={15} rx={2}>
        <title>{`${name}: ${formatTime(version.beginNs)} to ${formatTime(version.endNs)}`}</title>
      </rect>
      {right - left > name.length * 7 + 8
        ? <text class={`jit-on ${levelClass(version.level)}`} x={left + 5} y={13}>{name}</text>
        : right - left > 12 && <text class={`jit-on ${levelClass(version.level)}`} x={left + 3} y={13}>{version.level === 4 ? "C2" : version.level === 0 ? "i" : version.level}</text>}
    </g>
  );
}

export function atBytecode(bci: number): string { return bci < 0 ? "" : ` at bytecode ${bci}`; }

export function compilationTitle(ledger: JitLedger, compilation: number): string {
  const { compilations: c } = ledger.jit;
  const queued = c.queued_ns[compilation]!, start = c.start_ns[compilation]!, end = c.end_ns[compilation]!;
  return [
    `#${c.id[compilation]}, ${levelName(c.level[compilation]!)}${c.osr[compilation] ? `, OSR${atBytecode(c.osr_bci[compilation]!)}` : ""}`,
    queued >= 0 && start >= 0 && `waited ${formatTime(start - queued)}`,
    start >= 0 ? `began at ${formatTime(start)}, took ${formatTime(end - start)}, ${formatTime(c.compile_ns[compilation]!)} of CPU time` : "there when the recording began",
    c.succeeded[compilation] === 0 && `failed: ${ledger.string(c.failure[compilation]!) || "no reason told"}`,
  ].filter(Boolean).join("; ");
}
