import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts";
import { itemsOf } from "../../components/export_words";
import { ExportMenu } from "../../components/export_menu";
import { formatCount, formatTime, plural } from "../../model/format";
import { compileLanes } from "../../model/compile_lanes";
import type { JitLedger } from "../../model/jit_ledger";
import type { PageModel } from "../../model/page_model";
import { moved, zoomed, type TimeSpan } from "../../model/time_axis";
import { setParams, useParams } from "../../state/url_state";
import { DEOPT_HEIGHT, drawTimeline, itemAt, LANE_HEIGHT, AXIS_HEIGHT, LEFT, type Drawn } from "./timeline_drawing";
import { compilationTitle } from "./method_timeline";
import { selectMethod, type JitState } from "./jit_state";
import { useMedia } from "../../components/use_media";
import { useWidth } from "../../components/use_size";
import { longest, longestText, LongestTable } from "./longest_table";
import { Swatch } from "./warm_up_chart";

const COMMIT_MS = 250;

// The time shown; in the address once it rests.
function useSpan(whole: TimeSpan): [TimeSpan, (next: TimeSpan) => void] {
  const params = useParams();
  const from = params.get("jfrom"), to = params.get("jto");
  const stored = useMemo<TimeSpan>(() => {
    const begin = Number(from ?? NaN), end = Number(to ?? NaN);
    return begin < end && begin >= whole[0] && end <= whole[1] ? [begin, end] : whole;
  }, [from, to, whole]);
  const [span, setSpan] = useState(stored);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => setSpan(stored), [stored]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [span, (next) => {
    setSpan(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const isWhole = next[0] <= whole[0] && next[1] >= whole[1];
      setParams({ jfrom: isWhole ? undefined : String(Math.round(next[0])), jto: isWhole ? undefined : String(Math.round(next[1])) }, "replace");
    }, COMMIT_MS);
  }];
}

