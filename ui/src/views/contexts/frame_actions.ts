import { hasSource, showMethod, showSource } from "../../app/navigate";
import { copyText } from "../../components/export";
import type { MethodTransform } from "../../model/flame_transforms";
import type { PageModel } from "../../model/page_model";
import type { Flame } from "./use_flame";

export interface FrameAction {
  key?: string;
  title: string;
  short: string; // where there is little room
  help: string;
  isOff?: boolean;
  run: () => void;
}

// What can be done with a frame and its method, for the panel, the menu and the keys. Frame 0: none.
export function frameActions(model: PageModel, flame: Flame, node: number, method: number): FrameAction[] {
  const weights = flame.methods.get(method), fullName = model.names.full(method);
  const transform = (kind: MethodTransform, key: string, title: string, short: string, help: string): FrameAction => ({
    key, title, short, help, run: () => kind === "callers" ? flame.showCallers(method) : flame.add({ kind, method }),
    isOff: kind === "loops" ? !weights?.isRecursive : !weights,
  });
  const zoomIn: FrameAction = {
    key: "Enter", title: "Zoom in", short: "Zoom in", help: "The frame fills the width",
    isOff: node === flame.zoom, run: () => flame.setZoom(node),
  };
  return [
    ...(node > 0 ? [zoomIn] : []),
    transform("focus", "f", "Focus on it", "Focus", "Only what is in and below the method, all its places merged"),
    transform("callers", "u", "Its callers", "Callers", "Only the stacks that lead to the method, from it to its callers"),
    transform("merge", "m", "Merge into callers", "Merge", "Its weight goes to its callers; what it calls, they call"),
    transform("leaf", "l", "Make it a leaf", "Leaf", "What it calls counts as its own"),
    transform("drop", "x", "Drop its stacks", "Drop", "Without the stacks that the method is on"),
    transform("loops", "o", "Collapse its recursion", "Collapse", "Once in a stack; what is between its frames is left out"),
    { key: "g", title: "In the call graph", short: "Call graph", help: "Who calls the method, and whom it calls",
      run: () => showMethod(model, method) },
    { key: "S", title: "Its source", short: "Source", help: "The method in its source file", isOff: !hasSource(model, method),
      run: () => showSource(model, method) },
    { title: "Copy its name", short: "Copy name", help: fullName, run: () => { void copyText(fullName); } },
  ];
}
