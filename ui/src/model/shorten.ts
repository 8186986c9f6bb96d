// A label of at most `limit` characters: what is left out of its middle is told by "…". Of
// "Class.method" the class gives way first, as it is the method that tells labels apart.
export function shorten(label: string, limit: number): string {
  if (label.length <= limit) return label;
  const dot = label.lastIndexOf(".");
  const tail = dot < 0 ? "" : label.slice(dot);
  const room = limit - tail.length;
  if (dot > 0 && room >= MIN_HEAD) return middle(label.slice(0, dot), room) + tail;
  if (dot > 0 && limit >= 2 * MIN_HEAD) {
    const head = middle(label.slice(0, dot), MIN_HEAD);
    return `${head}.${middle(tail.slice(1), limit - head.length - 1)}`;
  }
  return middle(label, limit);
}

const MIN_HEAD = 7;

function middle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = limit - 1, front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}
