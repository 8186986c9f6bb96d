import type { PageModel } from "../../model/page_model";
import type { Flame } from "./use_flame";

function Choice({ label, value, options, onChange }: {
  label: string; value: string; options: [string, string][]; onChange: (value: string) => void;
}) {
  return (
    <label>{label} <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([id, text]) => <option key={id} value={id}>{text}</option>)}
    </select></label>
  );
}

export function FlameControls({ model, flame }: { model: PageModel; flame: Flame }) {
  const { trees } = model.profile;
  return (
    <>
      {trees.length > 1 && (
        <Choice label="Of" value={String(flame.which)} onChange={(value) => flame.setWhich(Number(value))}
          options={trees.map((tree, i) => [String(i), tree.unit === "samples" ? "time samples" : tree.unit])} />
      )}
      <Choice label="As" value={flame.shape} onChange={flame.setShape}
        options={[["flame", "flame graph"], ["icicle", "icicle"]]} />
      <Choice label="Order" value={flame.order} onChange={flame.setOrder}
        options={[["weight", "heaviest first"], ["name", "by name"]]} />
      {flame.contexts.level && (
        <Choice label="Colour" value={flame.colour} onChange={flame.setColour}
          options={[["code", "by code"], ["package", "by package"]]} />
      )}
      <button type="button" aria-pressed={flame.isInverted} title="From where stacks end to their callers (i)"
        onClick={flame.invert}>Inverted</button>
      <button type="button" title="A method that calls itself is one frame (r)"
        aria-pressed={flame.transforms.some(({ kind }) => kind === "recursion")}
        onClick={flame.toggleRecursion}>No recursion</button>
    </>
  );
}
