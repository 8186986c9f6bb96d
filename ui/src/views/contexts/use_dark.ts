import { useMedia } from "../../components/use_media";
import { useParams } from "../../state/url_state";

const SYSTEM = "(prefers-color-scheme: dark)";

// Whether the page is dark, for what does not get its colours from CSS.
export function useDark(): boolean {
  const theme = useParams().get("theme");
  const isSystemDark = useMedia(SYSTEM);
  return theme === "dark" || (theme !== "light" && isSystemDark);
}
