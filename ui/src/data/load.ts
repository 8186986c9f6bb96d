import { PAGE_FORMAT, type PageData } from "./page_data";

// The page's data: embedded in the page, or beside it on the server (data-src). Throws an Error
// whose message a person can read.
export async function loadPageData(document: Document): Promise<PageData> {
  const element = document.getElementById("yp-data");
  if (!element) throw new Error("This page has no profile in it: yp report P -o F.html makes one.");
  const source = element.dataset["src"];
  const text = source ? await fetched(source) : await inflated(element.textContent ?? "");
  const data = JSON.parse(text) as PageData;
  if (data.format !== PAGE_FORMAT) {
    throw new Error(`The profile's data are of format ${data.format}; this page reads ${PAGE_FORMAT}.`);
  }
  return data;
}

async function fetched(source: string): Promise<string> {
  const response = await fetch(source).catch(() => {
    throw new Error("The server that made this page has ended: yp serve starts it again.");
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.text();
}

async function inflated(base64: string): Promise<string> {
  const binary = atob(base64.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