// What each compiler thread compiled when.
export function RunTimeline({ model, ledger, state }: { model: PageModel; ledger: JitLedger; state: JitState }) {
  const { jit } = ledger;
  const box = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null), legend = useRef<HTMLUListElement>(null);
  const width = useWidth(box, 800);
  const lanes = useMemo(() => compileLanes(jit, (index) => ledger.string(index)), [jit]);
  const whole = useMemo<TimeSpan>(() => [0, Math.max(1, jit.end_ns)], [jit]);
  const [span, setSpan] = useSpan(whole);
  const [near, setNear] = useState<number>();
  const drawn = useRef<Drawn>({ boxes: [] });
  const selected = useMemo(() => new Set(state.method === undefined ? []
    : ledger.jitMethodsOf(state.method).flatMap((each) => [...ledger.compilationsOf(each)])), [ledger, state.method]);
  const hasDeopts = jit.deoptimizations.time_ns.length > 0;
  const height = AXIS_HEIGHT + lanes.length * LANE_HEIGHT + (hasDeopts ? DEOPT_HEIGHT : 0);
  const scheme = useColourScheme();
  useEffect(() => {
    if (canvas.current) drawn.current = drawTimeline(canvas.current, { ledger, lanes, span, width, height, selected, near, names: model.names });
  }, [ledger, lanes, span, width, height, selected, near, scheme]);

  const nsAt = (x: number) => span[0] + (span[1] - span[0]) * Math.max(0, Math.min(1, (x - LEFT) / Math.max(1, width - LEFT)));
  const middle = (span[0] + span[1]) / 2, size = span[1] - span[0];
  const nearer = () => setSpan(zoomed(span, middle, 0.5, whole)), further = () => setSpan(zoomed(span, middle, 2, whole));
  const all = () => setSpan(whole);
  useShortcuts({ "+": nearer, "=": nearer, "-": further, 0: all });
  useWheel(canvas, (event) => {
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
      setSpan(moved(span, size * (event.deltaX || event.deltaY) / Math.max(1, width), whole));
    } else {
      setSpan(zoomed(span, nsAt(event.offsetX), 1.0015 ** event.deltaY, whole));
    }
  });
  const drag = useRef<{ x: number; span: TimeSpan; isMoved: boolean }>();
  const list = useMemo(() => longest(ledger, span), [ledger, span]);
  const tip = near === undefined ? undefined : `${model.names.qualified(ledger.methodOfCompilation(near))}: ${compilationTitle(ledger, near)}`;
  const inWords = lanes.map(({ thread, items, busyNs }) =>
    `${thread} ${formatCount(items.length)}, busy ${formatTime(busyNs)}`).join("; ");
  return (
    <section class="jit-tab jit-run" aria-label="Timeline of compilations">
      <div class="jit-filters">
        <span class="jit-group" role="group" aria-label="Time shown">
          <button type="button" onClick={nearer} title="Nearer (+)">+<span class="sr"> Nearer</span></button>
          <button type="button" onClick={further} title="Further (-)">−<span class="sr"> Further</span></button>
          <button type="button" onClick={() => setSpan(moved(span, -size / 2, whole))} title="Earlier">←<span class="sr"> Earlier</span></button>
          <button type="button" onClick={() => setSpan(moved(span, size / 2, whole))} title="Later">→<span class="sr"> Later</span></button>
          <button type="button" onClick={all} title="All (0)">All</button>
        </span>
        <ul class="jit-legend" ref={legend}>
          <li><Swatch kind="l1" /> C1</li><li><Swatch kind="l4" /> C2</li>
          {hasDeopts && <li>✕ deoptimized</li>}
        </ul>
        <ExportMenu name="compilations" canvas={() => canvas.current ?? undefined}
          words={() => ({ caption: `${model.profile.name}: compilations by thread`, legend: itemsOf(legend.current) })} text={() => longestText(model, ledger, list)} />
      </div>
      <p class="dim jit-count" role="status">
        {formatTime(span[0])} to {formatTime(span[1])}: {plural(list.count, "compilation")}, {formatTime(list.compileNs)}.
        Of those in one pixel one is drawn. Wheel: nearer, further; drag: move.
      </p>
      <div ref={box} class="jit-lanes">
        <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} role="img" tabIndex={0}
          aria-label={`Compilations by thread: ${inWords}. The table below has the longest.`}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -0.1, ArrowRight: 0.1, PageUp: -0.9, PageDown: 0.9 }[event.key];
            if (by === undefined) return;
            setSpan(moved(span, by * size, whole));
            event.preventDefault();
          }}
          onPointerDown={(event) => {
            drag.current = { x: event.offsetX, span, isMoved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={(event) => {
            const from = drag.current;
            if (!from) { setNear(itemAt(drawn.current, event.offsetX, event.offsetY)); return; }
            if (Math.abs(event.offsetX - from.x) > 3) from.isMoved = true;
            if (from.isMoved) setSpan(moved(from.span, (from.x - event.offsetX) / Math.max(1, width - LEFT) * size, whole));
          }}
          onPointerUp={(event) => {
            const isClick = drag.current?.isMoved === false;
            drag.current = undefined;
            const item = isClick ? itemAt(drawn.current, event.offsetX, event.offsetY) : undefined;
            if (item !== undefined) selectMethod(model, ledger.methodOfCompilation(item));
          }}
          onPointerCancel={() => { drag.current = undefined; }}
          onPointerLeave={() => setNear(undefined)} />
      </div>
      <p class="jit-tip mono" aria-hidden="true">{tip ?? " "}</p>
      <LongestTable model={model} ledger={ledger} list={list} selected={selected} />
    </section>
  );
}

// Wheel listeners of Preact are passive in some browsers: the page would scroll, too.
function useWheel(target: { current: HTMLElement | null }, action: (event: WheelEvent) => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const element = target.current;
    const listener = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(event);
    };
    element?.addEventListener("wheel", listener, { passive: false });
    return () => element?.removeEventListener("wheel", listener);
  }, []);
}

// Changes with the page's colours, which a canvas does not follow by itself.
function useColourScheme(): string {
  const theme = useParams().get("theme") ?? "";
  const isDark = useMedia("(prefers-color-scheme: dark)");
  return `${theme} ${isDark}`;
}
