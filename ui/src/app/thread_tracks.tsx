import { useEffect, useMemo, useState } from "preact/hooks";
import { countOfCalls, formatCount, formatShare, formatTime, plural } from "../model/format";
import type { PageModel } from "../model/page_model";
import { callsOfGroup, type Selection } from "../model/selection";
import { timeTicks } from "../model/time_axis";
import { compilerTracks, groupTracks } from "../model/tracks";
import { pattern } from "../model/thread_names";

type Range = Pick<Selection, "fromNs" | "toNs" | "groups">;

// Of each group's calls, worked out one group after the other, while the page can be used.
function useCallsOfGroups(whole: PageModel, groups: readonly number[]): ReadonlyMap<number, number> {
  const [known, setKnown] = useState<{ of: PageModel; calls: ReadonlyMap<number, number> }>({ of: whole, calls: new Map() });
  const calls = known.of === whole ? known.calls : new Map<number, number>();
  const next = groups.find((group) => !calls.has(group));
  useEffect(() => {
    if (next === undefined) return;
    const later = setTimeout(() => setKnown({ of: whole, calls: new Map([...calls, [next, callsOfGroup(whole, next)]]) }));
    return () => clearTimeout(later);
  }, [whole, next]);
  return calls;
}

// A row for each thread, or group of threads: how many calls it made, and when. Threads whose names
// differ in numbers only can be chosen together.
export function ThreadTracks({ whole, range, onGroups }: {
  whole: PageModel; range: Range; onGroups: (groups: ReadonlySet<number> | undefined) => void;
}) {
  const { profile } = whole;
  const rows = useMemo(() => groupTracks(profile), [profile]);
  const compilers = useMemo(() => compilerTracks(profile, whole.data.strings), [whole]);
  const callsOf = useCallsOfGroups(whole, useMemo(() => rows.filter(({ sampledCalls }) => sampledCalls > 0).map(({ group }) => group), [rows]));
  const all = profile.calls ?? 0, share = (calls: number) => all > 0 ? `, ${formatShare(Math.min(1, calls / all))}` : "";
  // When all are known.
  const ofNone = rows.some(({ group, sampledCalls }) => sampledCalls > 0 && !callsOf.has(group)) ? 0
    : all - [...callsOf.values()].reduce((sum, calls) => sum + calls, 0);
  const allStacks = rows.reduce((sum, { stacks }) => sum + stacks, 0);
  const partNs = profile.slices!.part_ns, parts = Math.max(1, Math.min(profile.slices!.parts, Math.ceil(profile.duration_ns / partNs)));
  const chosen = range.groups ?? new Set(rows.map(({ group }) => group));
  const set = (groups: ReadonlySet<number>) => onGroups(groups.size === 0 || groups.size === rows.length ? undefined : groups);
  const alike = useMemo(() => {
    const byPattern = new Map<string, number[]>();
    for (const { name, group } of rows) byPattern.set(pattern(name), [...byPattern.get(pattern(name)) ?? [], group]);
    return [...byPattern].filter(([, groups]) => groups.length > 1);
  }, [rows]);
  return (
    <div class="time-threads">
      {alike.length > 0 && (
        <p class="time-alike">Alike: {alike.map(([name, groups]) => (
          <button key={name} type="button" aria-pressed={range.groups !== undefined && range.groups.size === groups.length && groups.every((group) => chosen.has(group))}
            onClick={() => set(new Set(groups))}>{name} <span class="dim">{formatCount(groups.length)}</span></button>
        ))}</p>
      )}
      <ul><li class="time-axis">
        <span class="time-axis-words dim">Over the whole run, each row by its own most</span>
        <Axis endNs={parts * partNs} />
      </li>{rows.map(({ group, name, sampledCalls, stacks, byPart }) => {
        const calls = callsOf.get(group);
        return (
          <li key={group} class={sampledCalls > 0 ? undefined : "time-stacks"}>
            <label><input type="checkbox" checked={chosen.has(group)} onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(group);
              else next.delete(group);
              set(next);
            }} /> <span class="time-thread" title={name}>{name}</span></label>
            <button type="button" title={`Only ${name}`} onClick={() => set(new Set([group]))}>only<span class="sr"> {name}</span></button>
            <span class="dim num">{[sampledCalls > 0 && (calls === undefined ? "…" : `${countOfCalls(calls)}${share(calls)}`),
              stacks > 0 && `${plural(stacks, "stack")}, ${formatShare(stacks / allStacks)}`].filter(Boolean).join(" · ")}</span>
            <Bars label={`When ${name} ${sampledCalls > 0 ? "made calls" : "was seen"}`} byPart={byPart} parts={parts} partNs={partNs} />
          </li>
        );
      })}{compilers.map(({ name, compilations, compileNs, byPart }) => (
        <li key={name} class="time-compiler">
          <span class="time-thread" title={`${name}: a thread of the JIT compiler, which executes no Java code`}>{name}</span>
          <span />
          <span class="dim num">{plural(compilations, "compilation")}, {formatTime(compileNs)}</span>
          <Bars label={`When ${name} compiled`} byPart={byPart} parts={parts} partNs={partNs} />
        </li>
      ))}{ofNone > 0.0005 * all && (
        <li class="time-none">
          <span class="time-thread dim" title="The VM counted them, or their callers', without threads: a selection has none of them">of threads that are not known</span>
          <span />
          <span class="dim num">{countOfCalls(ofNone)}{share(ofNone)}</span>
        </li>
      )}</ul>
      <p class="dim">Threads of which nothing was sampled are not listed.</p>
    </div>
  );
}

const TICKS = 5;

function Axis({ endNs }: { endNs: number }) {
  return (
    <div class="time-axis-ticks" aria-hidden="true">{timeTicks(0, endNs, TICKS).map(({ ns, label }) => (
      <span key={ns} style={{ left: `${100 * ns / endNs}%` }}>{label}</span>
    ))}</div>
  );
}

function Bars({ label, byPart, parts, partNs }: { label: string; byPart: Float64Array; parts: number; partNs: number }) {
  const most = Math.max(...byPart) || 1;
  return (
    <svg viewBox={`0 0 ${parts} 10`} preserveAspectRatio="none" role="img" aria-label={`${label}: most at ${formatTime(byPart.indexOf(most) * partNs)}`}>
      {[...byPart].slice(0, parts).map((value, part) => value > 0 && (
        <rect key={part} x={part} y={10 - 10 * value / most} width={0.94} height={10 * value / most}>
          <title>{formatTime(part * partNs)} to {formatTime((part + 1) * partNs)}</title>
        </rect>
      ))}
    </svg>
  );
}
