import { BUSIEST } from "../../model/neighbourhood";
import { MAX_STEPS, type GraphState } from "./use_graph_state";

const PERCENTS = [0, 0.1, 0.5, 1, 2, 5, 10, 20];

// How far the graph goes, what it leaves out, and how it is drawn.
// `shown`: what is drawn where the address leaves it to the room.
export function GraphControls({ state, shown, hasCounts }: {
  state: GraphState; shown: { callers: number; callees: number; direction: "down" | "right" }; hasCounts: boolean;
}) {
  const other = shown.direction === "down" ? "right" : "down";
  const percents = [...new Set([...PERCENTS, state.percent])].sort((a, b) => a - b);
  return (
    <div class="graph-controls" role="group" aria-label="What the graph shows">
      <Steps label="Callers" keys="u U" value={shown.callers} onChange={state.setCallers} />
      <Steps label="Callees" keys="d D" value={shown.callees} onChange={state.setCallees} />
      <button type="button" title="Whether callees are to the right or below (l)"
        onClick={() => state.setDirection(other)}>
        <span aria-hidden="true">{shown.direction === "down" ? "↓" : "→"}</span>
        <span class="sr">Layout: callees {shown.direction === "down" ? "below" : "to the right"}</span>
      </button>
      {hasCounts && (
        <label title={`The selected method's ${BUSIEST} busiest callers and callees are shown in any case`}>At least
          <select value={String(state.percent)} onChange={(event) => state.setPercent(Number(event.currentTarget.value))}>
            {percents.map((percent) => <option key={percent} value={String(percent)}>{percent} %</option>)}
          </select>
          <span class="sr">of</span>
          <select value={state.of} aria-label="Percent of what" onChange={(event) => state.setOf(event.currentTarget.value)}>
            <option value="method">of its calls</option>
            <option value="all">of all calls</option>
          </select>
        </label>
      )}
      <label>Group
        <select value={state.by} onChange={(event) => state.setBy(event.currentTarget.value)}>
          <option value="none">none</option>
          <option value="class">class</option>
          <option value="package">package</option>
        </select>
      </label>
    </div>
  );
}

function Steps({ label, keys, value, onChange }: {
  label: string; keys: string; value: number; onChange: (value: number) => void;
}) {
  return (
    <span class="graph-steps" role="group" aria-label={`Steps of ${label.toLowerCase()}`} title={`Steps of ${label.toLowerCase()} (${keys})`}>
      {label}
      <button type="button" disabled={value <= 0} onClick={() => onChange(value - 1)}>−<span class="sr"> one step less of {label.toLowerCase()}</span></button>
      <output>{value}</output>
      <button type="button" disabled={value >= MAX_STEPS} onClick={() => onChange(value + 1)}>+<span class="sr"> one step more of {label.toLowerCase()}</span></button>
    </span>
  );
}
