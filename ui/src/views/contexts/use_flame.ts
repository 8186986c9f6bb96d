import { useMemo } from "preact/hooks";
import type { ContextTree } from "../../data/page_data";
import { flameLayout, type FlameLayout } from "../../model/flame_layout";
import { inverted, parseTransforms, renderTransforms, transformed, type Transform } from "../../model/flame_transforms";
import { flameTree, type FlameTree } from "../../model/flame_tree";
import { formatCount, formatShort, formatTime } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { setParams, useParam } from "../../state/url_state";
import type { ColourBy } from "./colours";

const made = new WeakMap<ContextTree, FlameTree>();

function wholeTree(model: PageModel, contexts: ContextTree): FlameTree {
  let tree = made.get(contexts);
  if (!tree) made.set(contexts, tree = flameTree(contexts, model.names.count));
  return tree;
}

// What a tree's weights are, and how they read.
export interface Unit { name: string; format: (weight: number) => string }

function unitOf(contexts: ContextTree): Unit {
  if (contexts.unit === "samples") {
    const each = contexts.sample_ns;
    return { name: "samples", format: (weight) => each > 0
      ? `${formatTime(weight * each)} (${formatCount(weight)} samples)` : `${formatCount(weight)} samples` };
  }
  const about = contexts.unit === "calls" ? "" : "about ";
  return { name: contexts.unit, format: (weight) => `${about}${formatShort(weight)} calls` };
}

// The state of the view, all of it in the address, and the tree that follows from it.
export function useFlame(model: PageModel) {
  const { trees } = model.profile;
  const [which, setWhich] = useParam("ftree", "0", "push");
  const contexts = trees[Number(which)] ?? trees[0]!;
  const [isInverted, setInverted] = useParam("finv", "no", "push");
  const [text] = useParam("fx", "", "push");
  const [order, setOrder] = useParam("fsort", "weight");
  const [shape, setShape] = useParam("fshape", "flame");
  const [colourText, setColour] = useParam("fcol", contexts.level ? "code" : "package");
  const [query, setQuery] = useParam("fq", "");
  const [zoomText] = useParam("fz", "0", "push");
  const transforms = useMemo(() => parseTransforms(text, model.names.count), [text, model]);
  const { tree, cut } = useMemo(() => {
    let now = wholeTree(model, contexts);
    for (const transform of transforms) now = transformed(now, transform, model.names.count);
    return isInverted === "yes" ? inverted(now, model.names.count) : { tree: now, cut: 0 };
  }, [model, contexts, transforms, isInverted]);
  const layout: FlameLayout = useMemo(() => {
    const { names } = model;
    const byName = (a: number, b: number) => {
      const x = names.qualified(tree.method[a]!), y = names.qualified(tree.method[b]!);
      return x < y ? -1 : x > y ? 1 : a - b;
    };
    return flameLayout(tree, order === "name" ? byName : (a, b) => tree.total[b]! - tree.total[a]! || a - b);
  }, [tree, order, model]);
  const zoom = Number(zoomText) > 0 && Number(zoomText) < tree.parent.length ? Math.floor(Number(zoomText)) : 0;
  // A frame's number is that of this tree: another one begins with the whole.
  const setTransforms = (next: readonly Transform[]) =>
    setParams({ fx: renderTransforms(next) || undefined, fz: undefined });
  return {
    contexts, unit: unitOf(contexts), tree, cut, layout, transforms, zoom,
    whole: wholeTree(model, contexts).total[0]!,
    which: trees.indexOf(contexts),
    setWhich: (index: number) => { setWhich(String(index)); setParams({ fx: undefined, fz: undefined }, "replace"); },
    isInverted: isInverted === "yes",
    invert: () => { setInverted(isInverted === "yes" ? "no" : "yes"); setParams({ fz: undefined }, "replace"); },
    order, setOrder, shape: shape === "icicle" ? "icicle" as const : "flame" as const, setShape,
    colourBy: (colourText === "package" || !contexts.level ? "package" : "code") as ColourBy, setColour,
    query, setQuery,
    setZoom: (node: number) => setParams({ fz: node > 0 ? String(node) : undefined }),
    add: (transform: Transform) => setTransforms([...transforms, transform]),
    undo: (index: number) => setTransforms(transforms.filter((_, i) => i !== index)),
    reset: () => setParams({ fx: undefined, fz: undefined }),
  };
}
export type Flame = ReturnType<typeof useFlame>;
