// Names for where there is little room. One rule holds everywhere, in the program's tables too
// (cli/names.cc): packages give way first, to their initials and then wholly; then the middle of the
// class; the method's name last. What is left out within a word is told by "…".

// A label of at most `limit` characters: "Class.method", with or without packages.
export function shorten(label: string, limit: number): string {
  if (label.length <= limit) return label;
  const dot = label.lastIndexOf(".");
  const tail = dot < 0 ? "" : label.slice(dot);
  for (const packages of packageForms(dot < 0 ? label : label.slice(0, dot))) {
    if (packages.length + tail.length <= limit) return packages + tail;
  }
  const type = dot < 0 ? "" : withoutPackages(label.slice(0, dot));
  const room = limit - tail.length;
  if (dot > 0 && room >= Math.min(MIN_HEAD, type.length)) return middle(type, room) + tail;
  if (dot > 0 && limit >= 2 * MIN_HEAD) {
    const head = middle(type, MIN_HEAD);
    return `${head}.${middle(tail.slice(1), limit - head.length - 1)}`;
  }
  return middle(label, limit);
}

// The name of a class alone, by the same rule.
export function shortenClass(name: string, limit: number): string {
  return packageForms(name).find((form) => form.length <= limit) ?? middle(withoutPackages(name), limit);
}

const MIN_HEAD = 7;

// "java.util.HashMap", "j.u.HashMap", "HashMap".
function packageForms(name: string): string[] {
  const parts = name.split("."), own = parts.pop()!;
  if (parts.length === 0) return [name];
  return [name, [...parts.map((part) => [...part][0] ?? ""), own].join("."), own];
}

function withoutPackages(name: string): string { return name.slice(name.lastIndexOf(".") + 1); }

// Both ends stay.
export function middle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - 1), front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}
