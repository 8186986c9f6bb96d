import type { PageModel } from "../../model/page_model";
import { describeTotals } from "../../model/compare";
import { formatCount, plural } from "../../model/format";
import { profileFacts } from "../../model/profile_facts";

// What two profiles have in common, and how many edges do not.
export function CompareSummary({ model }: { model: PageModel }) {
  const diff = model.data.diff!;
  return (
    <section class="compare-summary" aria-label="Summary">
      <ul class="compare-profiles" aria-label="The profiles">
        {([["before", model.before!], ["after", model.profile]] as const).map(([when, profile]) => (
          <li key={when}><span class="dim">{when}</span> <strong>{profile.name}</strong> {Object.values(profileFacts(profile)).filter(Boolean).join(" · ")}</li>
        ))}
      </ul>
      <p>
        {model.comparesCalls ? <>{describeTotals(model.before!.calls, model.profile.calls)} They overlap by <strong>{diff.overlap.toFixed(2)} %</strong> of all calls.</>
          : "Edges were found, and calls not counted: an edge differs if only one of the profiles has it."}
        {" "}Of {plural(diff.tested, "edge")} <strong>{formatCount(diff.significant)}</strong>{" "}
        {diff.significant === 1 ? "differs" : "differ"}
        {diff.exact ? "." : ` by more than chance (of comparisons of one program with itself, ${Number((100 * diff.error_rate).toPrecision(3))} % list any).`}
      </p>
      {diff.unknown !== "" && <p role="note">Of the two nothing can be said: {diff.unknown}.</p>}
      {diff.filters.length > 0 && (
        <p role="note">They observe different calls ({diff.filters.join(", ")}): a difference may be one of what was observed.</p>
      )}
    </section>
  );
}
