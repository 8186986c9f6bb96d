import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ContextTree } from "../../data/page_data";
import { frameKey, frameOf, parseTransforms, renderTransforms } from "../../model/flame_address";
import { inverted } from "../../model/flame_inverted";
import { flameLayout } from "../../model/flame_layout";
import { methodWeights } from "../../model/flame_methods";
import { matchesIn, matchingMethods, zoomToSee } from "../../model/flame_search";
import { transformed, type Transform } from "../../model/flame_transforms";
import { flameTree, samePlace, type FlameTree, type Stacks } from "../../model/flame_tree";
import { flameUnit } from "../../model/flame_unit";
import type { PageModel } from "../../model/page_model";
import { params, setParams, useParam } from "../../state/url_state";

interface Shown {
  tree: FlameTree;
  straight: FlameTree; // not inverted
  cut: number; // of an inverted one: Inverted.cut
  cutWeight: number;
}

const KEPT = 4;
const kept = new WeakMap<ContextTree, Map<string, Shown>>();

// The last few are kept, for the ways back.
function shownOf(model: PageModel, contexts: ContextTree, transforms: readonly Transform[],
                 isInverted: boolean): Shown {
  let known = kept.get(contexts);
  if (!known) kept.set(contexts, known = new Map());
  const key = JSON.stringify([transforms, isInverted]);
  let shown = known.get(key);
  known.delete(key);
  if (!shown) {
    const stacks = transforms.reduce<Stacks>(transformed, contexts);
    const straight = known.get(JSON.stringify([transforms, !isInverted]))?.straight ?? flameTree(stacks);
    shown = isInverted ? { straight, ...inverted(stacks, model.names.count) }
      : { straight, tree: straight, cut: 0, cutWeight: 0 };
  }
  known.set(key, shown);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return shown;
}

const CURSOR_REST_MS = 250;

