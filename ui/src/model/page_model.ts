import type { PageData, ProfileData } from "../data/page_data";
import { CallGraph } from "./call_graph";
import { Names } from "./names";

// All that the views show, made once for each page, and for each part of the run that is selected.
export class PageModel {
  readonly names: Names;
  // The profile; of two that are compared the one after.
  readonly profile: ProfileData;
  readonly before: ProfileData | undefined;
  readonly graph: CallGraph;
  // Both of two profiles have numbers of calls: what differs has shares. Else it is new or gone.
  readonly comparesCalls: boolean;

  // `whole`: of the whole run, where this is of a part of it.
  constructor(readonly data: PageData, readonly whole?: PageModel) {
    const last = data.profiles[data.profiles.length - 1];
    if (!last) throw new Error("The page has no profile in it.");
    this.profile = last;
    this.before = data.profiles.length > 1 ? data.profiles[0] : undefined;
    this.comparesCalls = data.profiles.every(({ calls }) => calls !== null);
    this.names = whole?.names ?? new Names(data);
    this.graph = new CallGraph(this.profile.edges, this.names.count, whole?.graph);
  }
}
