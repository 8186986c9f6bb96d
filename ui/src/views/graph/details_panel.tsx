import { useMemo, useState } from "preact/hooks";
import { hasSource, showSource } from "../../app/navigate";
import { copyText } from "../../components/export";
import { callPairs } from "../../model/call_pairs";
import { sandwich, type CallSite } from "../../model/call_sites";
import { formatCount, formatInterval, formatShare, formatTime, plural, withCalls } from "../../model/format";
import { readableDescriptor } from "../../model/descriptor";
import type { PageModel } from "../../model/page_model";
import { useParams } from "../../state/url_state";
import { SiteDetails } from "./site_details";
import { SitesTable } from "./sites_table";
import { TestsOfMethod } from "./tests_of_method";
import { UnexecutedCalls } from "./unexecuted_calls";
import { goTo, lasting } from "./use_graph_state";

// The selected method between its callers and its callees.
export function DetailsPanel({ model, selected, centre }: {
  model: PageModel; selected: number; centre: number;
}) {
  const { names } = model;
  const [said, say] = useState("");
  const around = useMemo(() => sandwich(model.graph, selected), [model, selected]);
  const chosen = Number(useParams().get("gsite") ?? NaN);
  const site: CallSite | undefined =
    [...around.callers, ...around.callees].find(({ edge }) => edge === chosen);
  const copy = async () => {
    try {
      await copyText(names.full(selected));
      say("Copied.");
    } catch (error) {
      say(`Not copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <section class="graph-details" aria-label="Selected method">
      <div class="graph-head">
        <h2 title={names.full(selected)}>{names.qualified(selected)}</h2>
        {selected >= 0 && <p class="dim mono graph-signature">{readableDescriptor(names.descriptor(selected))}</p>}
        <MethodFacts model={model} method={selected} />
        <TestsOfMethod model={model} method={selected} />
        <UnexecutedCalls model={model} method={selected} />
        <div class="graph-actions">
          <button type="button" onClick={copy}>Copy full name</button>
          {hasSource(model, selected) && <button type="button" title="The method in its source file (S)" onClick={() => showSource(model, selected)}>Source</button>}
          {centre !== selected && <button type="button" onClick={() => goTo(model, selected)}>Centre the graph on it</button>}
          <span role="status" class="dim">{said}</span>
        </div>
      </div>
      <SitesTable key={`in ${selected}`} model={model} title="Callers" sites={around.callers} chosen={site?.edge}
        empty={selected < 0 ? "The root has no callers." : "No caller was seen."} />
      <SitesTable key={`out ${selected}`} model={model} title="Callees" sites={around.callees} chosen={site?.edge} empty="It calls nothing that was seen." />
      {site && <SiteDetails model={model} site={site} />}
    </section>
  );
}

function MethodFacts({ model, method }: { model: PageModel; method: number }) {
  const { graph, profile } = model;
  const { times } = lasting(model);
  if (method < 0) return <p class="dim">Threads' first methods, and calls from native code and the VM.</p>;
  const pairs = callPairs(graph);
  let low = 0, high = 0, inferred = 0;
  for (const pair of pairs.into(method)) {
    low += pairs.low(pair);
    high += pairs.high(pair);
    inferred += pairs.inferredCalls(pair);
  }
  const calls = graph.callsOf[method]!;
  const time = times?.unit === "time" ? formatTime : (samples: number) => plural(samples, "sample");
  const facts = [
    profile.kind !== "edges" && `${withCalls(low === high ? formatCount(calls) : formatInterval(calls, low, high))}, ${formatShare(graph.total > 0 ? calls / graph.total : 0)} of all`,
    calls > 0 && inferred > 0 && `${formatShare(inferred / calls)} of them inferred from inlining`,
    times && `self ${time(times.self[method]!)}, total ${time(times.total[method]!)} (${formatShare(times.all > 0 ? times.total[method]! / times.all : 0)})`,
  ].filter(Boolean);
  return <p class="graph-summary">{facts.join(" · ")}</p>;
}
