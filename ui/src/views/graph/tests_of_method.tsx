import { formatShare, formatTime, plural } from "../../model/format";
import type { PageModel } from "../../model/page_model";
import { testsOf } from "../../model/tests";

const MOST = 200; // that are listed

// Which tests reach a method, of a suite that was recorded with its tests.
export function TestsOfMethod({ model, method }: { model: PageModel; method: number }) {
  const { tests } = model.profile, reaching = testsOf(model.profile, method);
  if (!tests || !reaching || method < 0) return null;
  const all = tests.name.length;
  if (reaching.length === 0) return <p class="graph-tests">No test of {all} reaches it.</p>;
  return (
    <details class="graph-tests">
      <summary>{plural(reaching.length, "test")} of {all} ({formatShare(reaching.length / all)}) {reaching.length === 1 ? "reaches" : "reach"} it</summary>
      <ul>
        {reaching.slice(0, MOST).map((test) => (
          <li key={test}>{tests.name[test]} <span class="dim">{formatTime(tests.duration_ns[test]!)}, {plural(tests.methods[test]!, "method")}</span></li>
        ))}
      </ul>
      {reaching.length > MOST && <p class="dim">And {reaching.length - MOST} more: yp tests P --method NAME.</p>}
    </details>
  );
}
