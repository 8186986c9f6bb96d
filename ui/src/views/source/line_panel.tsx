import { showMethod, showSource, hasSource } from "../../app/navigate";
import { MethodName } from "../../components/method_name";
import { formatShare } from "../../model/format";
import { shortOfFullName } from "../../model/descriptor";
import { methodTimes } from "../../model/method_times";
import type { PageModel } from "../../model/page_model";
import type { LineFacts } from "../../model/source_index";
import { callsText, methodText, siteTexts, timeFormat } from "./source_text";

// What is known of the chosen line: the methods that begin there, and its calls.
export function LinePanel({ model, path, line, facts }: { model: PageModel; path: string; line: number; facts: LineFacts | undefined }) {
  const { names } = model, time = timeFormat(model);
  const file = path.split("/").pop();
  if (line <= 0) return <p class="dim">Choose a line for its calls.</p>;
  const allTime = methodTimes(model.profile, names.count)?.all ?? 0;
  return (
    <section class="source-line" aria-label="Selected line">
      <h2>{file}:{line}</h2>
      {!facts && <p>No call of this line was seen.</p>}
      {facts?.hasCalls && facts.sites.length > 1 && <p>{callsText(model, facts)} {model.profile.kind === "edges" ? "" : "calls"} in all</p>}
      {facts && facts.below > 0 && time && (
        <p>{time(facts.below)} in its calls and all that these call, {formatShare(allTime > 0 ? facts.below / allTime : 0)} of all time</p>
      )}
      {facts && facts.methods.length > 0 && (
        <>
          <h3>Begins here</h3>
          <ul>{facts.methods.map((method) => (
            <li key={method}>
              <MethodName model={model} method={method} long /><br />{methodText(model, method)}
            </li>
          ))}</ul>
        </>
      )}
      {facts && facts.sites.length > 0 && (
        <>
          <h3>Calls</h3>
          <ul>{facts.sites.map((site) => (
            <li key={`${site.caller} ${site.bci} ${site.callee}`}>
              <MethodName model={model} method={site.callee} long
                onClick={() => hasSource(model, site.callee) ? showSource(model, site.callee) : showMethod(model, site.callee)} />
              {siteTexts(model, site).map((text) => <div key={text}>{text}</div>)}
              <div class="dim">bytecode {site.bci < 0 ? "not known" : site.bci}, in {names.label(site.caller)}</div>
              <button type="button" onClick={() => showMethod(model, site.callee)}>Show in Calls<span class="sr">: {names.label(site.callee)}</span></button>
            </li>
          ))}</ul>
        </>
      )}
      {facts && facts.unexecuted.length > 0 && (
        <>
          <h3>Never executed</h3>
          <ul>{facts.unexecuted.map(({ caller, bci, callee }) => (
            <li key={`${caller} ${bci}`}>
              <span class="mono" title={callee}>{shortOfFullName(callee)}</span>
              <div class="dim">bytecode {bci}, in {names.label(caller)}</div>
            </li>
          ))}</ul>
        </>
      )}
    </section>
  );
}
