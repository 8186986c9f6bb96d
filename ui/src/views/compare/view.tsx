import type { View, ViewProps } from "../../app/view";

function Compare(_: ViewProps) {
  return <p>Compare</p>;
}

export const compareView: View = {
  id: "compare",
  title: "Compare",
  component: Compare,
  missing: () => undefined,
  keys: [],
};
