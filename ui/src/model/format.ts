// Numbers for people. All are pure and do not depend on the browser's language.

// "1,234,567"; above 10^15 in powers of ten. An estimate of less than one is "<1".
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (Math.abs(value) >= 1e15) return value.toExponential(2);
  if (value > 0 && value < 1) return "<1";
  return Math.round(value).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

// Three digits: "1.23 M".
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return "?";
  const size = Math.abs(value);
  for (const [unit, suffix] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]] as const) {
    if (size >= unit * 0.9995) return trimmed(value / unit) + suffix;
  }
  return Number.isInteger(value) ? String(value) : trimmed(value);
}

// The same of calls, of which there are only whole ones: "<1" is an estimate of less than one.
export function formatCalls(value: number): string {
  return value > 0 && value < 1 ? "<1" : formatShort(Math.round(value));
}

// "1 call", "1.23 M calls", "<1 calls".
export function countOfCalls(value: number): string { return withCalls(formatCalls(value)); }

// The same of a number that is written already.
export function withCalls(text: string): string { return `${text} ${text === "1" ? "call" : "calls"}`; }

// An estimate of them: "about 1.23 M", "less than 1".
export function formatAbout(calls: number): string {
  return calls > 0 && calls < 1 ? "less than 1" : `about ${formatCalls(calls)}`;
}

function trimmed(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

// Of 0 to 1: "12.3 %".
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return "?";
  const percent = 100 * share;
  if (percent !== 0 && Math.abs(percent) < 0.01) return percent < 0 ? ">-0.01 %" : "<0.01 %";
  return `${percent.toFixed(Math.abs(percent) < 1 ? 2 : 1)} %`;
}

// Nanoseconds: "1.23 ms". A negative one has a minus sign.
export function formatTime(ns: number): string {
  if (!Number.isFinite(ns)) return "?";
  if (ns === 0) return "0";
  const sign = ns < 0 ? "−" : "";
  const size = Math.abs(ns);
  if (size >= 60e9) {
    const seconds = Math.round(size / 1e9);
    return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  for (const [unit, suffix] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]] as const) {
    if (size >= unit * 0.9995) return `${sign}${trimmed(size / unit)} ${suffix}`;
  }
  return `${sign}${trimmed(size)} ns`;
}

// An estimate with its interval: "1.20 (1.05 – 1.50) M", "1.20 M (980 k – 1.50 M)"; exact numbers
// stand alone.
export function formatInterval(value: number, low: number, high: number,
                               format: (value: number) => string = formatCalls): string {
  if (low === value && high === value) return format(value);
  const texts = [value, low, high].map(format), units = texts.map((text) => /(?<=^\S+) \S+$/.exec(text)?.[0]);
  const shared = units.every((unit) => unit === units[0]) ? units[0] ?? "" : "";
  const [middle, least, most] = texts.map((text) => text.slice(0, text.length - shared.length));
  return `${middle} (${least} – ${most})${shared}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
