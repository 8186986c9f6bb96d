import { useMemo, useRef, useState } from "preact/hooks";
import { useWidth } from "../components/use_size";
import type { ProfileData } from "../data/page_data";
import { formatAbout, formatCount, formatTime } from "../model/format";
import { methodOverTime, observedParts, spread } from "../model/over_time";
import { timeTicks } from "../model/time_axis";
import { tracksOf } from "../model/tracks";
import type { Selection } from "../model/selection";

const CALLS_PX = 26, STRIP_PX = 8, GAP_PX = 2, TICKS_PX = 13;

type Range = Pick<Selection, "fromNs" | "toNs" | "groups">;

interface Strip { kind: string; label: string; title: string; values: Float64Array; words: (value: number) => string }

// Calls over the run, below them those of a method, samples of stacks and compilations; a part is
// brushed with the pointer, or by arrow keys at its ends. A click shows all.
export function BrushChart({ profile, range, method, onRange }: {
  profile: ProfileData; range: Range; method: { id: number; name: string; title: string } | undefined; onRange: (fromNs: number, toNs: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null), width = useWidth(box);
  const { duration_ns: durationNs } = profile;
  const hasGroup = (group: number) => !range.groups || range.groups.has(group);
  const tracks = useMemo(() => tracksOf(profile, hasGroup)!, [profile, range.groups]);
  const { partNs } = tracks;
  const ofMethod = useMemo(() => {
    const calls = method && methodOverTime(profile, method.id, hasGroup);
    return calls && spread(calls, observedParts(profile));
  }, [profile, range.groups, method?.id]);
  const parts = Math.max(1, Math.min(tracks.parts, Math.ceil(durationNs / partNs)));
  const [dragged, setDragged] = useState<{ from: number; to: number }>(); // parts
  const begun = useRef<{ part: number; x: number }>();
  const px = (part: number) => width * Math.min(1, part * partNs / durationNs);
  const partAt = (clientX: number) => {
    const { left } = box.current!.getBoundingClientRect();
    return Math.max(0, Math.min(parts - 1, Math.floor((clientX - left) / width * durationNs / partNs)));
  };
  const from = dragged?.from ?? Math.round(range.fromNs / partNs);
  const to = dragged?.to ?? (range.toNs === Infinity ? parts : Math.min(parts, Math.round(range.toNs / partNs)));
  const set = (a: number, b: number) => onRange(a * partNs, b >= parts ? Infinity : b * partNs);
  const shown = tracks.calls ?? tracks.stacks;
  const most = shown ? Math.max(1, ...shown) : 1;
  const strips: Strip[] = [
    ...method && ofMethod ? [{ kind: "method", label: method.name, title: `calls of ${method.title}`, values: ofMethod, words: (value: number) => `${formatAbout(value)} of ${method.name}` }] : [],
    ...tracks.calls && tracks.stacks ? [{ kind: "stacks", label: "stacks", title: "stack samples", values: tracks.stacks, words: (value: number) => `${formatCount(value)} stacks` }] : [],
    ...tracks.compilations ? [{ kind: "compilations", label: "compilations", title: "compilations that began", values: tracks.compilations, words: (value: number) => `${formatCount(value)} compilations` }] : [],
  ];
  const stripY = (index: number) => CALLS_PX + GAP_PX + index * (STRIP_PX + GAP_PX);
  const height = stripY(strips.length) - GAP_PX;
  const words = Array.from({ length: parts }, (_, part) => [
    `${formatTime(part * partNs)} to ${formatTime(Math.min(durationNs, (part + 1) * partNs))}`,
    tracks.calls && `${formatAbout(tracks.calls[part]!)} calls by samples`,
    !tracks.calls && tracks.stacks && `${formatCount(tracks.stacks[part]!)} stacks`,
    ...strips.map((strip) => strip.words(strip.values[part]!)),
  ].filter(Boolean).join(", "));
  const key = (end: "from" | "to") => (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (end === "from") set(Math.max(0, Math.min(to - 1, from + step)), to);
    else set(from, Math.max(from + 1, Math.min(parts, to + step)));
  };
  const handle = (end: "from" | "to", at: number) => (
    <div class="time-handle" style={{ left: `${px(at)}px` }} role="slider" tabIndex={0} aria-label={end === "from" ? "Begin of the selection" : "End of the selection"}
      aria-valuemin={0} aria-valuemax={parts} aria-valuenow={at} aria-valuetext={formatTime(Math.min(durationNs, at * partNs))} onKeyDown={key(end)}
      onPointerDown={(event) => event.stopPropagation()}
      onPointerMove={(event) => {
        if (event.buttons !== 1) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const part = partAt(event.clientX);
        setDragged(end === "from" ? { from: Math.min(part, to - 1), to } : { from, to: Math.max(part + 1, from + 1) });
      }}
      onPointerUp={() => { if (dragged) { set(dragged.from, dragged.to); setDragged(undefined); } }} />
  );
  return (
    <>
    <div class="time-labels" aria-hidden="true" style={{ height: `${height + TICKS_PX}px` }}>
      <span style={{ top: `${CALLS_PX / 2}px` }}>{tracks.calls ? "calls" : "stacks"}</span>
      {strips.map(({ kind, label, title }, i) => <span key={kind} class={kind} title={title} style={{ top: `${stripY(i) + STRIP_PX / 2}px` }}>{label}</span>)}
    </div>
    <div class="time-chart" ref={box} title="Drag to select a part of the run; a click shows all"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { part: partAt(event.clientX), x: event.clientX };
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (!begun.current || Math.abs(event.clientX - begun.current.x) < 3) return;
        const part = partAt(event.clientX), { part: first } = begun.current;
        setDragged({ from: Math.min(first, part), to: Math.max(first, part) + 1 });
      }}
      onPointerUp={() => {
        if (dragged) set(dragged.from, dragged.to);
        else if (begun.current) set(0, parts);
        begun.current = undefined;
        setDragged(undefined);
      }}>
      <svg width={width} height={height + TICKS_PX} role="img" aria-label={`${tracks.calls ? "Calls" : "Stacks"} over the run of ${formatTime(durationNs)}`}>
        {shown && [...shown].slice(0, parts).map((value, part) => (
          <rect key={part} class="calls" x={px(part)} y={CALLS_PX * (1 - value / most)} width={Math.max(1, px(part + 1) - px(part) - 0.5)} height={CALLS_PX * value / most}>
            <title>{words[part]}</title>
          </rect>
        ))}
        {strips.map(({ kind, values }, i) => {
          const peak = Math.max(...values);
          return [...values].slice(0, parts).map((value, part) => value > 0 && (
            <rect key={`${kind} ${part}`} class={kind} x={px(part)} y={stripY(i)} width={Math.max(1, px(part + 1) - px(part) - 0.5)} height={STRIP_PX} opacity={0.15 + 0.85 * Math.sqrt(value / peak)}>
              <title>{words[part]}</title>
            </rect>
          ));
        })}
        {timeTicks(0, durationNs, Math.max(2, Math.floor(width / 110))).map(({ ns, label }) => ns > 0 && (
          <text key={ns} x={width * ns / durationNs} y={height + TICKS_PX - 3} text-anchor={ns > 0.95 * durationNs ? "end" : "middle"}>{label}</text>
        ))}
        {from > 0 && <rect class="outside" x={0} y={0} width={px(from)} height={height} />}
        {to < parts && <rect class="outside" x={px(to)} y={0} width={Math.max(0, width - px(to))} height={height} />}
      </svg>
      {handle("from", from)}
      {handle("to", to)}
    </div>
    </>
  );
}