// The state of the view, all of it in the address, and what follows from it.
export function useFlame(model: PageModel) {
  const { names, profile: { trees } } = model;
  const [which] = useParam("ftree", "0");
  const [inversion] = useParam("finv", "no");
  const [transformText] = useParam("fx", "");
  const [order, setOrder] = useParam("fsort", "weight");
  const [shape, setShape] = useParam("fshape", "flame");
  const [colour, setColour] = useParam("fcol", "code");
  const [query, setQuery] = useParam("fq", "");
  const [zoomKey] = useParam("fz", "");
  const [cursorKey] = useParam("fs", "");
  const [methodName] = useParam("method", "");
  const contexts = trees[Number(which)] ?? trees[0]!;
  const isInverted = inversion === "yes";
  const transforms = useMemo(() => parseTransforms(transformText, names), [transformText, names]);
  const shown = useMemo(() => shownOf(model, contexts, transforms, isInverted),
    [model, contexts, transforms, isInverted]);
  const { tree } = shown;
  const layout = useMemo(() => {
    if (order !== "name") return flameLayout(tree, (a, b) => tree.total[b]! - tree.total[a]! || a - b);
    const rank = nameRanks(model);
    return flameLayout(tree, (a, b) => rank[tree.method[a]!]! - rank[tree.method[b]!]!);
  }, [tree, order, model]);
  const zoom = useMemo(() => frameOf(tree, zoomKey, names), [tree, zoomKey, names]);
  const matches = useMemo(() => matchesIn(tree, matchingMethods(names, query)), [tree, names, query]);
  const methods = useMemo(() => methodWeights(shown.straight, names.count), [shown, names]);

  // The cursor moves faster than browsers let the address change: it stands there when it rests.
  const [cursor, setCursor] = useState(() => frameOf(tree, cursorKey, names));
  const rest = useRef(0);
  useEffect(() => setCursor(frameOf(tree, cursorKey, names)), [tree, cursorKey, names]);
  useEffect(() => () => clearTimeout(rest.current), []);
  const named = useMemo(() => methodName ? names.find(methodName) : undefined, [methodName, names]);
  const method = cursor > 0 ? tree.method[cursor]! : named !== undefined && named >= 0 ? named : undefined;
  const cursorParams = (node: number) => ({
    fs: frameKey(tree, node, names), method: node > 0 ? names.full(tree.method[node]!) : undefined,
  });
  const go = (changes: Record<string, string | undefined>, how: "push" | "replace" = "push") => {
    clearTimeout(rest.current);
    setParams(changes, how);
  };
  // As it stands in the address now: keys can come faster than what is shown follows.
  const now = () => ({
    transforms: parseTransforms(params().get("fx") ?? "", names), isInverted: params().get("finv") === "yes",
  });
  // To another tree: to the same frames in it, as far as they are there.
  const goTo = (next: readonly Transform[], nextInverted: boolean) => {
    const to = shownOf(model, contexts, next, nextInverted).tree;
    const keyOf = (node: number) =>
      nextInverted === isInverted ? frameKey(to, samePlace(tree, node, to), names) : undefined;
    go({
      fx: renderTransforms(next, names), finv: nextInverted ? "yes" : undefined, fz: keyOf(zoom), fs: keyOf(cursor),
      method: method === undefined ? undefined : names.full(method),
    });
  };
  return {
    contexts, unit: flameUnit(contexts), ...shown, layout, transforms, zoom, cursor, method, matches, methods,
    which: trees.indexOf(contexts), isInverted, query, setQuery,
    order: order === "name" ? "name" as const : "weight" as const, setOrder,
    shape: shape === "icicle" ? "icicle" as const : "flame" as const, setShape,
    colour: colour === "package" || !contexts.level ? "package" as const : "code" as const, setColour,
    setWhich: (index: number) =>
      go({ ftree: index > 0 ? String(index) : undefined, fz: undefined, fs: undefined }),
    invert: () => goTo(now().transforms, !now().isInverted),
    // Moves the cursor; what is in the address follows.
    select: (node: number) => {
      setCursor(node);
      clearTimeout(rest.current);
      rest.current = window.setTimeout(() => setParams(cursorParams(node), "replace"), CURSOR_REST_MS);
    },
    selectMethod: (next: number) => {
      setCursor(0);
      go({ fs: undefined, method: names.full(next) });
    },
    setZoom: (node: number) => {
      setCursor(node);
      go({ fz: frameKey(tree, node, names), ...cursorParams(node) });
    },
    zoomOut: () => { if (zoom > 0) go({ fz: frameKey(tree, tree.parent[zoom]!, names) }); },
    zoomToAll: () => go({ fz: undefined }),
    // The next of the outermost matches, the heaviest first.
    goToMatch: (step: 1 | -1) => {
      const { outermost } = matches, count = outermost.length;
      if (count === 0) return;
      const at = outermost.indexOf(cursor);
      const node = outermost[at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count]!;
      setCursor(node);
      go({ fz: frameKey(tree, zoomToSee(tree, node, zoom), names), ...cursorParams(node) }, "replace");
    },
    add: (transform: Transform) => goTo([...now().transforms, transform], now().isInverted),
    showCallers: (of: number) => goTo([...now().transforms, { kind: "callers", method: of }], true),
    undo: (index: number) => goTo(now().transforms.filter((_, i) => i !== index), now().isInverted),
    undoLast: () => { if (now().transforms.length > 0) goTo(now().transforms.slice(0, -1), now().isInverted); },
    undoAll: () => goTo([], now().isInverted),
    toggleRecursion: () => {
      const others = now().transforms.filter(({ kind }) => kind !== "recursion");
      const isOn = others.length < now().transforms.length;
      goTo(isOn ? others : [...others, { kind: "recursion" }], now().isInverted);
    },
  };
}
export type Flame = ReturnType<typeof useFlame>;

const ranks = new WeakMap<PageModel, Int32Array>();

// Of methods in the order of their names.
function nameRanks(model: PageModel): Int32Array {
  const known = ranks.get(model);
  if (known) return known;
  const { names } = model;
  const all = Array.from({ length: names.count }, (_, method) => names.full(method));
  const order = all.map((_, method) => method)
    .sort((a, b) => all[a]! < all[b]! ? -1 : all[a]! > all[b]! ? 1 : a - b);
  const rank = new Int32Array(names.count);
  order.forEach((method, i) => { rank[method] = i; });
  ranks.set(model, rank);
  return rank;
}
