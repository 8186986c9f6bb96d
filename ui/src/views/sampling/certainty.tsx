import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { MethodName } from "../../components/method_name";
import { bandLabel, certaintyBands, formatRelative, type Certainty } from "../../model/certainty";
import { formatCount, formatShare } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { CertaintyChart } from "./certainty_chart";
import { FactTable } from "./fact_table";

const HOTTEST = 10;

// How sure edges are, by how often they are taken.
export function CertaintySection({ model, sure, svg }: {
  model: PageModel; sure: readonly Certainty[]; svg: RefObject<SVGSVGElement>;
}) {
  const bands = useMemo(() => certaintyBands(sure), [sure]);
  const { edges } = model.graph;
  const hottest = sure.slice(0, HOTTEST);
  return (
    <section class="panel" aria-label="Certainty">
      <h2>How sure are the hot edges?</h2>
      <CertaintyChart sure={sure} svg={svg} />
      <FactTable label="Edges by their share of all calls" columns={[{ title: "share of all calls", short: true },
        { title: "edges", numeric: true }, { title: "of all calls", numeric: true },
        { title: "± median", numeric: true }, { title: "± worst", numeric: true }]}
        rows={bands.map((band) => [bandLabel(band), formatCount(band.edges), formatShare(band.calls),
          formatRelative(band.median), formatRelative(band.worst)])} />
      <h3>The {formatCount(hottest.length)} most called of {formatCount(sure.length)} edges</h3>
      <FactTable label="The most called edges" columns={[{ title: "caller → callee" },
        { title: "share", numeric: true }, { title: "±", numeric: true }, { title: "by", short: true }]}
        rows={hottest.map(({ edge, share, relative, isInferred }) => [
          <span class="sampling-edge">
            <MethodName model={model} method={edges.caller[edge]!} /> → <MethodName model={model} method={edges.callee[edge]!} />
          </span>,
          formatShare(share), formatRelative(relative), isInferred ? "inference" : "samples",
        ])} />
    </section>
  );
}
