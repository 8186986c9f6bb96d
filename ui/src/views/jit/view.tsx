import type { View, ViewProps } from "../../app/view";

function Jit(_: ViewProps) {
  return <p>JIT</p>;
}

export const jitView: View = {
  id: "jit",
  title: "JIT",
  component: Jit,
  missing: () => undefined,
  keys: [],
};
