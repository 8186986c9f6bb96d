import { showSource } from "../app/navigate";
import { sourceAround, whyNoSource } from "../model/source_text";
import type { PageModel } from "../model/page_model";

const AROUND = 2;

// A line of a method's source file with those around it, and the way to the whole file.
export function SourceCode({ model, method, line }: { model: PageModel; method: number; line: number }) {
  const path = model.names.sourcePath(method), { sources } = model.data;
  if (!path || line <= 0) return null;
  const lines = sourceAround(sources, path, line, AROUND);
  return (
    <div>
      {lines.length > 0 ? (
        <pre class="source-code" tabIndex={0} aria-label={`Code of ${path}`}>
          {lines.map((each) => (
            <code key={each.line} class={each.line === line ? "here" : undefined}>
              <span class="dim">{String(each.line).padStart(5)} {each.line === line ? "▶" : " "} </span>{each.text}{"\n"}
            </code>
          ))}
        </pre>
      ) : sources !== null && <p class="dim">{whyNoSource(sources, path) || `${path} has no line ${line}: the page has another version of it.`}</p>}
      <button type="button" onClick={() => showSource(model, method, line)}>Show in Source</button>
    </div>
  );
}
