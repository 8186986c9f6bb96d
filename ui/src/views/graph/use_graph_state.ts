import { useMemo } from "preact/hooks";
import type { PageModel } from "../../model/page_model";
import { MethodSearch } from "../../model/method_search";
import { methodTimes, type MethodTimes } from "../../model/method_times";
import { inliningReasons, type InliningReasons } from "../../model/inlining_reasons";
import { setParams, useNumberParam, useParam, useParams } from "../../state/url_state";
import { NEIGHBOURHOOD_DEFAULTS } from "../../model/neighbourhood";
import type { ClusterBy } from "./graph_items";

// What is made once for a page, when first asked for.
interface Lasting {
  search: MethodSearch;
  times: MethodTimes | undefined;
  reasons: InliningReasons | undefined;
  hottest: number;
}
const cache = new WeakMap<PageModel, Lasting>();
const PREPARE_AFTER_MS = 700;

export function lasting(model: PageModel): Lasting {
  let made = cache.get(model);
  if (!made) {
    const { names, graph, profile } = model;
    const search = new MethodSearch(names, graph.callsOf);
    let hottest = search.find("")[0] ?? -1;
    if (profile.kind === "edges") {
      for (let method = 0; method < names.count; method++) if (graph.callees[method]! > graph.callees[hottest]!) hottest = method;
    }
    made = {
      search, times: methodTimes(profile, names.count),
      reasons: inliningReasons(model),
      hottest,
    };
    cache.set(model, made);
    // Before anybody types, but not before the graph stands: names are made, and code is compiled.
    if (!model.whole) setTimeout(() => search.find("a"), PREPARE_AFTER_MS);
  }
  return made;
}

export const MAX_STEPS = 5;

export function useGraphState(model: PageModel) {
  const text = useParams();
  const [callers, setCallers] = useSteps("gup");
  const [callees, setCallees] = useSteps("gdown");
  const [percent, setPercent] = useNumberParam("gmin", 100 * NEIGHBOURHOOD_DEFAULTS.threshold, 0, 100);
  const [of, setOf] = useParam("gof", NEIGHBOURHOOD_DEFAULTS.of);
  const [by, setBy] = useParam("gby", "none");
  const [direction, setDirection] = useParam("gdir", "fit");
  const named = text.get("method") ?? "", at = text.get("gat") ?? "";
  const found = useMemo(() => named ? model.names.find(named) : lasting(model).hottest, [model, named]);
  const selected = found ?? lasting(model).hottest;
  return {
    selected,
    unknown: found === undefined ? named : undefined, // a name of the address that is no method here
    // Around which method the graph is drawn, if the selected one is in that graph; see view.tsx.
    centre: useMemo(() => at ? model.names.find(at) : undefined, [model, at]) ?? selected,
    callers, setCallers, callees, setCallees, // undefined: as many as there is room for
    percent, setPercent, of: of === "all" ? "all" as const : "method" as const, setOf,
    by: (by === "class" || by === "package" ? by : "none") as ClusterBy, setBy,
    // Undefined: as there is room.
    direction: direction === "down" || direction === "right" ? direction as "down" | "right" : undefined, setDirection,
  };
}
export type GraphState = ReturnType<typeof useGraphState>;

function useSteps(key: string): [number | undefined, (steps: number) => void] {
  const [text, set] = useParam(key, "fit");
  const steps = Number(text);
  const value = text === "" || !Number.isFinite(steps) ? undefined : Math.round(Math.min(MAX_STEPS, Math.max(0, steps)));
  return [value, (next) => set(String(Math.min(MAX_STEPS, Math.max(0, next))))];
}

// A click in the graph selects, and the graph stays; from anywhere else it goes to the method.
export function selectWithin(model: PageModel, method: number, centre: number): void {
  setParams({ method: model.names.full(method), gat: model.names.full(centre), gsite: undefined });
}
export function goTo(model: PageModel, method: number): void {
  setParams({ method: model.names.full(method), gat: undefined, gsite: undefined });
}
