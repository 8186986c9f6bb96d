import type { View, ViewProps } from "../../app/view";

function Sampling(_: ViewProps) {
  return <p>Trust</p>;
}

export const samplingView: View = {
  id: "sampling",
  title: "Trust",
  component: Sampling,
  missing: () => undefined,
  keys: [],
};
