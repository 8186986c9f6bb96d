import type { View, ViewProps } from "../../app/view";

function Contexts(_: ViewProps) {
  return <p>Contexts</p>;
}

export const contextsView: View = {
  id: "contexts",
  title: "Contexts",
  component: Contexts,
  missing: () => undefined,
  keys: [],
};
