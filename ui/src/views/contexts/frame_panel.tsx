import { SourceLink } from "../../components/source_link";
import { pathOf } from "../../model/flame_tree";
import { plural } from "../../model/format";
import { readableDescriptor } from "../../model/descriptor";
import type { PageModel } from "../../model/page_model";
import { frameActions } from "./frame_actions";
import { callPlace, callWords, codeWords, inlinedWords } from "./frame_words";
import type { Flame } from "./use_flame";

const SCROLLS_FROM = 160;

// What is known of the chosen frame and its method, and what can be done with them.
export function FramePanel({ model, flame }: { model: PageModel; flame: Flame }) {
  const { tree, straight, unit, cursor, method, isInverted } = flame;
  if (method === undefined) {
    return (
      <p class="contexts-frame dim">Choose a frame or a method for what is known of it. A click zooms in, the right
        button has more.</p>
    );
  }
  const weights = flame.methods.get(method);
  const isLong = model.names.full(method).length > SCROLLS_FROM; // what scrolls is to be reached by keys
  const isAlone = cursor > 0 && !isInverted && weights?.frames === 1;
  const share = (weight: number, all: number) => <dd>{unit.share(weight, all)} of all</dd>;
  const code = [codeWords(flame, cursor), inlinedWords(flame, cursor)].filter(Boolean).join("; ");
  const depth = `${isInverted ? "distance" : "depth"} ${pathOf(tree, cursor).length}`;
  const call = callWords(model, flame, cursor), at = callPlace(flame, cursor);
  return (
    <div class="contexts-frame panel">
      <h2 title={model.names.full(method)} tabIndex={isLong ? 0 : undefined}>{model.names.qualified(method)}
        {" "}<span class="dim">{readableDescriptor(model.names.descriptor(method))}</span></h2>
      <dl>
        {cursor > 0 && (
          <>
            <div><dt>This frame</dt><dd>{isInverted ? unit.format(tree.total[cursor]!)
              : unit.frame(tree.self[cursor]!, tree.total[cursor]!).join(", ")}</dd></div>
            <div><dt>{isInverted ? "of all" : unit.total.title}</dt>{share(tree.total[cursor]!, tree.total[0]!)}</div>
            {!isInverted && <div><dt>{unit.self.title}</dt>{share(tree.self[cursor]!, tree.total[0]!)}</div>}
            {code && <div><dt>code</dt><dd>{code}</dd></div>}
            <div><dt>place</dt><dd>{depth}{call && ", "}
              {at ? <SourceLink model={model} method={at.method} line={at.line}>{call}</SourceLink> : call}</dd></div>
          </>
        )}
        {!weights && <div><dt>The method</dt><dd>is on none of the stacks that are shown.</dd></div>}
        {weights && !isAlone && (
          <>
            <div><dt>The method</dt><dd>{unit.frame(weights.self, weights.total).join(", ")}</dd></div>
            <div><dt>{unit.total.title}</dt>{share(weights.total, straight.total[0]!)}</div>
            <div><dt>{unit.self.title}</dt>{share(weights.self, straight.total[0]!)}</div>
            <div><dt>places</dt><dd>{plural(weights.frames, "frame")}
              {isInverted ? " before inverting" : ""}{weights.isRecursive ? "; it is recursive" : ""}</dd></div>
          </>
        )}
      </dl>
      <p class="contexts-actions">
        {frameActions(model, flame, cursor, method).map(({ title, short, help, key, isOff, run }) => (
          <button key={title} type="button" title={`${title}: ${help}${key ? ` (${key})` : ""}`} disabled={isOff}
            onClick={run}>{short}</button>
        ))}
      </p>
    </div>
  );
}
