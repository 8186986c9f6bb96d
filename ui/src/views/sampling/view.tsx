import { useMemo, useRef } from "preact/hooks";
import type { View, ViewProps } from "../../app/view";
import { ExportMenu } from "../../components/export_menu";
import { bandLabel, certainties, certaintyBands, formatRelative } from "../../model/certainty";
import { formatCount } from "../../model/format";
import { settingsOf } from "../../model/settings";
import { asText } from "../../model/text_table";
import { advice, trustInWords } from "../../model/trust";
import { CertaintySection } from "./certainty";
import { CostSection } from "./cost";
import { FactTable } from "./fact_table";
import { OverTime } from "./over_time";
import "./style.css";

function Sampling({ model }: ViewProps) {
  const { profile, graph } = model;
  const sure = useMemo(() => certainties(graph), [graph]);
  const words = useMemo(() => trustInWords(profile, sure), [profile, sure]);
  const advised = useMemo(() => advice(profile, sure), [profile, sure]);
  const { drops } = profile, settings = settingsOf(profile.config);
  const density = useRef<SVGSVGElement>(null), certainty = useRef<SVGSVGElement>(null);
  const text = () => [
    ...words, ...advised, "",
    ...(profile.kind === "sampled" ? [asText(
      [{ title: "share of all calls", right: false }, { title: "edges", right: true }, { title: "± median", right: true }],
      certaintyBands(sure).map((band) => [bandLabel(band), formatCount(band.edges), formatRelative(band.median)]))] : []),
    asText([{ title: "number", right: true }, { title: "lost or left out", right: false }],
      drops.map(({ count, words: why }) => [formatCount(count), why])),
    asText([{ title: "setting", right: false }, { title: "value", right: false }, { title: "means", right: false }],
      settings.map(({ key, value, means }) => [key, value, means])),
  ].join("\n");
  const hasCertainty = profile.kind === "sampled" && sure.length > 0;
  const hasWindows = profile.windows.tick.length > 0;
  return (
    <div class="sampling">
      <div class="sampling-stack">
        <section class="panel sampling-words" aria-label="In words">
          <h2>How far can this profile be trusted?</h2>
          <ul>{words.map((line) => <li key={line}>{line}</li>)}</ul>
          {advised.length > 0 && <><h3>For a better one</h3><ul>{advised.map((line) => <li key={line}>{line}</li>)}</ul></>}
          <ExportMenu name="trust" text={text}
            {...(hasCertainty || hasWindows ? { svg: () => certainty.current ?? density.current ?? undefined } : {})}
            words={() => ({ caption: `${profile.name}: how far it can be trusted`, legend: captionsOf(certainty.current ?? density.current) })} />
        </section>
        {hasWindows && <OverTime profile={profile} svg={density} />}
        <CostSection profile={profile} />
        <section class="panel" aria-label="Lost">
          <h2>What was lost or left out</h2>
          {drops.length === 0 ? <p>Nothing.</p>
            : <FactTable label="Lost, by reason" columns={[{ title: "number", numeric: true }, { title: "what" }, { title: "is", short: true }]}
                rows={drops.map(({ count, words: why, kind }) => [formatCount(count), why, kind])} />}
        </section>
      </div>
      <div class="sampling-stack">
        {hasCertainty && <CertaintySection model={model} sure={sure} svg={certainty} />}
        <section class="panel" aria-label="How it was recorded">
          <h2>How it was recorded</h2>
          {profile.config["command"] && (
            <p class="sampling-command" tabIndex={0} role="region" aria-label="Command"><code>{profile.config["command"]}</code></p>
          )}
          <FactTable label="Settings" columns={[{ title: "setting", short: true }, { title: "value" }, { title: "means" }]}
            rows={settings.filter(({ key }) => key !== "command").map(({ key, value, means }) => [key, value, means])} />
        </section>
      </div>
    </div>
  );
}

function captionsOf(drawing: SVGSVGElement | null): Element[] {
  return [...drawing?.closest("figure")?.querySelectorAll("figcaption") ?? []];
}

export const samplingView: View = {
  id: "sampling",
  title: "Trust",
  component: Sampling,
  missing: () => undefined,
  keys: [],
};
