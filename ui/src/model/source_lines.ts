import type { PageData } from "../data/page_data";

export interface SourceLine { line: number; text: string }

// The lines of a file that the page has, as far as `around` lines from one; in order, with gaps
// where the page has none. Empty when it does not have the line itself.
export function sourceAround(sources: PageData["sources"], path: string, line: number, around: number):
    SourceLine[] {
  const file = sources && Object.hasOwn(sources, path) ? sources[path] : undefined;
  if (!file || file[line] === undefined) return [];
  const lines: SourceLine[] = [];
  for (let at = Math.max(1, line - around); at <= line + around; at++) {
    const text = file[at];
    if (text !== undefined) lines.push({ line: at, text });
  }
  return lines;
}
