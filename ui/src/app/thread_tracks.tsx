import { useMemo } from "preact/hooks";
import type { ProfileData } from "../data/page_data";
import { formatCalls, formatCount, formatShare, formatTime, plural } from "../model/format";
import type { Selection } from "../model/selection";
import { groupTracks } from "../model/tracks";
import { pattern } from "../model/thread_names";

type Range = Pick<Selection, "fromNs" | "toNs" | "groups">;

// A row for each thread, or group of threads: how much of the calls it made, and when. Threads whose
// names differ in numbers only can be chosen together.
export function ThreadTracks({ profile, range, onGroups }: {
  profile: ProfileData; range: Range; onGroups: (groups: ReadonlySet<number> | undefined) => void;
}) {
  const rows = useMemo(() => groupTracks(profile), [profile]);
  const all = rows.reduce((sum, { calls }) => sum + calls, 0), allStacks = rows.reduce((sum, { stacks }) => sum + stacks, 0);
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
      <ul>{rows.map(({ group, name, calls, stacks, byPart }) => {
        const most = Math.max(1, ...byPart);
        return (
          <li key={group}>
            <label><input type="checkbox" checked={chosen.has(group)} onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(group);
              else next.delete(group);
              set(next);
            }} /> <span class="time-thread" title={name}>{name}</span></label>
            <button type="button" title={`Only ${name}`} onClick={() => set(new Set([group]))}>only<span class="sr"> {name}</span></button>
            <span class="dim num">{[calls > 0 && `${formatCalls(calls)} calls, ${formatShare(calls / all)}`,
              stacks > 0 && `${plural(stacks, "stack")}, ${formatShare(stacks / allStacks)}`].filter(Boolean).join(" · ")}</span>
            <svg viewBox={`0 0 ${parts} 10`} preserveAspectRatio="none" role="img" aria-label={`When ${name} ${calls > 0 ? "made calls" : "was seen"}: most at ${formatTime(byPart.indexOf(most) * partNs)}`}>
              {[...byPart].slice(0, parts).map((value, part) => value > 0 && (
                <rect key={part} x={part} y={10 - 10 * value / most} width={0.94} height={10 * value / most} />
              ))}
            </svg>
          </li>
        );
      })}</ul>
    </div>
  );
}
