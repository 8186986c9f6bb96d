#ifndef YP_FORMAT_PROFILE_TABLES_H_
#define YP_FORMAT_PROFILE_TABLES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/ids.h"
#include "core/amortize/jit_events.h"
#include "format/profile/jit_profile.h"
#include "format/profile/sql_table.h"
#include "format/spool/records.h"

// The tables of a profile: each one's rows and columns. docs/formats.md says what they mean.
//
// A new column is a field of the row and an entry of the table's list, with the version that brings
// it; a new table is a row type, its list, and an entry of AllTables. A row of what a record of the
// spool or an event of the JIT has derives from that. Ids are those of the file.
namespace yp::table {

// Times, of which the difference of any two is in range.
inline constexpr int64_t kLatest = std::numeric_limits<int64_t>::max() / 4;
inline constexpr int64_t kEarliest = -kLatest;

struct Numbered {
  int64_t id = 0;
};

struct Meta {
  std::string key, value;
};
struct Config {
  std::string key, value;
};
struct Drop {
  std::string reason;
  uint64_t total = 0;
};
struct Thread {
  ThreadId id{};
  std::string name;
  std::optional<uint32_t> stack_group;  // Null: no stack of it was sampled.
};
struct MethodRow : Numbered {
  std::string full_name, class_name, name, descriptor, source_file;
  uint32_t flags = 0;
};
struct Line {
  int64_t method = 0;
  uint16_t bci = 0, line = 0;
};
struct EdgeRow : Numbered {
  std::optional<int64_t> caller;
  int32_t bci = kNoBci, line = 0;
  int64_t callee = 0;
  uint64_t samples = 0;
  double calls = 0, uncorrected = 0, low = 0, high = 0, share_low = 0, share_high = 0, variance = 0;
  uint32_t flags = 0;
  std::string replicates;
  double counted = 0;
};
struct TickRow : Numbered, spool::Tick {};
struct WindowRow : Numbered, spool::Window {};
struct WindowSample {
  int64_t window = 0, edge = 0;
  uint32_t samples = 0;
};
struct Context : Numbered {
  std::optional<int64_t> parent;
  int32_t bci = kNoBci;
  int64_t method = 0;
  double samples = 0;
};

struct StackGroup : Numbered {
  std::string name;
};
struct StackSamples {
  int64_t part = 0, stack_group = 0, context = 0;
  uint64_t samples = 0;
};

struct Test : Numbered {
  std::string name;
  int64_t begin_ns = 0;
  std::optional<int64_t> end_ns;  // Null: the recording ended before it.
};
struct TestEdge {
  int64_t test = 0, edge = 0;
  bool alone = false;
};

struct UnexecutedCallRow {
  int64_t caller = 0;
  int32_t bci = 0;
  int line = 0;
  std::string callee;
};

struct JitMethodRow : Numbered, JitMethod {};
struct Compilation : Numbered, BasicJitCompilation<int64_t> {
  std::optional<int64_t> begin_ns, finish_ns;  // Null where it was there when the source began.
};
struct InliningReason : Numbered {
  std::string text;
};
struct Inlining : Numbered, BasicJitInlining<int64_t> {
  int64_t reason_id = 0;
};
struct Deoptimization : Numbered, BasicJitDeoptimization<int64_t> {};
struct CodeEnd : Numbered, BasicJitCodeEnd<int64_t> {
  std::string kind_name;  // "not entrant", "unloaded".
};
struct ControllerDecision : Numbered, BasicControllerDecision<int64_t> {};
struct JitLack : Numbered {
  std::string lack;
};
// A CodeLabel without whether it is inlined.
struct Code {
  std::optional<int32_t> compile_id;  // Null when it is not known.
  int32_t level = 0;
  bool is_osr = false;
};
struct CodeContext : Context, Code {
  bool is_inlined = false;
};
struct CodePeriodRow : Numbered {
  int64_t end_ns = 0;
  double open_samples = 0;
};
struct CodeSamples : Code {
  int64_t period = 0, method = 0;
  uint64_t samples = 0;
};
struct CodeCalls {
  int64_t period = 0, method = 0;
  int32_t compile_id = 0;
  uint64_t samples = 0;
  double calls = 0;
};
struct CodeCounts {
  int64_t period = 0, method = 0;
  double invocations = 0, interpreted = 0;
};

using AllTables =
    std::tuple<Meta, Config, MethodRow, Line, EdgeRow, Thread, TickRow, WindowRow, WindowSample,
               Context, StackGroup, StackSamples, Test, TestEdge, UnexecutedCallRow, JitMethodRow,
               Compilation, InliningReason, Inlining, Deoptimization, CodeEnd, ControllerDecision,
               JitLack, CodeContext, CodePeriodRow, CodeSamples, CodeCalls, CodeCounts, Drop>;

}  // namespace yp::table

