#ifndef YP_CORE_OPTIONS_CONFIG_KEYS_H_
#define YP_CORE_OPTIONS_CONFIG_KEYS_H_

// The keys of a profile's configuration (spool::Config, Profile::config) that are written in one
// place and read in another.
namespace yp::config_key {

// The options (option_table.cc), and what they came to.
inline constexpr const char* kTitle = "title";
inline constexpr const char* kMode = "mode";
inline constexpr const char* kAdaptive = "adaptive";
// How methods are sampled, polling or immediate, and by what the signals of the latter come.
inline constexpr const char* kAdaptiveMechanism = "adaptive.mechanism";
inline constexpr const char* kAdaptiveTrigger = "adaptive.trigger";
// Samples of methods, proposals to the controller, recompilations that it gave out; signals that
// found a thread in no method's code.
inline constexpr const char* kAdaptiveSamples = "adaptive.samples";
inline constexpr const char* kAdaptiveProposals = "adaptive.proposals";
inline constexpr const char* kAdaptiveRecompilations = "adaptive.recompilations";
inline constexpr const char* kAdaptiveOutside = "adaptive.outside";
inline constexpr const char* kProbe = "probe";
inline constexpr const char* kWalk = "walk";
inline constexpr const char* kPolicy = "policy";
inline constexpr const char* kContinuous = "continuous";
inline constexpr const char* kInfer = "infer";
inline constexpr const char* kInterval = "interval";
inline constexpr const char* kTrigger = "trigger";
inline constexpr const char* kMechanism = "mechanism";
inline constexpr const char* kTickNs = "tick_ns";
inline constexpr const char* kStride = "stride";
inline constexpr const char* kSamples = "samples";
inline constexpr const char* kDelay = "delay";
inline constexpr const char* kCorrect = "correct";
inline constexpr const char* kContexts = "contexts";
inline constexpr const char* kStackEvery = "stack_every";
inline constexpr const char* kBudgetPpm = "budget_ppm";
inline constexpr const char* kScope = "scope";
inline constexpr const char* kInclude = "include";
inline constexpr const char* kExclude = "exclude";
inline constexpr const char* kTrivial = "trivial";

// What the agent knows of its probe and of the VM.
inline constexpr const char* kArmedCallPs = "armed_call_ps";
inline constexpr const char* kSlowPathPs = "slow_path_ps";
inline constexpr const char* kCallCounter = "call_counter";
inline constexpr const char* kCompiles = "compiles";
inline constexpr const char* kProbeMethods = "probe.methods";
inline constexpr const char* kProbeMethodsLeft = "probe.methods_left";
// "all": the profile has the methods of the observed classes that were not called, too.
inline constexpr const char* kProbeMethodsListed = "probe.methods_listed";
inline constexpr const char* kProbeUnexecutedListed = "probe.unexecuted_listed";
inline constexpr const char* kVmCounts = "vm_counts";
inline constexpr const char* kVmCountsUntoldShare = "vm_counts_untold_share";
inline constexpr const char* kInterpretedUntoldShare = "interpreted_calls_untold_share";
inline constexpr const char* kMethodProfiles = "method_profiles";
inline constexpr const char* kActivityCpuNs = "activity_cpu_ns";

// What counting calls cost, and what the recording did by its own measure.
// Of yp aos --mode edges: virtual and interface calls that have a caller's index, and those that
// share one because there are too many; dispatch slots with an array, code targets, and classes
// whose objects were called, each as many as there were in the end.
inline constexpr const char* kTargetsCalls = "ctb.calls";
inline constexpr const char* kTargetsWithoutIndex = "ctb.calls_without_index";
inline constexpr const char* kTargetsArrays = "ctb.arrays";
inline constexpr const char* kTargetsThunks = "ctb.thunks";
inline constexpr const char* kTargetsClasses = "ctb.classes";
// Methods of the classes that were loaded in the end: the JDK's without the compiler's, and others.
inline constexpr const char* kLoadedLibraryMethods = "loaded.library_methods";
inline constexpr const char* kLoadedProgramMethods = "loaded.program_methods";
inline constexpr const char* kCountingCallPs = "counting.call_ps";
inline constexpr const char* kCountingPlainCallPs = "counting.plain_call_ps";
inline constexpr const char* kCountingProgramCpuNs = "counting.program_cpu_ns";
inline constexpr const char* kCountingWalksNs = "counting.walks_ns";
inline constexpr const char* kCountingDrainCpuNs = "counting.drain_cpu_ns";
inline constexpr const char* kCostProgramCpuNs = "cost.program_cpu_ns";
inline constexpr const char* kCostObservedCalls = "cost.observed_calls";
inline constexpr const char* kCostObservedCallsNs = "cost.observed_calls_ns";
inline constexpr const char* kCostSlowPathNs = "cost.slow_path_ns";
inline constexpr const char* kCostTriggerCpuNs = "cost.trigger_cpu_ns";
inline constexpr const char* kCostDrainCpuNs = "cost.drain_cpu_ns";
inline constexpr const char* kCostStacksNs = "cost.stacks_ns";

// How the value of a key begins that tells why there is none; the reason follows.
inline constexpr const char* kNoneBecause = "none: ";

// What the compilers did: "jfr", "no", or why not.
inline constexpr const char* kJit = "jit";
inline constexpr const char* kJitCode = "jit.code";
inline constexpr const char* kJitRepository = "jit.repository";
inline constexpr const char* kJitEpochNs = "jit.epoch_ns";
inline constexpr const char* kJitStartedNs = "jit.started_ns";

// What took stacks, and how often.
inline constexpr const char* kStacksTrigger = "stacks.trigger";
inline constexpr const char* kStacksIntervalNs = "stacks.interval_ns";
inline constexpr const char* kStacksEvent = "stacks.event";
inline constexpr const char* kStacksPeriod = "stacks.period";

// What became of the calls that the VM counted itself.
inline constexpr const char* kSamplesOfCountedCalls = "samples_of_counted_calls";
inline constexpr const char* kInterpretedCallsWithoutCaller = "interpreted_calls_without_caller";

// The JVM, its program and its machine.
inline constexpr const char* kJvmName = "jvm.name";
inline constexpr const char* kJvmVersion = "jvm.version";
inline constexpr const char* kJvmVendor = "jvm.vendor";
inline constexpr const char* kJvmPid = "jvm.pid";
inline constexpr const char* kCommand = "command";
inline constexpr const char* kMachine = "machine";
inline constexpr const char* kStartTimeNs = "start_time_ns";

// Of a profile of several spools: how many, and of how many recordings.
inline constexpr const char* kMergedSpools = "merged.spools";
inline constexpr const char* kMergedRecordings = "merged.recordings";

}  // namespace yp::config_key

#endif  // YP_CORE_OPTIONS_CONFIG_KEYS_H_
