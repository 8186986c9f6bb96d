import { useState } from "preact/hooks";
import { sourceAround } from "../model/source_lines";
import type { PageModel } from "../model/page_model";

const AROUND = 8;

// A line of a source file, and those around it when asked for. Nothing in a page without sources.
export function SourceCode({ model, path, line }: { model: PageModel; path: string; line: number }) {
  const [isLong, setLong] = useState(false);
  if (model.data.sources === null) return null;
  const lines = sourceAround(model.data.sources, path, line, isLong ? AROUND : 0);
  if (lines.length === 0) return <p class="dim">The page does not have the code of {path || "this class"}{line > 0 && `, line ${line}`}.</p>;
  return (
    <div>
      <pre class="source-code" tabIndex={0} aria-label={`Code of ${path}`}>
        {lines.map((each) => (
          <code key={each.line} class={each.line === line ? "here" : undefined}>
            <span class="dim">{String(each.line).padStart(5)} {each.line === line ? "▶" : " "} </span>{each.text}{"\n"}
          </code>
        ))}
      </pre>
      <button type="button" aria-pressed={isLong} onClick={() => setLong(!isLong)}>Lines around</button>
    </div>
  );
}
