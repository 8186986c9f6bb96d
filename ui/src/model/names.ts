import type { PageData } from "../data/page_data";
import { distinctions, namesakesOf, type Distinction } from "./namesakes";

// What stands for the caller of a thread's first method, and of calls from native code or the VM.
export const ROOT = -1;
export const ROOT_NAME = "(root)";

type NameData = Pick<PageData, "strings"> & { methods: Omit<PageData["methods"], "line"> };

// Names of the methods of a page.
export class Names {
  readonly count: number;
  private readonly lower: string[] = [];
  // Made when first asked for.
  private byFull: Map<string, number> | undefined;
  private namesakes: Map<number, readonly number[]> | undefined;
  private readonly distinct = new Map<number, Distinction>();

  constructor(private readonly data: NameData) {
    this.count = data.methods.name.length;
  }

  private string(index: number | undefined): string {
    return index === undefined || index < 0 ? "" : (this.data.strings[index] ?? "");
  }
  // "java.util.HashMap$Node"
  className(method: number): string { return this.string(this.data.methods.class[method]); }
  name(method: number): string { return this.string(this.data.methods.name[method]); }
  descriptor(method: number): string { return this.string(this.data.methods.descriptor[method]); }
  file(method: number): string { return this.string(this.data.methods.file[method]); }
  // "java.util"; empty for classes without one.
  packageName(method: number): string {
    const type = this.className(method);
    return type.slice(0, Math.max(0, type.lastIndexOf(".")));
  }
  // "HashMap$Node"
  simpleClass(method: number): string {
    const type = this.className(method);
    return type.slice(type.lastIndexOf(".") + 1);
  }
  // "HashMap.hash", for people; not unique.
  short(method: number): string {
    if (method < 0) return ROOT_NAME;
    const type = this.simpleClass(method);
    return type ? `${type}.${this.name(method)}` : this.name(method);
  }
  private distinction(method: number): Distinction | undefined {
    const others = (this.namesakes ??= namesakesOf(this, this.data.methods)).get(method);
    if (others && !this.distinct.has(method)) {
      for (const [each, distinction] of distinctions(this, others)) this.distinct.set(each, distinction);
    }
    return this.distinct.get(method);
  }
  // "HashMap", "hash", ""; "util.List", "get", "(int, …)": for people, with what tells the method
  // apart from others of the same short name.
  labelParts(method: number): { type: string; name: string; parameters: string } {
    if (method < 0) return { type: "", name: ROOT_NAME, parameters: "" };
    const distinct = this.distinction(method);
    return {
      type: distinct?.className ?? this.simpleClass(method), name: this.name(method),
      parameters: distinct?.parameters ?? "",
    };
  }
  // "HashMap.hash", "util.List.get(int, …)".
  label(method: number): string {
    const { type, name, parameters } = this.labelParts(method);
    return type ? `${type}.${name}${parameters}` : name + parameters;
  }
  // "java.util.HashMap.hash", without the descriptor.
  qualified(method: number): string {
    if (method < 0) return ROOT_NAME;
    const type = this.className(method);
    return type ? `${type}.${this.name(method)}` : this.name(method);
  }
  // "java.util.HashMap.hash(Ljava/lang/Object;)I": unique, and what yp takes and prints.
  full(method: number): string {
    return method < 0 ? ROOT_NAME : this.qualified(method) + this.descriptor(method);
  }
  // As in a source tree: "java/util/HashMap.java"; empty when the file is not known.
  sourcePath(method: number): string {
    const file = this.file(method);
    if (!file) return "";
    const folder = this.packageName(method).replaceAll(".", "/");
    return folder ? `${folder}/${file}` : file;
  }
  // "HashMap.java:339"
  at(method: number, line: number): string {
    const file = this.file(method);
    return line > 0 && file ? `${file}:${line}` : file;
  }
  // In lower case, for search; kept.
  lowerFull(method: number): string {
    return (this.lower[method] ??= this.full(method).toLowerCase());
  }
  // Of a full name; nothing when there is none.
  find(full: string): number | undefined {
    if (full === ROOT_NAME) return ROOT;
    if (!this.byFull) {
      this.byFull = new Map();
      for (let method = 0; method < this.count; method++) this.byFull.set(this.full(method), method);
    }
    return this.byFull.get(full);
  }
}
