import { select } from "d3-selection";
import { zoom as d3Zoom, zoomIdentity, zoomTransform, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LayoutOutput, Point, Size } from "../../model/layered_layout";
import { fitScale, LEAST_SCALE, LEGIBLE_SCALE, MARGIN_PX, shownWhole, type Box } from "../../model/layout_choice";

const MIN_SCALE = 0.05, MAX_SCALE = 4;
const CLEAR_PX = 4; // beside the buttons

// The part of a drawing that is in sight, in the drawing's pixels.
export interface SeenPart { x: number; y: number; width: number; height: number }

export interface Zoom {
  fit(): void;
  by(factor: number): void;
  reveal(place: Point | undefined): void;
  centre(place: Point): void;
  // Calls the listener with the part that is in sight, now and when it changes: nothing while that is
  // all. Ends when what it gives is called.
  watch(listener: (part: SeenPart | undefined) => void): () => void;
}

// Pan and zoom of a group in an SVG. A new layout is shown whole if that is legible; otherwise
// around `focus`. `nodes` are those of the layout, `corner` is the room that buttons take at the lower right.
export function useZoom(svg: RefObject<SVGSVGElement>, content: RefObject<SVGGElement>,
                        output: LayoutOutput | undefined, focus: Point | undefined, size: Size, nodes: readonly Box[],
                        corner: RefObject<HTMLElement>): Zoom {
  const behavior = useRef<ZoomBehavior<SVGSVGElement, unknown>>();
  const latest = useRef({ output, focus, nodes });
  latest.current = { output, focus, nodes };
  const part = useRef<SeenPart>();
  const listeners = useRef(new Set<(part: SeenPart | undefined) => void>());
  const isOwn = useRef(false); // a change that is not a person's
  const isMoved = useRef(false);

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const zooming = d3Zoom<SVGSVGElement, unknown>().scaleExtent([MIN_SCALE, MAX_SCALE])
      .on("zoom", (event: { transform: ZoomTransform }) => {
        content.current?.setAttribute("transform", event.transform.toString());
        if (!isOwn.current) isMoved.current = true;
        part.current = partInSight(element, event.transform, latest.current.output);
        for (const listener of listeners.current) listener(part.current);
      });
    behavior.current = zooming;
    select(element).call(zooming).on("dblclick.zoom", null);
    return () => { select(element).on(".zoom", null); };
  }, []);

  const actions = useMemo(() => {
    const show = (scale: number, middle: Point) => {
      const element = svg.current;
      if (!element || !behavior.current) return;
      const { width, height } = element.getBoundingClientRect();
      select(element).call(behavior.current.transform, zoomIdentity
        .translate(width / 2 - middle.x * scale, height / 2 - middle.y * scale).scale(scale));
    };
    const scaleOfAll = () => {
      const box = svg.current?.getBoundingClientRect(), all = latest.current.output;
      return !box || !all || box.width === 0 ? 1 : fitScale(all, box);
    };
    const showAll = () => {
      const element = svg.current, { output: all, nodes: boxes } = latest.current;
      if (!element || !all || !behavior.current) return;
      const room = element.getBoundingClientRect(), tools = corner.current?.getBoundingClientRect();
      const taken = { width: tools ? room.right - tools.left + CLEAR_PX : 0, height: tools ? room.bottom - tools.top + CLEAR_PX : 0 };
      const { scale, x, y } = shownWhole(all, boxes, room, taken);
      if (scale < MIN_SCALE) show(MIN_SCALE, { x: all.width / 2, y: all.height / 2 });
      else select(element).call(behavior.current.transform, zoomIdentity.translate(x, y).scale(scale));
    };
    // A middle near to `at`, so that no more of the view is empty than there must be.
    const withoutVoid = (at: Point, scale: number): Point => {
      const box = svg.current!.getBoundingClientRect(), all = latest.current.output!;
      const along = (place: number, seen: number, whole: number) => {
        const half = (seen / 2 - MARGIN_PX) / scale;
        return 2 * half >= whole ? whole / 2 : Math.max(half, Math.min(whole - half, place));
      };
      return { x: along(at.x, box.width, all.width), y: along(at.y, box.height, all.height) };
    };
    return {
      fit: showAll,
      open: () => {
        isOwn.current = true;
        isMoved.current = false;
        const scale = scaleOfAll(), { focus: at } = latest.current;
        if (scale >= LEAST_SCALE || !at) showAll();
        else show(LEGIBLE_SCALE, withoutVoid(at, LEGIBLE_SCALE));
        isOwn.current = false;
      },
      centre: (place: Point) => {
        if (svg.current) show(zoomTransform(svg.current).k, place);
      },
      watch: (listener: (part: SeenPart | undefined) => void) => {
        listeners.current.add(listener);
        listener(part.current);
        return () => { listeners.current.delete(listener); };
      },
      by: (factor: number) => {
        if (svg.current && behavior.current) select(svg.current).call(behavior.current.scaleBy, factor);
      },
      reveal: (place: Point | undefined) => {
        const element = svg.current;
        if (!element || !place) return;
        const { width, height } = element.getBoundingClientRect();
        const [x, y] = zoomTransform(element).apply([place.x, place.y]);
        if (x > 60 && y > 30 && x < width - 60 && y < height - 30) return;
        show(zoomTransform(element).k, place);
      },
    };
  }, []);

  useEffect(() => {
    if (output) actions.open();
  }, [output]);
  useEffect(() => {
    if (latest.current.output && !isMoved.current) actions.open();
  }, [size.width, size.height]);
  return actions;
}

function partInSight(svg: SVGSVGElement, transform: ZoomTransform, all: LayoutOutput | undefined): SeenPart | undefined {
  if (!all) return undefined;
  const { width, height } = svg.getBoundingClientRect();
  const [left, top] = transform.invert([0, 0]), [right, bottom] = transform.invert([width, height]);
  const isWhole = left <= 1 && top <= 1 && right >= all.width - 1 && bottom >= all.height - 1;
  return isWhole ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}
