import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatSmallShare, type Change, type MethodChange } from "../../model/compare";
import { readableDescriptor } from "../../model/descriptor";
import { plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { hasSource, showMethod, showSource } from "../../app/navigate";
import { GraphCanvas, type CanvasHandle } from "../graph/graph_canvas";
import { selectMethod } from "./columns";
import { compareDrawings } from "./graph";

// What changed around a method, as a graph with words beside it.
export function CompareGraph({ model, changes, selected, shares, canvas, legend }: {
  model: PageModel; changes: readonly Change[]; selected: number | undefined;
  shares: MethodChange | undefined; canvas: RefObject<CanvasHandle>;
  legend: RefObject<HTMLUListElement>;
}) {
  const { names } = model;
  const drawings = useMemo(() => compareDrawings(changes, names, selected, model.comparesCalls), [changes, selected]);
  const [picked, pick] = useState({ of: drawings, index: 0 });
  const { hidden } = drawings[picked.of === drawings ? picked.index : 0]!;
  const hiddenByPage = model.data.diff!.hidden;
  if (selected === undefined) return <p class="dim compare-none">Nothing changed: there is no graph to draw.</p>;
  return (
    <section class="compare-graph" aria-label="Graph">
      <div class="compare-words">
        <h2>{names.label(selected)}</h2>
        <p class="mono" title={names.full(selected)}>{names.qualified(selected)} {readableDescriptor(names.descriptor(selected))}</p>
        {shares && model.comparesCalls && <p>{formatSmallShare(shares.before)} of all calls before, {formatSmallShare(shares.after)} after.</p>}
        <ul class="dim" ref={legend}>
          {model.comparesCalls ? (
            <>
              <li><span class="compare-more">▲ red</span>: a larger share of all calls than before</li>
              <li><span class="compare-less">▼ blue</span>: a smaller one</li>
              <li>~ grey, dashed: may be chance</li>
              <li>numbers are percent points of all calls</li>
            </>
          ) : (
            <>
              <li><span class="compare-more">red</span>: a new edge</li>
              <li><span class="compare-less">blue</span>: one that is gone</li>
            </>
          )}
        </ul>
        <p class="dim">
          {hidden > 0 && ` ${plural(hidden, "edge")} with smaller changes ${hidden === 1 ? "is" : "are"} not drawn.`}
          {hiddenByPage > 0 && ` ${plural(hiddenByPage, "small change")} that may be chance ${hiddenByPage === 1 ? "is" : "are"} not in this page.`}
        </p>
        <button type="button" onClick={() => showMethod(model, selected)}>Show in Calls</button>{" "}
        {hasSource(model, selected) && <button type="button" title="The method in its source file (S)" onClick={() => showSource(model, selected)}>Source</button>}
      </div>
      <GraphCanvas handle={canvas} drawings={drawings} onShown={(index) => pick({ of: drawings, index })}
        selected={selected} focus={selected}
        label={`Changes around ${names.qualified(selected)}; the table tells the same in words.`}
        onSelect={(method) => selectMethod(model, method)} />
    </section>
  );
}
