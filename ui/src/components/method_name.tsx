import { showMethod } from "../app/navigate";
import { readableDescriptor } from "../model/names";
import type { PageModel } from "../model/page_model";

// A method's name; a click shows it in the call graph, or does what `onClick` says.
export function MethodName({ model, method, onClick, long = false }: {
  model: PageModel; method: number; onClick?: () => void; long?: boolean;
}) {
  const { names } = model;
  const text = long ? names.qualified(method) : names.short(method);
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
