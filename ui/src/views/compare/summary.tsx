import type { PageModel } from "../../model/page_model";
import { formatCount, plural } from "../../model/format";

// What two profiles have in common, and how many edges do not.
export function CompareSummary({ model }: { model: PageModel }) {
  const diff = model.data.diff!;
  return (
    <section class="compare-summary" aria-label="Summary">
      <p>
        <strong>{model.before!.name}</strong> before, <strong>{model.profile.name}</strong> after:
        {model.comparesCalls ? <>they overlap by <strong>{diff.overlap.toFixed(1)} %</strong> of all calls.</>
          : "edges were found, and calls not counted, so that an edge differs if only one of them has it."}
        {" "}Of {plural(diff.tested, "edge")} <strong>{formatCount(diff.significant)}</strong>{" "}
        {diff.significant === 1 ? "differs" : "differ"}
        {diff.exact ? "." : ` by more than chance (of comparisons of one program with itself, ${Number((100 * diff.error_rate).toPrecision(3))} % find any).`}
      </p>
      {diff.unknown !== "" && <p role="note">Of the two nothing can be said: {diff.unknown}.</p>}
      {diff.filters.length > 0 && (
        <p role="note">They observe different calls ({diff.filters.join(", ")}): a difference may be one of what was observed.</p>
      )}
    </section>
  );
}
