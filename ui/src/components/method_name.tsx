import { showMethod } from "../app/navigate";
import { readableDescriptor } from "../model/descriptor";
import type { Names } from "../model/names";
import type { PageModel } from "../model/page_model";

// A method's label; where there is no room for it, the parameters give way first, then the class, the
// method last. The beginning of each stays.
export function MethodLabel({ names, method }: { names: Names; method: number }) {
  const { type, name, parameters } = names.labelParts(method);
  // Together no more than there is: each is cut by an ellipsis, none by the end of the cell.
  const atLeast = (text: string, characters: number, percent: number) =>
    ({ minWidth: `min(${Math.min(text.length, characters)}ch, ${percent}%)` });
  const dotted = type ? `.${name}` : name;
  return (
    <span class="method-label">
      <span class="sr">{names.label(method)}</span>
      <span class="type" aria-hidden="true" style={atLeast(type, 8, 24)}>{type}</span>
      <span class="own" aria-hidden="true" style={atLeast(dotted, 12, 56)}>{dotted}</span>
      <span class="parameters" aria-hidden="true" style={atLeast(parameters, 6, 20)}>{parameters}</span>
    </span>
  );
}

// A method's name; a click shows it in the call graph, or does what `onClick` says.
export function MethodName({ model, method, onClick, long = false }: {
  model: PageModel; method: number; onClick?: () => void; long?: boolean;
}) {
  const { names } = model;
  const text = long ? names.qualified(method) : <MethodLabel names={names} method={method} />;
  if (method < 0) return <span class="method root">{text}</span>;
  return (
    <button type="button" class="method" title={`${names.full(method)}\n${readableDescriptor(names.descriptor(method))}`}
      onClick={(event) => {
        event.stopPropagation();
        if (onClick) onClick();
        else showMethod(model, method);
      }}>{text}</button>
  );
}
