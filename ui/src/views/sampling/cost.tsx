import type { ProfileData } from "../../data/page_data";
import { formatShare, formatTime } from "../../model/format";
import { countingCost, recordingCost } from "../../model/recording_cost";
import { FactTable } from "./fact_table";

// What recording took, by the agent's own measure.
export function CostSection({ profile }: { profile: ProfileData }) {
  const cost = recordingCost(profile), counting = countingCost(profile);
  const agent = `The agent's threads used ${formatTime(profile.agent_cpu_ns)} of CPU time in a run of ${formatTime(profile.duration_ns)}.`;
  return (
    <section class="panel" aria-label="Cost">
      <h2>What recording cost</h2>
      {counting && (
        <p>Counting a call takes about {formatTime(counting.addedNs)} on that machine
          {counting.walksNs * 10 > counting.share * counting.programNs &&
            `, and ${formatTime(counting.walksNs)} went into walks of stacks, to find callers that had not announced their calls`}: about {formatShare(Math.min(1, counting.share))} of
          the program's {formatTime(counting.programNs)} of CPU time
          {Number.isFinite(counting.factor) && `, so that it ran about ${counting.factor.toFixed(2)} times as long`}. {agent}</p>
      )}
      {!cost ? !counting && <p>{profile.agent_cpu_ns > 0 ? agent : "It was not measured."}</p> : (
        <>
          <p>{formatShare(cost.share)} of the program's {formatTime(cost.programNs)} of CPU time
            {Number.isFinite(cost.budget) && `; the budget for observing calls was ${formatShare(cost.budget)}`}. {agent}</p>
          <FactTable label="Cost by what it was for" columns={[{ title: "for" }, { title: "CPU time", numeric: true },
            { title: "of the program's", numeric: true }]}
            rows={cost.parts.map(({ words, ns, share }) => [words, formatTime(ns), formatShare(share)])} />
        </>
      )}
    </section>
  );
}
