// What a page shows: the JSON that format/page writes, field for field (docs/formats.md, "Page
// data"). Tables are columns of equal length. A method is an index into `methods`, a string one into
// `strings`; -1 stands for none. Times are nanoseconds since the run's start. Names are data: they
// are never parsed as HTML.

export const PAGE_FORMAT = 1;

export interface PageData {
  format: number; // PAGE_FORMAT
  generator: string; // "yp 0.1.0"
  strings: string[];
  // One table for all profiles. Full name: class.name + descriptor.
  methods: {
    class: number[]; // string: "java.util.HashMap$Node"
    name: number[]; // string: "hash", "<init>"
    descriptor: number[]; // string: "(Ljava/lang/Object;)I"
    file: number[]; // string: "HashMap.java", or -1
    line: number[]; // at which its code begins; 0: not known
  };
  // One profile; or two that are compared, the one before first.
  profiles: ProfileData[];
  diff: DiffData | null; // Of two profiles.
  // Null: none were given.
  sources: SourceData | null;
}

// Source files of methods that the page shows, by path as in a source tree
// ("java/util/HashMap.java"). Wanted files that are in neither were not found.
export interface SourceData {
  files: Record<string, string>; // the whole text
  left_out: Record<string, string>; // found, but not in the page, and why: "there was no room for it"
}

// What was lost or left out, for one reason.
export interface DropData { count: number; words: string; kind: "lost" | "nothing to see" | "corrected" }

export interface ProfileData {
  name: string; // of the file
  config: Record<string, string>; // docs/formats.md, "config"
  complete: boolean; // The run ended in order.
  damage: string; // What of the recording could not be used; empty for nothing.
  warnings: string[]; // What a person should know first, a line each.
  duration_ns: number;
  agent_cpu_ns: number;
  kind: "exact" | "sampled" | "edges"; // edges: each edge was found once, calls say nothing
  samples: number; // 0 in exact mode
  is_lower_bound: boolean; // of calls: what was counted is known, and what was not is not
  ticks: number; // in which calls were counted down; 0 where they were all the time, or in windows
  calls: number | null; // of all edges; null: kind is edges
  edges: EdgeColumns;
  trees: ContextTree[];
  windows: WindowColumns;
  threads: { id: number[]; name: string[] };
  slices: SliceData | null; // null: nothing has times, as in exact profiles
  tests: TestData | null; // null: none were marked
  unexecuted: UnexecutedData | null; // null: not known
  drops: DropData[]; // what the profile has not, the most frequent first
  jit: JitData | null; // recorded with --jit
}

// Call sites, in methods that ran, that no thread executed.
export interface UnexecutedData {
  caller: number[];
  bci: number[];
  line: number[];
  callee: number[]; // the full name of the method that the bytecode names, of strings
  left_out: number; // calls beyond these
}

// Runs of one name are one test.
export interface TestData {
  name: string[];
  duration_ns: number[];
  methods: number[]; // how many it reached,
  methods_only: number[]; // and no other test did
  edges: number[];
  edges_only: number[];
  reached: number[][] | null; // methods; null: too many for a page
}

export interface Interval { low: number; high: number }

export interface EdgeColumns {
  caller: number[]; // method; -1: a thread's first method, or a call from native code or the VM
  bci: number[]; // -1: not known
  line: number[]; // 0: not known
  callee: number[];
  calls: ArrayLike<number> | null; // null: not counted, kind is edges; whole but for estimates below 1
  low: ArrayLike<number> | null; // 95 % interval; null: all are exact, or not counted
  high: ArrayLike<number> | null;
  // Of a selection, in the place of both: intervals are worked out where they are shown. Not in the data.
  interval?: (edge: number) => Interval;
  flags: number[]; // EdgeFlag bits
  inlined: number[]; // how many of its calls were inlined: 0 none (or not known), 1 in part, 2 all
}

export const EdgeFlag = { exact: 1, sampled: 2, noInterval: 4, once: 8, inferred: 16 } as const;

// Calls by samples, and stacks, by equal parts of the run and by threads: those of one name are a
// group, or those whose names differ in numbers only.
export interface SliceData {
  part_ns: number; // how long a part is
  parts: number;
  groups: string[]; // names of threads: "main", "pool-#-thread-#"
  thread_group: number[]; // of threads; -1: no call of it was sampled
  calls: {
    part: number[];
    group: number[];
    edge: number[];
    calls: number[]; // that the samples of the edge stand for there
    units: number[]; // in so many ticks
    sampled: number[]; // of each edge: its calls by samples; inferred: those that go with its caller's
    inferred: number[]; // the others were counted by the VM, which knows no time
  } | null;
  // Of the nodes of the tree of samples.
  stacks: { part: number[]; group: number[]; node: number[]; samples: number[] } | null;
}

// A calling-context tree. Node 0 is the root, parents come before children.
export interface ContextTree {
  unit: "samples" | "calls" | "estimated calls"; // samples: of time, by signals
  sample_ns: number; // what a sample stands for; 0: not known, or the unit is calls
  parent: number[]; // of node 0: 0
  method: number[]; // of node 0: -1
  bci: number[]; // of the call in the parent; -1 not known
  line: number[]; // likewise; 0 not known
  weight: number[]; // of this context alone
  // Of the code that executes the frame; null: not recorded. level: 0 interpreted, 1 to 4 as HotSpot
  // counts, -1 not known.
  level: number[] | null;
  inlined: number[] | null; // 1: inlined into its parent's frame
  hidden_nodes: number; // so many light contexts were left out of the page,
  hidden_weight: number; // and their weight, which is not in any node
}

