import { useEffect, useState } from "preact/hooks";
import source from "worker:./layout_worker";
import type { LayoutOutput } from "../../model/layered_layout";
import type { LayoutChoice } from "../../model/layout_choice";

interface Answer { request: number; index?: number; output?: LayoutOutput; error?: string }

// One worker serves all canvases of the page: it is made when the first asks.
let worker: Worker | undefined;
let requests = 0;

function layoutWorker(): Worker {
  return (worker ??= new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
}

export interface Layout {
  choice: LayoutChoice | undefined; // of the output
  index: number; // of its inputs: the one that is to be drawn
  output: LayoutOutput | undefined; // the last that was made
  busy: boolean; // there will be another
  error: string | undefined;
}

// Places for what is chosen of the inputs, made in a worker; until they come the last ones stay.
// Nothing is made before the room is known.
export function useLayout(choice: LayoutChoice | undefined): Layout {
  const [layout, setLayout] = useState<Layout>(
    { choice: undefined, index: 0, output: undefined, busy: true, error: undefined });
  useEffect(() => {
    if (!choice) return;
    const request = ++requests;
    setLayout((last) => ({ ...last, busy: true }));
    const done = ({ index = 0, output, error }: Omit<Answer, "request">) =>
      setLayout({ choice, index, output, error, busy: false });
    const listener = (event: MessageEvent<Answer>) => {
      if (event.data.request !== request) return;
      performance.mark("yp-layout");
      done(event.data);
    };
    let target: Worker | undefined;
    try {
      target = layoutWorker();
      target.addEventListener("message", listener);
      target.postMessage({ request, choice });
    } catch (error) {
      done({ error: error instanceof Error ? error.message : String(error) });
    }
    return () => target?.removeEventListener("message", listener);
  }, [choice]);
  return layout;
}
