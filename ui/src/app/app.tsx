import { useEffect, useState } from "preact/hooks";
import type { PageModel } from "../model/page_model";
import { profileFacts } from "../model/profile_facts";
import { useParam } from "../state/url_state";
import { VIEWS } from "../views";
import { Help } from "./help";
import { useShortcuts } from "./shortcuts";
import { useTheme } from "./theme";
import { TimeBar } from "./time_bar";
import { useSelection } from "./use_selection";

// Of two that are compared, the view of their comparison tells them apart.
function facts({ before, profile }: PageModel): string {
  return before ? "two profiles compared" : Object.values(profileFacts(profile)).filter(Boolean).join(" · ");
}

export function App({ model: whole }: { model: PageModel }) {
  const shown = useSelection(whole), { model } = shown;
  const preferred = model.data.diff ? "compare" : "graph";
  const [id, setView] = useParam("view", preferred, "push");
  const [theme, nextTheme] = useTheme();
  const [helps, setHelps] = useState(false);
  const view = VIEWS.find((each) => each.id === id) ?? VIEWS[0]!;
  useShortcuts({
    "?": () => setHelps(true),
    b: nextTheme,
    ...Object.fromEntries(VIEWS.map((each, i) => [String(i + 1), () => setView(each.id)])),
  });
  useEffect(() => {
    document.title = `${model.profile.name} · ${view.title} · Yieldpoint`;
  }, [model, view]);
  const missing = view.missing(view.id === "compare" ? whole : model);
  const Component = view.component;
  const warnings = [...model.profile.warnings, model.profile.damage].filter(Boolean);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>Skip to the view</a>
      <header class="top">
        <h1 title={model.profile.name}>
          {model.before && <>{model.before.name} → </>}{model.profile.name}
        </h1>
        <p class="facts">{facts(model)}</p>
        <nav aria-label="Views">
          {VIEWS.map((each, i) => (
            <a key={each.id} href={`#view=${each.id}`} title={`${each.title} (${i + 1})`}
              aria-current={each === view ? "page" : undefined}
              class={each.missing(model) ? "empty" : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setView(each.id);
              }}>{each.title}</a>
          ))}
        </nav>
        <div class="tools">
          <button type="button" onClick={nextTheme} title="Bright or dark (b)">
            {theme === "dark" ? "☾" : theme === "light" ? "☀" : "◐"}
            <span class="sr"> Colours: {theme}</span>
          </button>
          <button type="button" onClick={() => setHelps(true)} title="Help (?)">?<span class="sr"> Help</span></button>
        </div>
      </header>
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          {warnings.map((warning) => <p key={warning} class="warning" role="note">{warning}</p>)}
        </section>
      )}
      {view.id !== "compare" && <TimeBar whole={whole} shown={shown} />}
      <main id="main" tabIndex={-1} data-view={view.id}>
        {missing === undefined
          ? <Component key={view.id} model={view.id === "compare" ? whole : model} />
          : <p class="missing">{missing}</p>}
      </main>
      {helps && <Help view={view} onClose={() => setHelps(false)} />}
    </>
  );
}

