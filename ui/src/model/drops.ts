import type { ProfileData } from "../data/page_data";

// What was lost, by its reason (hotspot/support/drops.h), in words.
const WORDS = new Map(Object.entries({
  ring_full: "samples lost as the agent's thread was too slow",
  window_cut: "windows in which the recording ended, with their samples",
  walk_failed: "samples or calls of which the JVM did not give the stack",
  no_thread_state: "calls of threads for whose state there was no memory",
  walk_mismatch: "the remembered call and the JVM's own answer differed; the JVM's was taken",
  callee_unknown: "samples of calls into code whose method is not known",
  caller_unknown: "samples of calls from frames that are not known",
  no_debug_info: "samples of calls from code of which the compiler recorded nothing",
  not_java_thread: "signals that found a thread of the JVM's own: no Java stack",
  in_compiler: "signals that found a compiler at work: no Java stack",
  no_java_frame: "signals outside of Java code",
  collecting: "signals while the garbage collector was at work",
  java_not_walkable: "stacks that could not be walked from where Java code was",
  vm_not_walkable: "stacks that could not be walked from within the JVM or native code",
  state_not_walkable: "stacks of threads that were changing their state",
  stack_too_deep: "stacks with more frames than there is room for",
  stack_buffer_full: "stacks lost as the agent's thread was too slow",
  method_gone: "stacks with a method that had been unloaded",
  contexts_full: "calling contexts beyond what memory is taken for",
  class_unreadable: "class files that were not understood, left as they are",
  class_not_rewritten: "classes that the JVM would not change",
  class_cannot_link: "classes whose loader does not let them call the probe",
}));
// Signals that found no Java code at work: there was nothing to see.
const NOTHING_TO_SEE = new Set(["not_java_thread", "in_compiler", "no_java_frame", "collecting"]);
// An answer was found all the same.
const CORRECTED = new Set(["walk_mismatch"]);
const METHOD_LEFT = "method left: ";

export type DropKind = "lost" | "nothing to see" | "corrected";
export interface Drop { reason: string; count: number; words: string; kind: DropKind }

function wordsFor(reason: string): string {
  if (reason.startsWith(METHOD_LEFT)) {
    return `methods that could not be observed: ${reason.slice(METHOD_LEFT.length)}`;
  }
  return WORDS.get(reason) ?? reason.replaceAll("_", " ");
}

// The most frequent first.
export function dropsOf(profile: ProfileData): Drop[] {
  return Object.entries(profile.drops).map(([reason, count]): Drop => ({
    reason, count, words: wordsFor(reason),
    kind: NOTHING_TO_SEE.has(reason) ? "nothing to see" : CORRECTED.has(reason) ? "corrected" : "lost",
  })).sort((a, b) => b.count - a.count);
}
