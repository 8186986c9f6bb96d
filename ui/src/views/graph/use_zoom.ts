import { select } from "d3-selection";
import { zoom as d3Zoom, zoomIdentity, zoomTransform, type ZoomBehavior } from "d3-zoom";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LayoutOutput, Point } from "../../model/layered_layout";

const MIN_SCALE = 0.05, MAX_SCALE = 4;
const LEGIBLE_SCALE = 0.75; // Below, labels of 12 px are hard to read.
const MARGIN = 24;

export interface Zoom {
  fit(): void;
  by(factor: number): void;
  reveal(place: Point | undefined): void;
}

// Pan and zoom of a group in an SVG. A new layout is shown whole if that is legible; otherwise
// around `focus`.
export function useZoom(svg: RefObject<SVGSVGElement>, content: RefObject<SVGGElement>,
                        output: LayoutOutput | undefined, focus: Point | undefined): Zoom {
  const behavior = useRef<ZoomBehavior<SVGSVGElement, unknown>>();
  const latest = useRef({ output, focus });
  latest.current = { output, focus };

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const zooming = d3Zoom<SVGSVGElement, unknown>().scaleExtent([MIN_SCALE, MAX_SCALE])
      .on("zoom", (event: { transform: { toString(): string } }) => {
        content.current?.setAttribute("transform", event.transform.toString());
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
      if (!box || !all || box.width === 0) return 1;
      return Math.min(1, (box.width - 2 * MARGIN) / all.width, (box.height - 2 * MARGIN) / all.height);
    };
    const middleOfAll = () =>
      ({ x: (latest.current.output?.width ?? 0) / 2, y: (latest.current.output?.height ?? 0) / 2 });
    // A middle near to `at`, so that no more of the view is empty than there must be.
    const withoutVoid = (at: Point, scale: number): Point => {
      const box = svg.current!.getBoundingClientRect(), all = latest.current.output!;
      const along = (place: number, seen: number, whole: number) => {
        const half = (seen / 2 - MARGIN) / scale;
        return 2 * half >= whole ? whole / 2 : Math.max(half, Math.min(whole - half, place));
      };
      return { x: along(at.x, box.width, all.width), y: along(at.y, box.height, all.height) };
    };
    return {
      fit: () => show(Math.max(MIN_SCALE, scaleOfAll()), middleOfAll()),
      open: () => {
        const scale = scaleOfAll(), { focus: at } = latest.current;
        if (scale >= LEGIBLE_SCALE || !at) show(Math.max(MIN_SCALE, scale), middleOfAll());
        else show(LEGIBLE_SCALE, withoutVoid(at, LEGIBLE_SCALE));
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
  return actions;
}
