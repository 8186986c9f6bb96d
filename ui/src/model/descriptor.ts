// Types of a method's descriptor, "([ILjava/lang/String;)V", by their simple names.
export interface Descriptor { parameters: string[]; result: string }

const PRIMITIVES: Record<string, string> = {
  B: "byte", C: "char", D: "double", F: "float", I: "int", J: "long", S: "short", V: "void", Z: "boolean",
};

// Nothing of what is none.
export function parsedDescriptor(descriptor: string): Descriptor | undefined {
  let at = 1;
  const one = (): string | undefined => {
    let dimensions = 0;
    while (descriptor[at] === "[") { dimensions++; at++; }
    const kind = descriptor[at++];
    if (kind === undefined) return undefined;
    let type = PRIMITIVES[kind];
    if (kind === "L") {
      const end = descriptor.indexOf(";", at);
      if (end < 0) return undefined;
      type = descriptor.slice(at, end).split("/").pop() ?? "";
      at = end + 1;
    }
    return type === undefined ? undefined : type + "[]".repeat(dimensions);
  };
  if (descriptor[0] !== "(") return undefined;
  const parameters: string[] = [];
  while (descriptor[at] !== ")") {
    const type = one();
    if (type === undefined) return undefined;
    parameters.push(type);
  }
  at++;
  const result = one();
  return result === undefined ? undefined : { parameters, result };
}

// "(int, String[]) → boolean" for people; what is no descriptor stays what it is.
export function readableDescriptor(descriptor: string): string {
  const parsed = parsedDescriptor(descriptor);
  return parsed ? `(${parsed.parameters.join(", ")}) → ${parsed.result}` : descriptor;
}

// "HashMap.get(Object)" of "java.util.HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;".
export function shortOfFullName(full: string): string {
  const open = full.indexOf("(");
  if (open < 0) return full;
  const parsed = parsedDescriptor(full.slice(open));
  const short = full.slice(0, open).split(".").slice(-2).join(".");
  return parsed ? `${short}(${parsed.parameters.join(", ")})` : short + full.slice(open);
}