namespace yp {

// What most tables have: they override what differs.
struct SqlTableDefaults {
  static constexpr std::string_view kOrder = "id";
  static constexpr int64_t kSince = 1;
  static constexpr std::string_view kConstraints = "";
  static constexpr std::string_view kOptions = "";
  static constexpr std::string_view kInsert = "INSERT";

  static constexpr auto Id() { return SqlColumn("id", &table::Numbered::id).Key(); }
  static constexpr std::string_view kOfMethods = "REFERENCES methods(id)";
};

template <>
struct SqlTable<table::Meta> : SqlTableDefaults {
  static constexpr std::string_view kName = "meta", kOrder = "key", kOptions = "WITHOUT ROWID";
  static constexpr auto kColumns = std::tuple(SqlColumn("key", &table::Meta::key).Key(),
                                              SqlColumn("value", &table::Meta::value));
};

template <>
struct SqlTable<table::Config> : SqlTableDefaults {
  static constexpr std::string_view kName = "config", kOrder = "key", kOptions = "WITHOUT ROWID";
  static constexpr auto kColumns = std::tuple(SqlColumn("key", &table::Config::key).Key(),
                                              SqlColumn("value", &table::Config::value));
};

template <>
struct SqlTable<table::Drop> : SqlTableDefaults {
  static constexpr std::string_view kName = "drops", kOrder = "reason", kOptions = "WITHOUT ROWID";
  static constexpr auto kColumns = std::tuple(SqlColumn("reason", &table::Drop::reason).Key(),
                                              SqlColumn("total", &table::Drop::total));
};

template <>
struct SqlTable<table::Thread> : SqlTableDefaults {
  static constexpr std::string_view kName = "threads";
  static constexpr auto kColumns =
      std::tuple(SqlColumn("id", &table::Thread::id).Key(), SqlColumn("name", &table::Thread::name),
                 SqlColumn("stack_group", &table::Thread::stack_group)
                     .With("REFERENCES stack_groups(id)")
                     .Since(9, "NULL"));
};

template <>
struct SqlTable<table::MethodRow> : SqlTableDefaults {
  using Row = table::MethodRow;
  static constexpr std::string_view kName = "methods";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("full_name", &Row::full_name).With("UNIQUE"),
                 SqlColumn("class_name", &Row::class_name), SqlColumn("name", &Row::name),
                 SqlColumn("descriptor", &Row::descriptor),
                 SqlColumn("source_file", &Row::source_file), SqlColumn("flags", &Row::flags));
};

template <>
struct SqlTable<table::Line> : SqlTableDefaults {
  using Row = table::Line;
  // Of two lines for one bci the later one counts, as in Method::LineOf.
  static constexpr std::string_view kInsert = "INSERT OR REPLACE";
  static constexpr std::string_view kName = "lines", kOrder = "method, bci",
                                    kConstraints = "PRIMARY KEY(method, bci)",
                                    kOptions = "WITHOUT ROWID";
  static constexpr auto kColumns =
      std::tuple(SqlColumn("method", &Row::method).With(kOfMethods), SqlColumn("bci", &Row::bci),
                 SqlColumn("line", &Row::line));
};

template <>
struct SqlTable<table::EdgeRow> : SqlTableDefaults {
  using Row = table::EdgeRow;
  static constexpr std::string_view kName = "edges";
  static constexpr auto kColumns = std::tuple(
      Id(), SqlColumn("caller", &Row::caller).With(kOfMethods),
      SqlColumn("bci", &Row::bci).In(kNoBci, UINT16_MAX), SqlColumn("line", &Row::line),
      SqlColumn("callee", &Row::callee).With(kOfMethods), SqlColumn("samples", &Row::samples),
      SqlColumn("calls", &Row::calls), SqlColumn("uncorrected", &Row::uncorrected),
      SqlColumn("low", &Row::low), SqlColumn("high", &Row::high),
      SqlColumn("share_low", &Row::share_low).Since(6, "0"),
      SqlColumn("share_high", &Row::share_high).Since(6, "0"),
      SqlColumn("variance", &Row::variance), SqlColumn("flags", &Row::flags),
      SqlColumn("replicates", &Row::replicates).Since(6, "''"),
      SqlColumn("counted", &Row::counted).Since(9, "0"));
};

