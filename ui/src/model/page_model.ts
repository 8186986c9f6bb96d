import type { PageData, ProfileData } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { Names } from "./names";

// All that the views show, made once for each page.
export class PageModel {
  readonly names: Names;
  // The profile; of two that are compared the one after.
  readonly profile: ProfileData;
  readonly before: ProfileData | undefined;
  readonly graph: CallGraph;

  constructor(readonly data: PageData) {
    const last = data.profiles[data.profiles.length - 1];
    if (!last) throw new Error("The page has no profile in it.");
    this.profile = last;
    this.before = data.profiles.length > 1 ? data.profiles[0] : undefined;
    this.names = new Names(data);
    this.graph = new CallGraph(this.profile.edges, this.names.count);
  }
}
