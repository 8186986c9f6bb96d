#ifndef YP_FORMAT_SPOOL_RECORDS_H_
#define YP_FORMAT_SPOOL_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/graph/code_label.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"

// What the agent tells, in the order in which it learns it. A reader folds the records of one spool
// into a profile. Every record stands alone but for ids: a method or an edge is told before it is
// used.
//
// A new record is a struct here, its fields in record_fields.h, and its name in the list of Record
// in record_codec.h.
namespace yp::spool {

// A record's number in a spool: never reused, never changed.
enum class RecordType : uint64_t {};

// The run's identity and settings; the first record of a spool, and repeated when something changes
// (a later value of a key replaces the earlier one). Keys are dotted lower-case words, for example
// "mode" (exact, cbs, timer, patching, edges), "probe", "scope", "include", "exclude", "tick_ns",
// "stride", "samples", "jvm.version", "jvm.vendor", "jvm.pid", "command", "machine",
// "start_time_ns" (since 1970).
struct Config {
  static constexpr RecordType kType{1};
  std::vector<std::pair<std::string, std::string>> entries;
};

// A method, told once, before the first edge that names it.
struct MethodDefinition {
  static constexpr RecordType kType{2};
  MethodId id{};
  Method method;
};

// An edge, told once, before the first count or window that names it. Where samples come after
// equal numbers of calls ("countdown"), calls of methods that are seldom called may count down
// several steps each, and are sampled so much more often: then the edge has another id for each
// number of steps.
struct EdgeDefinition {
  static constexpr RecordType kType{3};
  EdgeId id{};
  Edge edge;
  uint32_t steps = 1;  // That each sampled call of this id has counted down; at least 1.
};

// Calls counted since the previous record of the same edge (exact mode): adding up is the reader's
// part.
struct Counts {
  static constexpr RecordType kType{4};
  std::vector<std::pair<EdgeId, uint64_t>> calls;
};

// One thread's sampling window at one tick. Where calls are counted down: the thread's samples in a
// tick, or a part of them, of which nothing else is known but the tick and start_ns; all else is 0.
struct Window {
  static constexpr RecordType kType{5};
  uint64_t tick = 0;
  ThreadId thread{};
  int64_t start_ns = 0;    // Monotonic, since the run's start.
  int64_t latency_ns = 0;  // From the trigger to the thread's first observed call.
  // Thread CPU time from the first to the last observed call, the walks' own left out. 0 when it is
  // not known, as when the window spans ticks, or when the walks took more than what was measured.
  int64_t duration_ns = 0;
  int64_t interval_ns =
      0;               // Thread CPU time since the previous window of this thread (or its start).
  uint64_t calls = 0;  // Calls observed in the window, sampled or not.
  std::vector<std::pair<EdgeId, uint32_t>> samples;  // How often each edge was sampled.
  // Calls, other than inlined ones, that the processor counted on this thread from the end of its
  // previous window (or its start) to this one. 0 when it is not known.
  uint64_t near_calls = 0;
  // As EdgeDefinition's, of all its samples. The record tells it by their edges, which may differ
  // in it: a reader makes several windows of such a one.
  uint32_t steps = 1;
  // How many calls one of its samples stands for; 0 when that is not known. No record tells it: it
  // is estimated when all have been read.
  double weight = 0;
};

// A time in which calls were observed, and how much the program did meanwhile: a tick, from its
// beginning to its end, or a part of one that goes on. Told when it has ended; windows of the tick
// may be told before or after it.
struct Tick {
  static constexpr RecordType kType{18};
  uint64_t tick = 0;     // As in Window; ascending, and each part of one has a number of its own.
  int64_t begin_ns = 0;  // Monotonic, since the run's start.
  int64_t open_ns = 0;   // Wall time in which calls were observed.
  // Wall time that it stands for: 1 / the rate of ticks when it was due. Where ticks come in the
  // process's CPU time, that of which it stands for so much, at the tick's own rate.
  int64_t period_ns = 0;
  // CPU time of the program's own threads: neither the VM's (compilers, collectors) nor the
  // agent's. What observing costs these threads is in it.
  int64_t open_cpu_ns = 0;     // Of open_ns.
  int64_t program_cpu_ns = 0;  // From the run's start to the end of the tick.
  // Of open_cpu_ns, that of threads that were followed, by the kernel's ids: those that used some.
  std::vector<std::pair<int32_t, int64_t>> thread_cpu_ns = {};
};

// CPU time that threads of the program have used while they were followed, by the kernel's ids,
// since the previous record. A thread that uses little is not followed, nor is one before it has
// been seen using some: what is not told is Tick::program_cpu_ns without this.
struct ThreadTimes {
  static constexpr RecordType kType{19};
  std::vector<std::pair<int32_t, int64_t>> cpu_ns;
};

// Running totals of what was lost, by reason; a later record of a reason replaces the earlier one.
struct Drops {
  static constexpr RecordType kType{6};
  std::vector<std::pair<std::string, uint64_t>> totals;
};

// What a compiler made of a method, told once: what it inlined, and where code for calls was left.
struct Compilation {
  static constexpr RecordType kType{9};
  // An inlined method: which node calls it, and where. Node 0 is the compiled method itself.
  struct Node {
    uint32_t parent = 0;
    int32_t bci = kNoBci;
    MethodId method{};
  };
  struct CallSite {
    uint32_t node = 0;
    int32_t bci = 0;
    auto operator<=>(const CallSite&) const = default;
  };
  CompilationId id{};
  int32_t level = 0;                 // As HotSpot counts: 1 to 3 are C1's, 4 is C2's.
  bool is_osr = false;               // Entered in a loop, never called.
  std::vector<Node> nodes;           // Parents before children.
  std::vector<CallSite> call_sites;  // Ascending.
  int32_t compile_id = 0;            // The VM's number of it; 0 when it is not told.
};

// How an edge is taken from one compilation to another, told once, before it is counted.
struct CompiledCall {
  static constexpr RecordType kType{10};
  CompiledCallId id{};
  EdgeId edge{};
  CompilationId caller = kNoCompilation;
  uint32_t caller_node = 0;
  CompilationId callee = kNoCompilation;
  bool is_caller_profiled = false;  // An interpreted one, whose calls its profile counts.
};

// Samples by compiled call since the previous record of the same call: the same ones as in windows,
// but that these are told when they end.
struct CompiledSamples {
  static constexpr RecordType kType{11};
  std::vector<std::pair<CompiledCallId, uint32_t>> samples;
  int64_t end_ns = 0;  // When they had been taken, since the run's start; 0 when it is not told.
  // For how long calls were sampled since the previous record, in wall time; told with end_ns.
  int64_t open_ns = 0;
};

// How often compilations were entered between ticks, where all of their entries were counted.
struct EntryCounts {
  static constexpr RecordType kType{28};
  // Monotonic, since the run's start.
  struct Gap {
    int64_t begin_ns = 0, end_ns = 0;
  };
  struct Count {
    CompilationId compilation{};
    // Counted throughout these gaps, by index, and in the first part of the next one.
    uint32_t first_gap = 0, end_gap = 0;
    int64_t part_ns = 0;  // Of the gap end_gap; 0: none.
    uint64_t calls = 0;   // In all of them.
  };
  // A compilation that has counts, here or in an earlier record, was still in use in the gap before
  // this one, where its entries were not counted.
  struct Use {
    CompilationId compilation{};
    uint32_t end_gap = 0;
  };
  std::vector<Gap> gaps;  // Ascending. A later record has later ones.
  std::vector<Count> counts;
  std::vector<Use> uses;
};

// What the VM has counted of a method itself (HotSpot's MethodData and MethodCounters), up to now:
// a later one of the same method replaces it. `before`: so many of it before the recording began.
struct MethodProfile {
  static constexpr RecordType kType{12};
  struct Receiver {
    MethodId callee{};  // kNoMethod: one that is not observed, or not known.
    uint64_t calls = 0;
    uint64_t before = 0;
  };
  struct Site {
    int32_t bci = 0;
    uint64_t calls = 0;  // All of them, whatever their receivers.
    std::vector<Receiver> receivers;
    uint64_t before = 0;
  };
  MethodId method{};
  uint64_t invocations = 0;
  std::vector<Site> sites;   // By ascending bci.
  uint64_t interpreted = 0;  // Calls before it had a profile, while it was interpreted.
  uint64_t invocations_before = 0, interpreted_before = 0;
};

// What the interpreter has executed in this part of the recording of methods that count their calls
// by themselves only (HotSpot's MethodCounters), and which of their call sites; told at the end of
// a spool. What a call of a virtual method called is not known: each method that it can have called
// and that was executed.
struct InterpretedCalls {
  static constexpr RecordType kType{27};
  struct Site {
    int32_t bci = 0;
    uint32_t target = 0;  // Of targets.
    // An invocation comes there once, as a rule; or it may come there more often than once.
    bool is_unconditional = false, is_in_loop = false;
    // It was executed; else another site of the class that calls the same may have been.
    bool is_certain = false;
  };
  // The only place that is known where a class can have been initialized.
  struct Initialization {
    int32_t bci = 0;
    MethodId initializer{};  // The class's <clinit>.
  };
  struct Method {
    MethodId method{};
    uint64_t interpreted = 0;  // How often, by the interpreter before it had a profile.
    uint64_t loops = 0;        // Branches back to an earlier bci, the same.
    // Compiled code of it counts no invocations: the interpreter may have called it more often.
    bool has_uncounted = false;
    std::vector<Site> sites;
    std::vector<Initialization> initializations;
  };
  std::vector<Method> methods;  // Copies in several class loaders have one id.
  // Methods that calls may have called: at most so many, as what is spread over more tells nothing.
  std::vector<std::vector<MethodId>> targets;
  static constexpr size_t kMostCallees = 64;
};

// A calling context, told once, after its parent and before it is sampled. kRootContext is never
// told.
struct ContextDefinition {
  static constexpr RecordType kType{13};
  ContextId id{};
  ContextId parent = kRootContext;
  int32_t bci = kNoBci;  // Of the call in the parent's method.
  MethodId method{};
  CodeLabel code = {};  // That executes the method there; of no meaning where none is recorded.
};

// In which contexts a thread was found by signals (the mechanism "immediate"), since the previous
// record of the same thread.
struct ContextSamples {
  static constexpr RecordType kType{14};
  int64_t start_ns = 0;  // Of the first; monotonic, since the run's start.
  ThreadId thread{};
  std::vector<std::pair<ContextId, uint32_t>> samples;
};

// How often the contexts were called since their previous record (exact mode).
struct ContextCounts {
  static constexpr RecordType kType{15};
  std::vector<std::pair<ContextId, uint64_t>> calls;
};

struct ThreadDefinition {
  static constexpr RecordType kType{7};
  ThreadId id{};
  std::string name;
  int32_t kernel_id = 0;  // 0 when it is not told.
};

// Where a part of a recording begins, which has several spools, one after the other: what the
// running totals and the times of its other records had come to by then. Each part tells anew all
// that is needed to read it alone; a spool without this record is the only one of its recording, or
// its first part. Told behind the first Config.
struct Part {
  static constexpr RecordType kType{20};
  uint32_t number = 1;                                     // From 1.
  int64_t begin_ns = 0;                                    // Monotonic, since the run's start.
  int64_t program_cpu_ns = 0;                              // As Tick's.
  int64_t agent_cpu_ns = 0;                                // As End's.
  std::vector<std::pair<std::string, uint64_t>> drops;     // As Drops'.
  std::vector<std::pair<std::string, std::string>> costs;  // Of Config: what agents measure.
};

// The run, or this part of it, ended in order. Its absence means that the spool was cut off.
struct End {
  static constexpr RecordType kType{8};
  int64_t end_ns = 0;        // Monotonic, since the run's start.
  int64_t agent_cpu_ns = 0;  // CPU time that the agent measured of itself.
};

// A compilation that was there when the recording of compilations began.
struct EarlierCode {
  static constexpr RecordType kType{16};
  int32_t compile_id = 0;
  int32_t level = 0;
  bool is_osr = false;
  std::string class_name, name, descriptor;  // Of the method, as Method's.
  bool is_of_boot_loader = false;
};

// A test has begun, or whatever else the program's user has marked as one; told before it is named.
struct TestBegin {
  static constexpr RecordType kType{21};
  uint32_t test = 0;     // Its number: never reused in a recording.
  int64_t begin_ns = 0;  // Monotonic, since the run's start.
  std::string name;      // Of a test that is run again, the same.
};

struct TestEnd {
  static constexpr RecordType kType{22};
  uint32_t test = 0;
  int64_t end_ns = 0;
};

// Edges that were taken while these tests ran, and no others (mode edges). Of one edge once for
// each time in which the same tests ran; told after the edge's first count.
struct Reached {
  static constexpr RecordType kType{23};
  std::vector<uint32_t> tests;  // Ascending, at least one.
  std::vector<EdgeId> edges;
};

// The call sites of the program's loaded classes that no thread has executed since the recording
// began (mode edges); told at the end of a spool. A later record of it replaces an earlier one.
struct UnexecutedCalls {
  static constexpr RecordType kType{24};
  struct Call {
    MethodId caller{};
    int32_t bci = 0;
    // The method that the bytecode names, as Method's. What it calls may override it.
    std::string class_name, name, descriptor;
  };
  std::vector<Call> calls;
};

// A compilation by the project's own compiler, told when it has ended; the method was told before.
struct OwnCompilation {
  static constexpr RecordType kType{25};
  MethodId method{};
  int32_t compile_id = 0;       // The VM's number of it.
  int32_t level = 0;            // Of its own levels.
  std::string level_name = {};  // "BASE", ...
  bool is_osr = false;
  int32_t osr_bci = kNoBci;
  bool is_asked_by_vm = true;  // Else by the controller.
  int64_t start_ns = 0;        // Monotonic, since the run's start.
  int64_t end_ns = 0;
  int64_t cpu_ns = 0;
  int32_t bytecode_bytes = 0;
  int32_t code_bytes = 0;
  std::string failure = {};  // Why there is no code; empty: there is.
};

// What the adaptive optimization system's controller decided about a method, and the terms of its
// model (core/adaptive/decision.h).
struct ControllerDecision {
  static constexpr RecordType kType{26};
  int64_t time_ns = 0;  // Monotonic, since the run's start.
  MethodId method{};
  std::string reason = {};
  bool recompiles = false;
  int32_t from = 0;  // Levels; the other one is that of the best alternative, chosen or not.
  int32_t to = 0;
  int64_t past_ns = 0;         // What its samples stand for; what staying is expected to cost.
  int64_t compile_ns = 0;      // Expected, of the best alternative.
  int64_t future_ns = 0;       // The same.
  int32_t bytes = 0;           // That are compiled, inlined ones included.
  uint32_t milli_samples = 0;  // Thousandths of samples.
  std::vector<Edge> new_calls = {};  // Because of which it is compiled again where it is.
};

// CPU time that threads of the compilers have used since their start, by the kernel's ids. Only
// those that have used some since the previous record.
struct CompilerTimes {
  static constexpr RecordType kType{17};
  int64_t time_ns = 0;  // Since the run's start.
  std::vector<std::pair<int32_t, int64_t>> cpu_ns;
};

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_RECORDS_H_
