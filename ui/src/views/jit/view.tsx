import { useEffect, useRef } from "preact/hooks";
import { hasSource, showSource } from "../../app/navigate";
import { useShortcuts } from "../../app/shortcuts";
import type { View, ViewProps } from "../../app/view";
import { Split } from "../../components/split";
import { jitLedger, type JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { ClassTree } from "./class_tree";
import { ColouredCalls } from "./coloured_calls";
import { methodText } from "./method_text";
import { MethodPanel } from "./method_panel";
import { Recompilations } from "./recompilations";
import { RunTimeline } from "./run_timeline";
import { setParams } from "../../state/url_state";
import { showTab, TABS, useJitState, type JitState } from "./jit_state";
import { Summary } from "./summary";
import { STACKED } from "../../components/use_media";
import "./style.css";

function Jit({ model }: ViewProps) {
  const ledger = jitLedger(model);
  const state = useJitState(model);
  const toggleSummary = () => setParams({ jsum: state.hasSummary ? "off" : undefined }, "replace");
  useShortcuts({
    s: toggleSummary,
    S: () => { if (state.method !== undefined && hasSource(model, state.method)) showSource(model, state.method); },
  });
  // Where the panel is below the list, a selection would not be seen.
  const box = useRef<HTMLDivElement>(null), before = useRef(state.method);
  useEffect(() => {
    if (state.method !== before.current && state.method !== undefined && matchMedia(STACKED).matches) {
      box.current?.querySelector(".jit-panel")?.scrollIntoView();
    }
    before.current = state.method;
  }, [state.method]);
  if (!ledger) return null; // `missing` tells why
  const isOpen = state.method !== undefined;
  return (
    <div class="jit" ref={box}>
      {state.hasSummary && <Summary ledger={ledger} state={state} profile={model.profile.name} />}
      {model.before && <p class="jit-lack" role="note">Two profiles are compared: this is the ledger of the one after, {model.profile.name}.</p>}
      {model.whole && <p class="jit-lack" role="note">Of a part of the run the list has the recompilations that began in it, of all threads; all else here is of the whole run.</p>}
      {state.unknown !== undefined && <p class="jit-lack" role="status">This profile has no method {state.unknown}.</p>}
      <Split columns={isOpen ? "minmax(0, 1fr) minmax(26rem, 34rem)" : "minmax(0, 1fr)"}>
        <div class="jit-main">
          <div class="jit-tabs" role="group" aria-label="Parts of the JIT view">
            {TABS.map(({ id, title }) => (
              <button key={id} type="button" aria-pressed={id === state.tab} onClick={() => showTab(id)}>{title}</button>
            ))}
            <button type="button" aria-pressed={state.hasSummary} onClick={toggleSummary}
              title="Show or hide the ledger's summary (s)">Summary</button>
          </div>
          <Part model={model} ledger={ledger} state={state} />
        </div>
        {isOpen && <MethodPanel model={model} ledger={ledger} method={state.method!} />}
      </Split>
    </div>
  );
}

function Part({ model, ledger, state }: { model: PageModel; ledger: JitLedger; state: JitState }) {
  switch (state.tab) {
    case "tree": return <ClassTree model={model} ledger={ledger} state={state} />;
    case "graph": return <ColouredCalls model={model} ledger={ledger} state={state} />;
    case "time": return <RunTimeline model={model} ledger={ledger} state={state} />;
    case "list": return <Recompilations model={model} ledger={ledger} state={state}
      details={() => state.method === undefined ? "" : methodText(model, ledger, state.method)} />;
  }
}

export const jitView: View = {
  id: "jit",
  title: "JIT",
  component: Jit,
  missing: (model) => model.profile.jit ? undefined
    : "Nothing was recorded of the compilers in this profile. Record it with yp run --jit -o app.yp -- java …, " +
      "and the page shows whether each recompilation paid off.",
  keys: [
    { key: "v", does: "Recompilations that did not pay off, the worst first" },
    { key: "V", does: "Those that paid off, the best first" },
    { key: "s", does: "Show or hide the summary" },
    { key: "S", does: "The selected method's source" },
    { key: "e E", does: "Open or close all packages and classes" },
    { key: "arrows", does: "From row to row, or through the graph or the time" },
    { key: "Enter", does: "Select the row's method; open or close a package or class" },
    { key: "+ - 0", does: "Nearer, further, all (graph and timeline)" },
  ],
};
