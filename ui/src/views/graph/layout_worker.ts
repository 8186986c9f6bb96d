import { layeredLayout, type LayoutInput } from "../../model/layered_layout";

// Lays out what it is sent, and answers with the number it came with.
self.onmessage = (event: MessageEvent<{ request: number; input: LayoutInput }>) => {
  const { request, input } = event.data;
  try {
    self.postMessage({ request, output: layeredLayout(input) });
  } catch (error) {
    self.postMessage({ request, error: error instanceof Error ? error.message : String(error) });
  }
};
