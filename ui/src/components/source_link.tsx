import type { ComponentChildren } from "preact";
import { hasSource, showSource } from "../app/navigate";
import type { PageModel } from "../model/page_model";

// A place in a method's source file, which a click shows; plain text where it is not known.
export function SourceLink({ model, method, line, children }: {
  model: PageModel; method: number; line: number; children: ComponentChildren;
}) {
  if (line <= 0 || !hasSource(model, method)) return <>{children}</>;
  return (
    <button type="button" class="place" title={`${model.names.at(method, line)}: show the source`}
      onClick={(event) => {
        event.stopPropagation();
        showSource(model, method, line);
      }}>{children}</button>
  );
}
