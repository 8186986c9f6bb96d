import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { ProfileData } from "../../data/page_data";
import { formatCalls, formatCount, formatShort, formatTime, plural } from "../../model/format";
import { pointsOf, threadsOf } from "../../model/windows";
import { useParam } from "../../state/url_state";
import { FactTable } from "./fact_table";
import { TimeChart } from "./time_chart";

const ALL = "all";

// Windows over the run, of one thread or of all.
export function OverTime({ profile, svg }: { profile: ProfileData; svg: RefObject<SVGSVGElement> }) {
  const [wanted, setThread] = useParam("sthread", ALL);
  const threads = useMemo(() => threadsOf(profile), [profile]);
  const thread = threads.some(({ id }) => String(id) === wanted) ? wanted : ALL;
  const points = useMemo(() => pointsOf(profile.windows, thread === ALL ? undefined : Number(thread)),
    [profile, thread]);
  const hasCalls = profile.windows.calls.some((calls) => calls > 0); // A countdown does not know them.
  return (
    <section class="panel" aria-label="Over time">
      <div class="sampling-head">
        <h2>Over time</h2>
        <label>Thread{" "}
          <select value={thread} onChange={(event) => setThread(event.currentTarget.value)}>
            <option value={ALL}>all {formatCount(threads.length)}</option>
            {threads.map(({ id, name, windows }) => (
              <option key={id} value={String(id)}>{name}: {plural(windows, "window")}</option>
            ))}
          </select>
        </label>
        <span class="dim" role="status">{plural(points.length, "window")}</span>
      </div>
      {hasCalls && (
        <TimeChart title="Call density" unit="calls per µs" points={points} endNs={profile.duration_ns}
          value={(point) => point.density} format={formatShort} svg={svg} />
      )}
      {/* A countdown goes on from tick to tick: its windows are not late. */}
      {profile.config["policy"] !== "countdown" && (
        <TimeChart title="Sampling latency" unit="from trigger to window" points={points}
          endNs={profile.duration_ns} value={(point) => point.latencyNs} format={formatTime} />
      )}
      <FactTable label="Threads" columns={[{ title: "thread" }, { title: "windows", numeric: true },
        { title: "samples", numeric: true }, ...hasCalls ? [{ title: "calls in windows", numeric: true }] : []]}
        rows={threads.map((row) => [
          <button type="button" class="method" aria-pressed={String(row.id) === thread}
            title={String(row.id) === thread ? "Show all threads" : "Show this thread alone"}
            onClick={() => setThread(String(row.id) === thread ? ALL : String(row.id))}>{row.name}</button>,
          formatCount(row.windows), formatCount(row.samples), ...hasCalls ? [formatCalls(row.calls)] : [],
        ])} />
    </section>
  );
}
