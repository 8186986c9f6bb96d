import type { PageData } from "../data/page_data";

type Sources = PageData["sources"];

const lines = new WeakMap<object, Map<string, readonly string[]>>();

// A file's lines, the first at 0; undefined where the page does not have it.
export function sourceLines(sources: Sources, path: string): readonly string[] | undefined {
  if (!sources || !Object.hasOwn(sources.files, path)) return undefined;
  let known = lines.get(sources);
  if (!known) lines.set(sources, known = new Map());
  let file = known.get(path);
  if (!file) {
    file = sources.files[path]!.split("\n");
    known.set(path, file = file.at(-1) === "" ? file.slice(0, -1) : file);
  }
  return file;
}

// One line of a file; empty where the page does not have it.
export function sourceLine(sources: Sources, path: string, line: number): string {
  return sourceLines(sources, path)?.[line - 1] ?? "";
}

export interface SourceLine { line: number; text: string }

// The lines as far as `around` lines from one. Empty when the page does not have the line itself.
export function sourceAround(sources: Sources, path: string, line: number, around: number): SourceLine[] {
  const file = sourceLines(sources, path);
  if (!file || file[line - 1] === undefined) return [];
  const first = Math.max(1, line - around);
  return file.slice(first - 1, line + around).map((text, i) => ({ line: first + i, text }));
}

// Why the page does not have a file, in words; empty where it does.
export function whyNoSource(sources: Sources, path: string): string {
  if (!sources) return "The page was made without sources: yp report app.yp --sources FOLDER-OR-JAR puts them into it.";
  if (Object.hasOwn(sources.files, path)) return "";
  if (!path) return "The class file does not say of which source file it is.";
  return Object.hasOwn(sources.left_out, path) ? `${path} is not in this page: ${sources.left_out[path]}.`
    : `${path} was not found in the folders and archives that --sources gave.`;
}
