import { formatTime } from "./format";

// A setting of a recording (docs/formats.md, "config") as it stands in the profile, and what it means.
export interface Setting { key: string; value: string; means: string }

const OF_VALUE = new Map<string, Record<string, string>>(Object.entries({
  mode: {
    exact: "every call is counted", cbs: "samples of calls", timer: "a sample a tick",
    patching: "the first calls of each method after its compilation", edges: "each edge is found once",
  },
  policy: { countdown: "a random call out of an interval", cbs: "windows at ticks" },
  probe: {
    bytecode: "calls are seen in rewritten classes", patch: "calls are seen at the entries of compiled methods",
    barrier: "calls are seen at the entries of compiled methods", none: "calls are not seen",
  },
  scope: { app: "the program's own classes", all: "the JDK's classes as well" },
  trivial: { include: "methods like getters, too", exclude: "without methods like getters" },
  infer: { yes: "calls that the JIT has inlined are inferred", no: "calls that the JIT has inlined are left out" },
  contexts: { calls: "calling contexts of all calls", sampled_calls: "calling contexts of sampled calls" },
}));

const OF_KEY = new Map<string, (value: string) => string>(Object.entries({
  budget_ppm: (value: string) => Number(value) > 0
    ? `${Number((Number(value) / 1e4).toPrecision(3))} % of the program's CPU time for observing calls` : "no limit",
  interval: (value: string) => `one call in ${value} is sampled, on average`,
  stride: (value: string) => `${value} calls from one sample to the next`,
  "stacks.period": (value: string) => `events from one stack to the next: ${value}`,
  include: (value: string) => value ? "only these classes" : "all classes of the scope",
  exclude: (value: string) => value ? "without these classes" : "none is left out",
  start_time_ns: (value: string) => {
    const date = new Date(Number(value) / 1e6);
    return Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  },
}));

function meaning(key: string, value: string): string {
  const known = OF_VALUE.get(key)?.[value] ?? OF_KEY.get(key)?.(value);
  if (known !== undefined) return known;
  return key.startsWith("cost.") && key.endsWith("_ns") && value !== "" ? formatTime(Number(value)) : "";
}

// Those that decide what is seen come first, the rest by name.
const FIRST = ["title", "command", "mode", "policy", "probe", "interval", "budget_ppm", "scope", "include",
  "exclude", "trivial", "infer", "contexts"];

export function settingsOf(config: Readonly<Record<string, string>>): Setting[] {
  const rank = (key: string) => FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length;
  return Object.entries(config)
    .map(([key, value]) => ({ key, value, means: meaning(key, value) }))
    .sort((a, b) => rank(a.key) - rank(b.key) || (a.key < b.key ? -1 : 1));
}
