import type { View, ViewProps } from "../../app/view";

function Graph(_: ViewProps) {
  return <p>Calls</p>;
}

export const graphView: View = {
  id: "graph",
  title: "Calls",
  component: Graph,
  missing: () => undefined,
  keys: [],
};