template <>
struct SqlTable<table::TickRow> : SqlTableDefaults {
  using Row = table::TickRow;
  static constexpr std::string_view kName = "ticks";
  static constexpr int64_t kSince = 6;
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("tick", &Row::tick), SqlColumn("begin_ns", &Row::begin_ns),
                 SqlColumn("open_ns", &Row::open_ns), SqlColumn("period_ns", &Row::period_ns),
                 SqlColumn("open_cpu_ns", &Row::open_cpu_ns),
                 SqlColumn("program_cpu_ns", &Row::program_cpu_ns));
};

template <>
struct SqlTable<table::WindowRow> : SqlTableDefaults {
  using Row = table::WindowRow;
  static constexpr std::string_view kName = "windows";
  static constexpr auto kColumns = std::tuple(
      Id(), SqlColumn("tick", &Row::tick), SqlColumn("thread", &Row::thread),
      SqlColumn("start_ns", &Row::start_ns), SqlColumn("latency_ns", &Row::latency_ns),
      SqlColumn("duration_ns", &Row::duration_ns), SqlColumn("interval_ns", &Row::interval_ns),
      SqlColumn("calls", &Row::calls), SqlColumn("near_calls", &Row::near_calls).Since(3, "0"),
      SqlColumn("steps", &Row::steps).In(1, UINT32_MAX).Since(8, "1"),
      SqlColumn("weight", &Row::weight).Since(9, "0"));
};

template <>
struct SqlTable<table::WindowSample> : SqlTableDefaults {
  using Row = table::WindowSample;
  static constexpr std::string_view kName = "window_samples", kOrder = "window, edge",
                                    kConstraints = "PRIMARY KEY(window, edge)",
                                    kOptions = "WITHOUT ROWID";
  static constexpr auto kColumns =
      std::tuple(SqlColumn("window", &Row::window).With("REFERENCES windows(id)"),
                 SqlColumn("edge", &Row::edge).With("REFERENCES edges(id)"),
                 SqlColumn("samples", &Row::samples));
};

template <>
struct SqlTable<table::Context> : SqlTableDefaults {
  using Row = table::Context;
  static constexpr std::string_view kName = "contexts";
  static constexpr int64_t kSince = 2;
  static constexpr auto kColumns = std::tuple(
      Id(), SqlColumn("parent", &Row::parent).With("REFERENCES contexts(id)"),
      SqlColumn("bci", &Row::bci).In(kNoBci, UINT16_MAX),
      SqlColumn("method", &Row::method).With(kOfMethods), SqlColumn("samples", &Row::samples));
};

template <>
struct SqlTable<table::StackGroup> : SqlTableDefaults {
  static constexpr std::string_view kName = "stack_groups";
  static constexpr int64_t kSince = 9;
  static constexpr auto kColumns = std::tuple(Id(), SqlColumn("name", &table::StackGroup::name));
};

template <>
struct SqlTable<table::StackSamples> : SqlTableDefaults {
  using Row = table::StackSamples;
  static constexpr std::string_view kName = "stack_samples", kOrder = "part, stack_group, context",
                                    kConstraints = "PRIMARY KEY(part, stack_group, context)",
                                    kOptions = "WITHOUT ROWID";
  static constexpr int64_t kSince = 9;
  static constexpr auto kColumns =
      std::tuple(SqlColumn("part", &Row::part).In(0, UINT32_MAX),
                 SqlColumn("stack_group", &Row::stack_group).With("REFERENCES stack_groups(id)"),
                 SqlColumn("context", &Row::context), SqlColumn("samples", &Row::samples));
};

template <>
struct SqlTable<table::Test> : SqlTableDefaults {
  using Row = table::Test;
  static constexpr std::string_view kName = "tests";
  static constexpr int64_t kSince = 10;
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("name", &Row::name),
                 SqlColumn("begin_ns", &Row::begin_ns).In(table::kEarliest, table::kLatest),
                 SqlColumn("end_ns", &Row::end_ns).In(table::kEarliest, table::kLatest));
};

template <>
struct SqlTable<table::TestEdge> : SqlTableDefaults {
  using Row = table::TestEdge;
  static constexpr std::string_view kName = "test_edges", kOrder = "test, edge",
                                    kConstraints = "PRIMARY KEY(test, edge)",
                                    kOptions = "WITHOUT ROWID";
  static constexpr int64_t kSince = 10;
  static constexpr auto kColumns =
      std::tuple(SqlColumn("test", &Row::test).With("REFERENCES tests(id)"),
                 SqlColumn("edge", &Row::edge).With("REFERENCES edges(id)"),
                 SqlColumn("alone", &Row::alone).In(0, 1));
};

