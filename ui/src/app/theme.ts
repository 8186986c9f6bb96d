import { useLayoutEffect } from "preact/hooks";
import { useParam } from "../state/url_state";

export type Theme = "system" | "light" | "dark";

// The colours, as the system prefers them or as chosen, and what chooses the next.
export function useTheme(): [Theme, () => void] {
  const [text, set] = useParam("theme", "system");
  const theme: Theme = text === "light" || text === "dark" ? text : "system";
  useLayoutEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const order: Theme[] = ["system", "light", "dark"];
  return [theme, () => set(order[(order.indexOf(theme) + 1) % order.length]!)];
}
