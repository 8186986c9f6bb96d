import type { Transform } from "../../model/flame_transforms";
import { CODE_KINDS, inlinedShare, SEVERAL } from "../../model/flame_tree";
import { formatShare } from "../../model/format";
import type { Names } from "../../model/names";
import type { PageModel } from "../../model/page_model";
import { levelWords } from "./colours";
import type { Flame } from "./use_flame";

export function frameName(model: PageModel, flame: Flame, node: number): string {
  return node === 0 ? "all" : model.names.full(flame.tree.method[node]!);
}

// "C2 (71 %), interpreted (29 %)"; empty where it was not recorded.
export function codeWords({ tree }: Flame, node: number): string {
  if (!tree.code || node === 0) return "";
  const parts = Array.from({ length: CODE_KINDS }, (_, kind) =>
    ({ level: kind - 1, weight: tree.code![CODE_KINDS * node + kind]! }))
    .filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return parts.map(({ level, weight }) => parts.length === 1
    ? levelWords(level) : `${levelWords(level)} (${formatShare(weight / tree.total[node]!)})`).join(", ");
}

export function inlinedWords({ tree, isInverted }: Flame, node: number): string {
  const share = inlinedShare(tree, node), caller = isInverted ? "its caller" : "the frame that calls it";
  return share <= 0 ? "" : `${share > 0.9999 ? "" : `${formatShare(share)} of it `}inlined into ${caller}`;
}

// Where the call is: in an inverted tree the frame's own call of the one before it.
export function callWords(model: PageModel, flame: Flame, node: number): string {
  const place = callPlace(flame, node);
  if (!place) return "";
  const verb = flame.isInverted ? "calls at" : "called at";
  if (place.line === SEVERAL) return `${verb} several places`;
  const at = model.names.at(place.method, place.line);
  return at && `${verb} ${at}`;
}

// The method and line of that call; line SEVERAL: there are several.
export function callPlace({ tree, isInverted }: Flame, node: number): { method: number; line: number } | undefined {
  const line = tree.line[node]!, caller = isInverted ? node : tree.parent[node]!;
  if (node === 0 || line === 0 || caller === 0 || (isInverted && tree.parent[node] === 0)) return undefined;
  return { method: tree.method[caller]!, line };
}

// One sentence about a frame, for who listens and for drawings that are saved.
export function frameSentence(model: PageModel, flame: Flame, node: number): string {
  const { tree, unit, isInverted } = flame;
  return [
    `${frameName(model, flame, node)}: ${formatShare(tree.total[0]! > 0 ? tree.total[node]! / tree.total[0]! : 0)}`,
    ...(isInverted || node === 0 ? [unit.format(tree.total[node]!)] : unit.frame(tree.self[node]!, tree.total[node]!)),
    codeWords(flame, node), inlinedWords(flame, node), callWords(model, flame, node),
  ].filter(Boolean).join(", ");
}

export function transformWords(names: Names, transform: Transform): string {
  if (transform.kind === "recursion") return "recursion collapsed";
  const name = names.label(transform.method);
  return {
    focus: `only in and below ${name}`, callers: `only stacks to ${name}`, drop: `without stacks of ${name}`,
    merge: `${name} merged into its callers`, leaf: `callees of ${name} are its own`,
    loops: `${name} once in a stack`,
  }[transform.kind];
}