template <>
struct SqlTable<table::UnexecutedCallRow> : SqlTableDefaults {
  using Row = table::UnexecutedCallRow;
  static constexpr std::string_view kName = "unexecuted_calls", kOrder = "caller, bci",
                                    kConstraints = "PRIMARY KEY(caller, bci)",
                                    kOptions = "WITHOUT ROWID", kInsert = "INSERT OR REPLACE";
  static constexpr int64_t kSince = 11;
  static constexpr auto kColumns =
      std::tuple(SqlColumn("caller", &Row::caller).With(kOfMethods),
                 SqlColumn("bci", &Row::bci).In(0, UINT16_MAX), SqlColumn("line", &Row::line),
                 SqlColumn("callee", &Row::callee));
};

// The tables that tell of compilers.
struct SqlJitTableDefaults : SqlTableDefaults {
  static constexpr int64_t kSince = 4;
  static constexpr std::string_view kOfJitMethods = "REFERENCES jit_methods(id)";
  static constexpr std::string_view kOfPeriods = "REFERENCES code_periods(id)";
};

template <>
struct SqlTable<table::JitMethodRow> : SqlJitTableDefaults {
  using Row = table::JitMethodRow;
  static constexpr std::string_view kName = "jit_methods";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("full_name", &Row::full_name), SqlColumn("loader", &Row::loader));
};

template <>
struct SqlTable<table::Compilation> : SqlJitTableDefaults {
  using Row = table::Compilation;
  static constexpr std::string_view kName = "compilations";
  static constexpr auto kColumns = std::tuple(
      Id(), SqlColumn("compile_id", &Row::compile_id),
      SqlColumn("method", &Row::method).With(kOfJitMethods), SqlColumn("osr", &Row::is_osr),
      SqlColumn("osr_bci", &Row::osr_bci), SqlColumn("level", &Row::level),
      SqlColumn("compiler", &Row::compiler), SqlColumn("thread", &Row::thread),
      SqlColumn("queued_ns", &Row::queued_ns),
      SqlColumn("start_ns", &Row::begin_ns).In(table::kEarliest, table::kLatest),
      SqlColumn("end_ns", &Row::finish_ns).In(table::kEarliest, table::kLatest),
      SqlColumn("succeeded", &Row::succeeded), SqlColumn("failure", &Row::failure),
      SqlColumn("code_bytes", &Row::code_bytes), SqlColumn("bytecode_bytes", &Row::bytecode_bytes),
      SqlColumn("inlined_bytes", &Row::inlined_bytes),
      SqlColumn("cpu_ns", &Row::cpu_ns).In(0, table::kLatest).Since(5, "NULL"));
};

template <>
struct SqlTable<table::InliningReason> : SqlJitTableDefaults {
  static constexpr std::string_view kName = "inlining_reasons";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("reason", &table::InliningReason::text));
};

template <>
struct SqlTable<table::Inlining> : SqlJitTableDefaults {
  using Row = table::Inlining;
  static constexpr std::string_view kName = "inlinings";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("compile_id", &Row::compile_id), SqlColumn("osr", &Row::is_osr),
                 SqlColumn("caller", &Row::caller).With(kOfJitMethods), SqlColumn("bci", &Row::bci),
                 SqlColumn("callee", &Row::callee).With(kOfJitMethods),
                 SqlColumn("succeeded", &Row::succeeded),
                 SqlColumn("reason", &Row::reason_id).With("REFERENCES inlining_reasons(id)"));
};

template <>
struct SqlTable<table::Deoptimization> : SqlJitTableDefaults {
  using Row = table::Deoptimization;
  static constexpr std::string_view kName = "deoptimizations";
  static constexpr auto kColumns = std::tuple(
      Id(), SqlColumn("time_ns", &Row::time_ns).In(table::kEarliest, table::kLatest),
      SqlColumn("compile_id", &Row::compile_id), SqlColumn("osr", &Row::is_osr),
      SqlColumn("level", &Row::level), SqlColumn("method", &Row::method).With(kOfJitMethods),
      SqlColumn("bci", &Row::bci), SqlColumn("line", &Row::line), SqlColumn("reason", &Row::reason),
      SqlColumn("action", &Row::action), SqlColumn("thread", &Row::thread));
};

