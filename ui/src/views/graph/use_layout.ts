import { useEffect, useState } from "preact/hooks";
import source from "worker:./layout_worker";
import type { LayoutInput, LayoutOutput } from "../../model/layered_layout";

interface Answer { request: number; output?: LayoutOutput; error?: string }

// One worker serves all canvases of the page: it is made when the first asks.
let worker: Worker | undefined;
let requests = 0;

function layoutWorker(): Worker {
  return (worker ??= new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
}

export interface Layout {
  input: LayoutInput | undefined; // of the output: what is to be drawn
  output: LayoutOutput | undefined; // the last that was made
  busy: boolean; // there will be another
  error: string | undefined;
}

// Places for the input, made in a worker; until they come the last ones stay.
export function useLayout(input: LayoutInput): Layout {
  const [layout, setLayout] = useState<Layout>(
    { input: undefined, output: undefined, busy: true, error: undefined });
  useEffect(() => {
    const request = ++requests;
    setLayout((last) => ({ ...last, busy: true }));
    const done = (answer: Omit<Layout, "busy" | "input">) => setLayout({ ...answer, input, busy: false });
    const listener = (event: MessageEvent<Answer>) => {
      if (event.data.request !== request) return;
      performance.mark("yp-layout");
      done({ output: event.data.output, error: event.data.error });
    };
    let target: Worker | undefined;
    try {
      target = layoutWorker();
      target.addEventListener("message", listener);
      target.postMessage({ request, input });
    } catch (error) {
      done({ output: undefined, error: error instanceof Error ? error.message : String(error) });
    }
    return () => target?.removeEventListener("message", listener);
  }, [input]);
  return layout;
}
