import type { ComponentType } from "preact";
import type { PageModel } from "../model/page_model";

export interface ViewProps { model: PageModel }

// One of the page's views. `missing` says why the profile has nothing for it, and what to do: the
// view is then shown with that text alone.
export interface View {
  id: string; // in the address
  title: string;
  component: ComponentType<ViewProps>;
  missing(model: PageModel): string | undefined;
  // For the help sheet, beside those that every view has.
  keys: { key: string; does: string }[];
}