template <>
struct SqlTable<table::CodeEnd> : SqlJitTableDefaults {
  using Row = table::CodeEnd;
  static constexpr std::string_view kName = "code_ends";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("time_ns", &Row::time_ns).In(table::kEarliest, table::kLatest),
                 SqlColumn("compile_id", &Row::compile_id), SqlColumn("osr", &Row::is_osr),
                 SqlColumn("method", &Row::method).With(kOfJitMethods),
                 SqlColumn("kind", &Row::kind_name), SqlColumn("reason", &Row::reason));
};

template <>
struct SqlTable<table::ControllerDecision> : SqlJitTableDefaults {
  using Row = table::ControllerDecision;
  static constexpr std::string_view kName = "decisions";
  static constexpr int64_t kSince = 11;
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("time_ns", &Row::time_ns).In(table::kEarliest, table::kLatest),
                 SqlColumn("method", &Row::method).With(kOfJitMethods),
                 SqlColumn("recompiles", &Row::recompiles), SqlColumn("reason", &Row::reason),
                 SqlColumn("level", &Row::from), SqlColumn("best_level", &Row::to),
                 SqlColumn("samples", &Row::samples), SqlColumn("past_ns", &Row::past_ns),
                 SqlColumn("bytes", &Row::bytes), SqlColumn("compile_ns", &Row::compile_ns),
                 SqlColumn("future_ns", &Row::future_ns));
};

template <>
struct SqlTable<table::JitLack> : SqlJitTableDefaults {
  static constexpr std::string_view kName = "jit_lacks";
  static constexpr auto kColumns = std::tuple(Id(), SqlColumn("lack", &table::JitLack::lack));
};

template <>
struct SqlTable<table::CodeContext> : SqlJitTableDefaults {
  using Row = table::CodeContext;
  static constexpr std::string_view kName = "code_contexts";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("parent", &Row::parent).With("REFERENCES code_contexts(id)"),
                 SqlColumn("bci", &Row::bci).In(kNoBci, UINT16_MAX),
                 SqlColumn("method", &Row::method).With(kOfMethods),
                 SqlColumn("compile_id", &Row::compile_id).In(0, CodeLabel::kMaxCompileId),
                 SqlColumn("level", &Row::level).In(0, 4), SqlColumn("osr", &Row::is_osr),
                 SqlColumn("inlined", &Row::is_inlined), SqlColumn("samples", &Row::samples));
};

template <>
struct SqlTable<table::CodePeriodRow> : SqlJitTableDefaults {
  using Row = table::CodePeriodRow;
  static constexpr std::string_view kName = "code_periods", kOrder = "end_ns";
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("end_ns", &Row::end_ns).In(0, table::kLatest),
                 SqlColumn("open_samples", &Row::open_samples).Since(7, "open_ns"));
};

template <>
struct SqlTable<table::CodeSamples> : SqlJitTableDefaults {
  using Row = table::CodeSamples;
  static constexpr std::string_view kName = "code_samples", kOrder = "rowid";
  static constexpr auto kColumns =
      std::tuple(SqlColumn("period", &Row::period).With(kOfPeriods),
                 SqlColumn("method", &Row::method).With(kOfMethods),
                 SqlColumn("compile_id", &Row::compile_id).In(0, CodeLabel::kMaxCompileId),
                 SqlColumn("level", &Row::level).In(0, 4), SqlColumn("osr", &Row::is_osr),
                 SqlColumn("samples", &Row::samples));
};

template <>
struct SqlTable<table::CodeCalls> : SqlJitTableDefaults {
  using Row = table::CodeCalls;
  static constexpr std::string_view kName = "code_calls", kOrder = "rowid";
  static constexpr auto kColumns = std::tuple(
      SqlColumn("period", &Row::period).With(kOfPeriods),
      SqlColumn("method", &Row::method).With(kOfMethods), SqlColumn("compile_id", &Row::compile_id),
      SqlColumn("samples", &Row::samples), SqlColumn("calls", &Row::calls));
};

template <>
struct SqlTable<table::CodeCounts> : SqlJitTableDefaults {
  using Row = table::CodeCounts;
  static constexpr std::string_view kName = "code_counts", kOrder = "rowid";
  static constexpr auto kColumns = std::tuple(SqlColumn("period", &Row::period).With(kOfPeriods),
                                              SqlColumn("method", &Row::method).With(kOfMethods),
                                              SqlColumn("invocations", &Row::invocations),
                                              SqlColumn("interpreted", &Row::interpreted));
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_TABLES_H_
