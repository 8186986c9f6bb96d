import { useMemo, useRef } from "preact/hooks";
import type { View, ViewProps } from "../../app/view";
import { ExportMenu } from "../../components/export_menu";
import { formatCount, formatShare, formatShort, formatTime } from "../../model/format";
import { asText } from "../../model/text_table";
import { advice, certainties, certaintyBands, dropsOf, trustInWords } from "../../model/trust";
import { pointsOf, threadsOf } from "../../model/windows";
import { useParam } from "../../state/url_state";
import { CertaintyChart } from "./certainty_chart";
import { FactTable } from "./fact_table";
import { TimeChart } from "./time_chart";
import "./style.css";

const ALL = "all";

function Sampling({ model }: ViewProps) {
  const { profile, graph } = model;
  const [thread, setThread] = useParam("sthread", ALL);
  const threads = useMemo(() => threadsOf(profile), [profile]);
  const chosen = thread === ALL ? undefined : Number(thread);
  const points = useMemo(() => pointsOf(profile.windows, chosen), [profile, chosen]);
  const sure = useMemo(() => certainties(graph), [graph]);
  const bands = useMemo(() => certaintyBands(sure), [sure]);
  const drops = dropsOf(profile), words = trustInWords(profile, graph), advised = advice(profile, graph);
  const density = useRef<SVGSVGElement>(null);
  const facts = Object.entries(profile.config);
  const text = () => [
    ...words, ...advised, "",
    asText([{ title: "lost", right: true }, { title: "why", right: false }],
      drops.map(({ count, words: why }) => [formatCount(count), why])),
    asText([{ title: "setting", right: false }, { title: "value", right: false }], facts),
  ].join("\n");
  return (
    <div class="sampling">
      <section class="panel sampling-words" aria-label="In words">
        <h2>How far can this profile be trusted?</h2>
        <ul>{words.map((line) => <li key={line}>{line}</li>)}</ul>
        {advised.length > 0 && <><h3>For better</h3><ul>{advised.map((line) => <li key={line}>{line}</li>)}</ul></>}
        <ExportMenu name="trust" text={text} svg={() => density.current ?? undefined} />
      </section>
      {points.length > 0 && (
        <section class="panel sampling-time" aria-label="Over time">
          <div class="sampling-head">
            <h2>Over time</h2>
            <label>Thread <select value={thread} onChange={(event) => setThread(event.currentTarget.value)}>
              <option value={ALL}>all {formatCount(threads.length)}</option>
              {threads.map(({ id, name, windows }) => (
                <option key={id} value={String(id)}>{name} ({formatCount(windows)})</option>
              ))}
            </select></label>
            <span class="dim">{formatCount(points.length)} windows</span>
          </div>
          <TimeChart title="Call density" unit="calls per µs" points={points} endNs={profile.duration_ns}
            value={(point) => point.density} format={formatShort} svg={density} />
          {/* A countdown goes on through a tick: its windows are not late. */}
          {profile.config["policy"] !== "countdown" && (
            <TimeChart title="Sampling latency" unit="from trigger to window" points={points}
              endNs={profile.duration_ns} value={(point) => point.latencyNs} format={formatTime} />
          )}
          <FactTable label="Threads" columns={["thread", "windows", "samples", "calls in windows"]}
            rows={threads.map((row) => [row.name, formatCount(row.windows), formatCount(row.samples), formatShort(row.calls)])} />
        </section>
      )}
      {profile.kind === "sampled" && sure.length > 0 && (
        <section class="panel" aria-label="Certainty">
          <h2>How sure are the hot edges?</h2>
          <CertaintyChart sure={sure} />
          <FactTable label="Edges by their share of all calls" columns={["share of all calls", "edges", "of all calls", "± median", "± worst"]}
            rows={bands.map((band) => [
              band.from > 0 ? `above ${formatShare(band.from)}` : "less", formatCount(band.edges),
              formatShare(band.calls), formatShare(band.median), formatShare(band.worst),
            ])} />
        </section>
      )}
      <section class="panel" aria-label="Lost">
        <h2>What was lost or left out</h2>
        {drops.length === 0 ? <p>Nothing.</p>
          : <FactTable label="Lost, by reason" columns={["number", "why", ""]}
              rows={drops.map(({ count, words: why, isLoss }) => [formatCount(count), why, isLoss ? "lost" : "nothing to see"])} />}
      </section>
      <section class="panel" aria-label="Settings">
        <h2>How it was recorded</h2>
        <FactTable label="Settings" columns={["setting", "value"]} rows={facts} />
      </section>
    </div>
  );
}

export const samplingView: View = {
  id: "sampling",
  title: "Trust",
  component: Sampling,
  missing: () => undefined,
  keys: [],
};
