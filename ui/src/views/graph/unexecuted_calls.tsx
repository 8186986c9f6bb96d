import { shortOfFullName } from "../../model/descriptor";
import { plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { unexecutedIn } from "../../model/unexecuted";

const MOST = 200; // that are listed

// The calls in a method that no thread executed, of a recording that knows them (--mode edges).
export function UnexecutedCalls({ model, method }: { model: PageModel; method: number }) {
  const calls = method < 0 ? undefined : unexecutedIn(model.profile, method);
  if (!calls || calls.length === 0) return null;
  return (
    <details class="graph-unexecuted">
      <summary>{plural(calls.length, "call")} in it {calls.length === 1 ? "was" : "were"} never executed</summary>
      <ul>
        {calls.slice(0, MOST).map(({ bci, line, callee }) => {
          const full = model.data.strings[callee]!;
          return <li key={bci}><span class="mono" title={full}>{shortOfFullName(full)}</span> <span class="dim">{line > 0 ? model.names.at(method, line) : `bytecode ${bci}`}</span></li>;
        })}
      </ul>
      {calls.length > MOST && <p class="dim">And {calls.length - MOST} more: yp tests P --unexecuted.</p>}
    </details>
  );
}
