import type { View } from "../app/view";
import { compareView } from "./compare/view";
import { contextsView } from "./contexts/view";
import { graphView } from "./graph/view";
import { jitView } from "./jit/view";
import { samplingView } from "./sampling/view";
import { sourceView } from "./source/view";

// In the order of their tabs; the number is the key that shows them.
export const VIEWS: readonly View[] = [graphView, contextsView, sourceView, jitView, samplingView, compareView];
