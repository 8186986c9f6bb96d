import { useEffect, useRef } from "preact/hooks";
import { MethodName } from "../../components/method_name";
import { SourceCode } from "../../components/source_code";
import { describeCalls, describeFlags, describeInlined, type CallSite } from "../../model/call_sites";
import { formatShare } from "../../model/format";
import { describeReasons } from "../../model/inlining_reasons";
import type { PageModel } from "../../model/page_model";
import { setParams } from "../../state/url_state";
import { goTo, lasting } from "./use_graph_state";

// One call site: who calls whom there, how often, what the compilers decided, and its code.
export function SiteDetails({ model, site }: { model: PageModel; site: CallSite }) {
  const { names, graph, profile } = model;
  const hasCounts = profile.kind !== "edges";
  const decisions = lasting(model).reasons?.at(site.caller, site.bci, site.callee);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [site.edge]);
  return (
    <section ref={section} class="graph-site panel" aria-label="Call site">
      <div class="graph-site-head">
        <h3>Call site {names.at(site.caller, site.line) || "not known"}{site.bci >= 0 && ` · bytecode ${site.bci}`}</h3>
        <button type="button" onClick={() => setParams({ gsite: undefined }, "replace")}>Close<span class="sr"> the call site</span></button>
      </div>
      <p>
        <MethodName model={model} method={site.caller} onClick={() => goTo(model, site.caller)} long />
        {" → "}
        <MethodName model={model} method={site.callee} onClick={() => goTo(model, site.callee)} long />
      </p>
      <dl class="graph-facts">
        {hasCounts && <div><dt>Calls</dt><dd>{describeCalls(site, hasCounts)}, {formatShare(graph.share(site.edge))} of all</dd></div>}
        <div><dt>Count</dt><dd>{describeFlags(site.flags) || "not known"}</dd></div>
        {hasCounts && <div><dt>Inlined</dt><dd>{describeInlined(site.inlined)}</dd></div>}
        {decisions && <div><dt>Compilers</dt><dd>{describeReasons(decisions) || "No compilation of this recording came upon it."}</dd></div>}
      </dl>
      <SourceCode key={site.edge} model={model} method={site.caller} line={site.line} />
    </section>
  );
}
