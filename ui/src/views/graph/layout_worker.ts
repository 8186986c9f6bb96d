import { chooseLayout, type LayoutChoice } from "../../model/layout_choice";

// Lays out what it is sent, and answers with the number it came with.
self.onmessage = (event: MessageEvent<{ request: number; choice: LayoutChoice }>) => {
  const { request, choice } = event.data;
  try {
    self.postMessage({ request, ...chooseLayout(choice) });
  } catch (error) {
    self.postMessage({ request, error: error instanceof Error ? error.message : String(error) });
  }
};
