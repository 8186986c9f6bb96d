import { useEffect, useState } from "preact/hooks";
import { useParams } from "../../state/url_state";

const SYSTEM = "(prefers-color-scheme: dark)";

// Whether the page is dark, for what does not get its colours from CSS.
export function useDark(): boolean {
  const theme = useParams().get("theme");
  const [isSystemDark, setSystemDark] = useState(() => matchMedia(SYSTEM).matches);
  useEffect(() => {
    const query = matchMedia(SYSTEM);
    const listener = () => setSystemDark(query.matches);
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, []);
  return theme === "dark" || (theme !== "light" && isSystemDark);
}