export interface WindowColumns {
  tick: number[];
  thread: number[]; // id of threads
  start_ns: number[];
  latency_ns: number[]; // from trigger to window; -1 not known
  duration_ns: number[]; // 0 not known
  interval_ns: number[];
  calls: number[];
  samples: number[];
}

// Shares of all calls, 0 to 1, in two profiles; the largest change first.
export interface ShareColumns {
  before: number[];
  after: number[];
  low: number[]; // 95 % interval of after - before
  high: number[];
  adjusted_p: number[]; // lowest family-wise error rate at which it counts as changed (Holm)
  calls_before: number[]; // not shares, but calls
  calls_after: number[];
}

export interface DiffData extends ShareColumns {
  overlap: number; // percent
  tested: number; // edges
  significant: number; // of these, at error_rate
  error_rate: number; // 0.05: of so many comparisons of a program with itself any counts
  unknown: string; // why nothing can be said; empty where something can
  // Neither profile has chance in it: every difference counts.
  exact: boolean;
  filters: string[]; // configuration keys of what is observed that differ
  hidden: number; // edges whose change may be chance and that were left out of the page
  caller: number[];
  bci: number[];
  line: number[];
  callee: number[];
  // All calls of a method together.
  methods: ShareColumns & { tested: number; significant: number; hidden: number; method: number[] };
}

export type Verdict = 0 | 1 | 2;
export const VERDICTS = ["paid off", "did not", "undecided"] as const;

export interface JitData {
  lacks: string[]; // what is not known, a line each
  end_ns: number;
  unit_ns: number; // what a stack sample stands for; 0: nothing is judged
  // Methods as the compilers name them: of one name there may be several, in several class loaders.
  methods: { method: number[]; loader: number[] /* string */ };
  compilations: {
    id: number[]; // compile id
    method: number[]; // index of jit.methods
    osr: number[]; // 1: entered in a loop (on-stack replacement)
    osr_bci: number[]; // -1: none
    level: number[];
    thread: number[]; // string
    queued_ns: number[]; // -1: not known
    start_ns: number[]; // -1: it was there when the recording began
    end_ns: number[];
    compile_ns: number[]; // CPU time that it took; where that is not known, end - start
    succeeded: number[];
    failure: number[]; // string or -1
    code_bytes: number[]; // -1: not known, as below
    bytecode_bytes: number[];
    inlined_bytes: number[];
  };
  // Every recompilation of a method (the first compilation is one of interpreted code), judged.
  recompilations: {
    compilation: number[]; // index of compilations
    previous: number[]; // likewise; -1: interpreted
    compile_ns: number[];
    gain_ns: (number | null)[]; // null: not known; low and high are the 95 % interval
    low_ns: (number | null)[];
    high_ns: (number | null)[];
    verdict: Verdict[];
    before_ns: (number | null)[]; // of a call
    before_low_ns: (number | null)[];
    before_high_ns: (number | null)[];
    after_ns: (number | null)[];
    after_low_ns: (number | null)[];
    after_high_ns: (number | null)[];
    calls_after: (number | null)[];
    calls_to_pay: (number | null)[]; // null: never, or not known
    undecided: number[]; // why; 0: it is decided
    drift: (number | null)[]; // its calls became so many times longer: not comparable
    paid_at_ns: (number | null)[];
    made_not_entrant: number[]; // 1: thrown away, as what the compiler had assumed did not hold
  };
  // When calls of a method went to which of its versions; ordered by method, then time, no gaps.
  versions: {
    method: number[]; // index of jit.methods
    compilation: number[]; // -1: interpreted
    begin_ns: number[];
    end_ns: number[];
    time_ns: (number | null)[]; // executed by this version; null: not known
    calls: (number | null)[];
  };
  inlinings: {
    compile_id: number[];
    osr: number[];
    caller: number[]; // index of jit.methods
    bci: number[];
    line: number[]; // 0: not known
    callee: number[];
    ok: number[];
    reason: number[]; // string
  };
  deoptimizations: {
    time_ns: number[];
    compile_id: number[];
    osr: number[];
    level: number[];
    method: number[]; // index of jit.methods
    bci: number[];
    line: number[];
    reason: number[]; // string
    action: number[]; // string
  };
  ledger: {
    compile_ns: number; // of all
    loops_ns: number; // of code to enter loops
    failed_ns: number;
    not_entrant_ns: number;
    gain_ns: { value: number; low: number; high: number } | null;
    paid_off: number;
    did_not: number;
    undecided: number;
    paid_off_ns: number; // the gains of these rows, added up
    did_not_ns: number;
    // How many are undecided for which reason, in the order in which they are listed.
    why_undecided: {
      undecided: number[]; // as in recompilations
      rows: number[];
      compile_ns: number[];
      key: string[]; // "calls-not-known"
      why: string[]; // for people
      remedy: string[]; // what to record to decide them
    };
  };
  // What was executed when: samples by kind of code.
  warm_up: {
    end_ns: number[];
    interpreted: number[];
    c1: number[];
    c2: number[];
    unknown: number[];
    compile_ns: number[];
  };
  // By method: CPU time that another way to compile it would have saved; negative: it would have cost more.
  what_if: {
    method: number[]; // index of jit.methods
    time_ns: number[];
    compile_ns: number[];
    strategies: WhatIfColumns[];
  } | null;
}

export interface WhatIfColumns {
  name: string;
  phrase: string; // "had it ..."
  value: number[];
  low: number[];
  high: number[];
}
