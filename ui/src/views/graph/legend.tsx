import type { RefObject } from "preact";
import type { ProfileData } from "../../data/page_data";

// What the marks in a graph of calls mean.
export function GraphLegend({ profile, list }: { profile: ProfileData; list: RefObject<HTMLUListElement> }) {
  const hasCounts = profile.kind !== "edges", isExact = profile.kind === "exact";
  const marks: (readonly [mark: string, means: string] | false)[] = [
    hasCounts && ["width", "more calls, by their square root"],
    hasCounts && !isExact && ["├•┤", "calls and their 95 % interval, on a logarithmic scale that all edges share"],
    hasCounts && !isExact && ["dashed", "mostly inferred from what was inlined"],
    hasCounts && ["⊂", "all its calls were inlined"],
    ["↻", "calls itself"],
    ["+3", "so many callers or callees are not shown"],
  ];
  return (
    <details class="graph-legend">
      <summary>Legend</summary>
      <ul ref={list}>{marks.map((mark) => mark && <li key={mark[0]}><strong>{mark[0]}</strong>: {mark[1]}</li>)}</ul>
    </details>
  );
}
