import { render } from "preact";
import { App } from "./app/app";
import { loadPageData } from "./data/load";
import { PageModel } from "./model/page_model";
import "./app/style.css";
import "./components/style.css";

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const model = new PageModel(await loadPageData(document));
    root.replaceChildren();
    render(<App model={model} />, root);
    performance.mark("yp-shown");
  } catch (error) {
    const text = document.createElement("p");
    text.className = "failure";
    text.setAttribute("role", "alert");
    text.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(text);
  }
}

void start();
