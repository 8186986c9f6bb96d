import { useEffect, useRef } from "preact/hooks";
import { MethodName } from "../../components/method_name";
import { SourceCode } from "../../components/source_code";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { setParams } from "../../state/url_state";
import { decisionTexts, type PlacedSite } from "./inlining_text";
import { selectMethod } from "./jit_state";

// All that was decided at one call site, and its code.
export function InliningSite({ model, ledger, placed: { site, line, place } }: {
  model: PageModel; ledger: JitLedger; placed: PlacedSite;
}) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), []);
  const name = (method: number) => <MethodName model={model} method={method} onClick={() => selectMethod(model, method)} long />;
  return (
    <section ref={section} class="jit-site" aria-label="Call site">
      <div class="jit-site-head">
        <h3>Call site {place && `${place} · `}bytecode {site.bci}</h3>
        <button type="button" onClick={() => setParams({ jsite: undefined }, "replace")}>Close<span class="sr"> the call site</span></button>
      </div>
      <p>{name(site.caller)} → {name(site.callee)}</p>
      <ul>{decisionTexts(ledger, site).map((text) => <li key={text}>{text}</li>)}</ul>
      <SourceCode model={model} method={site.caller} line={line} />
    </section>
  );
}
