#include "format/profile/jit_tables.h"

#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yp {
namespace {

constexpr std::string_view kNotEntrant = "not entrant", kUnloaded = "unloaded";

// A row's numbers and texts, bound one after the other.
class Row {
 public:
  explicit Row(SqliteStatement* statement) : statement_(*statement) {}
  Row& operator<<(int64_t value) {
    statement_.Bind(value);
    return *this;
  }
  Row& operator<<(int32_t value) { return *this << int64_t{value}; }
  Row& operator<<(bool value) { return *this << int64_t{value ? 1 : 0}; }
  Row& operator<<(uint64_t value) {
    statement_.BindUnsigned(value);
    return *this;
  }
  Row& operator<<(double value) {
    statement_.Bind(value);
    return *this;
  }
  Row& operator<<(std::string_view text) {
    statement_.Bind(text);
    return *this;
  }
  Row& operator<<(const std::string& text) { return *this << std::string_view(text); }
  Row& operator<<(MethodId id) { return *this << int64_t{ToIndex(id)}; }
  Row& operator<<(JitMethodId id) { return *this << int64_t{ToIndex(id)}; }
  template <typename T>
  Row& operator<<(const std::optional<T>& value) {
    if (value) return *this << *value;
    statement_.BindNull();
    return *this;
  }
  // The compile id of code is empty when nothing is known of it.
  Row& operator<<(const CodeLabel& code) {
    return *this << (code.is_known ? std::optional(code.compile_id) : std::nullopt) << code.level
                 << code.is_osr;
  }

 private:
  SqliteStatement& statement_;
};

// Inserts a row for each; fill(Row&, T).
template <typename T, typename Fill>
Status WriteEach(const std::vector<T>& rows, std::string_view insert, SqliteFile* file, Fill fill) {
  SqliteStatement statement = file->Prepare(insert);
  int64_t id = 0;
  for (const T& each : rows) {
    Row row(&statement);
    fill(row, each, id++);
    statement.Run();
  }
  return statement.ok() ? Status::Ok() : Status::Error(statement.error());
}

// None of what was compiled before the recording.
std::optional<int64_t> TimeIn(const JitLog::Compilation& compilation, int64_t time_ns) {
  return compilation.is_earlier ? std::nullopt : std::optional(time_ns);
}

Status WriteLog(const JitLog& log, SqliteFile* file) {
  if (Status s = WriteEach(log.methods(), "INSERT INTO jit_methods VALUES(?, ?, ?)", file,
                           [](Row& row, const JitMethod& method, int64_t id) {
                             row << id << method.full_name << method.loader;
                           });
      !s) {
    return s;
  }
  if (Status s = WriteEach(
          log.compilations,
          "INSERT INTO compilations VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          file,
          [](Row& row, const JitLog::Compilation& c, int64_t id) {
            row << id << c.compile_id << c.method << c.is_osr << c.osr_bci << c.level << c.compiler
                << c.thread << c.queued_ns << TimeIn(c, c.start_ns) << TimeIn(c, c.end_ns)
                << c.succeeded << c.failure << c.code_bytes << c.bytecode_bytes << c.inlined_bytes
                << c.cpu_ns;
          });
      !s) {
    return s;
  }
  std::map<std::string_view, int64_t> reasons;
  std::vector<std::string_view> texts;
  for (const JitLog::Inlining& inlining : log.inlinings) {
    const auto next = static_cast<int64_t>(texts.size());
    if (reasons.try_emplace(inlining.reason, next).second) texts.push_back(inlining.reason);
  }
  if (Status s = WriteEach(texts, "INSERT INTO inlining_reasons VALUES(?, ?)", file,
                           [](Row& row, std::string_view text, int64_t id) { row << id << text; });
      !s) {
    return s;
  }
  if (Status s =
          WriteEach(log.inlinings, "INSERT INTO inlinings VALUES(?, ?, ?, ?, ?, ?, ?, ?)", file,
                    [&](Row& row, const JitLog::Inlining& i, int64_t id) {
                      row << id << i.compile_id << i.is_osr << i.caller << i.bci << i.callee
                          << i.succeeded << reasons.at(i.reason);
                    });
      !s) {
    return s;
  }
  if (Status s =
          WriteEach(log.deoptimizations,
                    "INSERT INTO deoptimizations VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", file,
                    [](Row& row, const JitLog::Deoptimization& d, int64_t id) {
                      row << id << d.time_ns << d.compile_id << d.is_osr << d.level << d.method
                          << d.bci << d.line << d.reason << d.action << d.thread;
                    });
      !s) {
    return s;
  }
  return WriteEach(log.code_ends, "INSERT INTO code_ends VALUES(?, ?, ?, ?, ?, ?, ?)", file,
                   [](Row& row, const JitLog::CodeEnd& e, int64_t id) {
                     const bool is_unloaded = e.kind == JitCodeEndKind::kUnloaded;
                     row << id << e.time_ns << e.compile_id << e.is_osr << e.method
                         << (is_unloaded ? kUnloaded : kNotEntrant) << e.reason;
                   });
}

Status WriteContexts(const CallingContextTree& tree, SqliteFile* file) {
  SqliteStatement contexts =
      file->Prepare("INSERT INTO code_contexts VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    std::optional<int64_t> parent;
    if (node.parent != kRootContext) parent = ToIndex(node.parent);
    Row(&contexts) << static_cast<int64_t>(i) << parent << node.bci << node.method << node.code
                   << node.code.is_inlined << node.weight;
    contexts.Run();
  }
  return contexts.ok() ? Status::Ok() : Status::Error(contexts.error());
}

Status WritePeriods(const std::vector<CodePeriod>& periods, SqliteFile* file) {
  SqliteStatement ends = file->Prepare("INSERT INTO code_periods VALUES(?, ?, ?)");
  SqliteStatement samples = file->Prepare("INSERT INTO code_samples VALUES(?, ?, ?, ?, ?, ?)");
  SqliteStatement calls = file->Prepare("INSERT INTO code_calls VALUES(?, ?, ?, ?, ?)");
  SqliteStatement counts = file->Prepare("INSERT INTO code_counts VALUES(?, ?, ?, ?)");
  int64_t id = 0;
  for (const CodePeriod& period : periods) {
    Row(&ends) << id << period.end_ns << period.open_samples;
    ends.Run();
    for (const CodePeriod::Samples& each : period.samples) {
      Row(&samples) << id << each.method << each.code << each.samples;
      samples.Run();
    }
    for (const CodePeriod::Calls& each : period.calls) {
      Row(&calls) << id << each.method << each.compile_id << each.samples << each.calls;
      calls.Run();
    }
    for (const CodePeriod::Counted& each : period.counted) {
      Row(&counts) << id << each.method << each.invocations << each.interpreted;
      counts.Run();
    }
    ++id;
  }
  for (const SqliteStatement* statement : {&ends, &samples, &calls, &counts}) {
    if (!statement->ok()) return Status::Error(statement->error());
  }
  return Status::Ok();
}

class Reader {
 public:
  Reader(const std::unordered_map<int64_t, MethodId>& methods, int64_t version, SqliteFile* file,
         JitProfile* jit)
      : methods_(methods),
        has_cpu_time_(version >= 5),
        has_open_samples_(version >= 7),
        file_(*file),
        jit_(*jit) {}

  Status Read() {
    if (Status s = ReadMethods(); !s) return s;
    if (Status s = ReadCompilations(); !s) return s;
    if (Status s = ReadInlinings(); !s) return s;
    if (Status s = ReadDeoptimizations(); !s) return s;
    if (Status s = ReadCodeEnds(); !s) return s;
    if (Status s = ReadContexts(); !s) return s;
    return ReadPeriods();
  }

 private:
  // Calls take(row) for each row of the query, until one's columns are not as they should be.
  template <typename Take>
  Status ForEach(std::string_view query, Take take) {
    SqliteStatement row = file_.Prepare(query);
    while (row.Step()) {
      take(row);
      if (!row.ok()) break;
      if (!missing_.empty()) return Status::Error(missing_);
    }
    return row.ok() ? Status::Ok() : Status::Error(row.error());
  }
  template <typename Map>
  auto Look(const Map& map, int64_t id, const char* what) {
    const auto found = map.find(id);
    if (found != map.end()) return found->second;
    missing_ = std::string("a row names ") + what + " that is not there";
    return typename Map::mapped_type{};
  }
  JitMethodId JitMethodOf(SqliteStatement& row) {
    return Look(jit_methods_, row.Integer(), "a compiler's method");
  }
  MethodId MethodOf(SqliteStatement& row) { return Look(methods_, row.Integer(), "a method"); }
  static int32_t Int32(SqliteStatement& row) {
    return static_cast<int32_t>(row.Integer(INT32_MIN, INT32_MAX));
  }
  static std::optional<int32_t> Int32OrNull(SqliteStatement& row) {
    const std::optional<int64_t> value = row.IntegerOrNull(INT32_MIN, INT32_MAX);
    return value ? std::optional(static_cast<int32_t>(*value)) : std::nullopt;
  }
  static std::optional<int64_t> Int64OrNull(SqliteStatement& row) {
    return row.IntegerOrNull(INT64_MIN, INT64_MAX);
  }
  static bool Flag(SqliteStatement& row) { return row.Integer(0, 1) != 0; }
  static CodeLabel Code(SqliteStatement& row) {
    CodeLabel code;
    const std::optional<int64_t> compile_id = row.IntegerOrNull(0, CodeLabel::kMaxCompileId);
    code.level = static_cast<int32_t>(row.Integer(0, 4));
    code.is_osr = Flag(row);
    if (!compile_id) return CodeLabel::Unknown();
    code.compile_id = static_cast<int32_t>(*compile_id);
    return code;
  }

  Status ReadMethods() {
    return ForEach("SELECT id, full_name, loader FROM jit_methods ORDER BY id",
                   [&](SqliteStatement& row) {
                     const int64_t id = row.Integer();
                     std::string full_name = row.Text();
                     jit_methods_[id] = jit_.log.Intern({std::move(full_name), row.Text()});
                   });
  }
  Status ReadCompilations() {
    return ForEach(
        "SELECT compile_id, method, osr, osr_bci, level, compiler, thread, queued_ns, start_ns, "
        "end_ns, succeeded, failure, code_bytes, bytecode_bytes, inlined_bytes, " +
            std::string(has_cpu_time_ ? "cpu_ns" : "NULL") + " FROM compilations ORDER BY id",
        [&](SqliteStatement& row) {
          JitLog::Compilation c;
          c.compile_id = row.Integer();
          c.method = JitMethodOf(row);
          c.is_osr = Flag(row);
          c.osr_bci = Int32OrNull(row);
          c.level = Int32(row);
          c.compiler = row.Text();
          c.thread = row.Text();
          c.queued_ns = Int64OrNull(row);
          const std::optional<int64_t> start_ns = row.IntegerOrNull(kEarliest, kLatest);
          const std::optional<int64_t> end_ns = row.IntegerOrNull(kEarliest, kLatest);
          c.is_earlier = !start_ns || !end_ns;
          if (!c.is_earlier) {
            c.start_ns = *start_ns;
            c.end_ns = *end_ns;
          }
          c.succeeded = Flag(row);
          c.failure = row.Text();
          c.code_bytes = Int64OrNull(row);
          c.bytecode_bytes = Int32OrNull(row);
          c.inlined_bytes = Int64OrNull(row);
          c.cpu_ns = row.IntegerOrNull(0, kLatest);
          jit_.log.compilations.push_back(std::move(c));
        });
  }
  Status ReadInlinings() {
    std::unordered_map<int64_t, std::string> reasons;
    if (Status s = ForEach("SELECT id, reason FROM inlining_reasons",
                           [&](SqliteStatement& row) {
                             const int64_t id = row.Integer();
                             reasons[id] = row.Text();
                           });
        !s) {
      return s;
    }
    return ForEach(
        "SELECT compile_id, osr, caller, bci, callee, succeeded, reason FROM inlinings "
        "ORDER BY id",
        [&](SqliteStatement& row) {
          JitLog::Inlining i;
          i.compile_id = row.Integer();
          i.is_osr = Flag(row);
          i.caller = JitMethodOf(row);
          i.bci = Int32(row);
          i.callee = JitMethodOf(row);
          i.succeeded = Flag(row);
          i.reason = Look(reasons, row.Integer(), "a reason");
          jit_.log.inlinings.push_back(std::move(i));
        });
  }
  Status ReadDeoptimizations() {
    return ForEach(
        "SELECT time_ns, compile_id, osr, level, method, bci, line, reason, action, thread "
        "FROM deoptimizations ORDER BY id",
        [&](SqliteStatement& row) {
          JitLog::Deoptimization d;
          d.time_ns = row.Integer(kEarliest, kLatest);
          d.compile_id = row.Integer();
          d.is_osr = Flag(row);
          d.level = Int32(row);
          d.method = JitMethodOf(row);
          d.bci = Int32(row);
          d.line = Int32(row);
          d.reason = row.Text();
          d.action = row.Text();
          d.thread = row.Text();
          jit_.log.deoptimizations.push_back(std::move(d));
        });
  }
  Status ReadCodeEnds() {
    if (Status s = ForEach(
            "SELECT time_ns, compile_id, osr, method, kind, reason FROM code_ends ORDER BY id",
            [&](SqliteStatement& row) {
              JitLog::CodeEnd e;
              e.time_ns = row.Integer(kEarliest, kLatest);
              e.compile_id = row.Integer();
              e.is_osr = Flag(row);
              e.method = JitMethodOf(row);
              e.kind =
                  row.Text() == kUnloaded ? JitCodeEndKind::kUnloaded : JitCodeEndKind::kNotEntrant;
              e.reason = row.Text();
              jit_.log.code_ends.push_back(std::move(e));
            });
        !s) {
      return s;
    }
    return ForEach("SELECT lack FROM jit_lacks ORDER BY id",
                   [&](SqliteStatement& row) { jit_.lacks.push_back(row.Text()); });
  }
  // Parents come before their children.
  Status ReadContexts() {
    std::unordered_map<int64_t, ContextId> contexts;
    return ForEach(
        "SELECT id, parent, bci, method, compile_id, level, osr, inlined, samples "
        "FROM code_contexts ORDER BY id",
        [&](SqliteStatement& row) {
          const int64_t id = row.Integer();
          const std::optional<int64_t> above = Int64OrNull(row);
          const auto bci = static_cast<int32_t>(row.Integer(kNoBci, UINT16_MAX));
          const MethodId method = MethodOf(row);
          CodeLabel code = Code(row);
          code.is_inlined = Flag(row) && code.is_known;
          const double samples = row.NonNegative();
          if (!row.ok() || !missing_.empty()) return;
          const ContextId parent =
              above ? Look(contexts, *above, "a context above it") : kRootContext;
          contexts[id] = jit_.contexts.Child(parent, bci, method, code);
          jit_.contexts.Add(contexts[id], samples);
        });
  }
  Status ReadPeriods() {
    std::unordered_map<int64_t, size_t> periods;
    const std::string_view query =
        has_open_samples_ ? "SELECT id, end_ns, open_samples FROM code_periods ORDER BY end_ns"
                          : "SELECT id, end_ns, open_ns FROM code_periods ORDER BY end_ns";
    if (Status s = ForEach(query,
                           [&](SqliteStatement& row) {
                             periods[row.Integer()] = jit_.periods.size();
                             CodePeriod& period = jit_.periods.emplace_back();
                             period.end_ns = row.Integer(0, kLatest);
                             period.open_samples = row.NonNegative();
                           });
        !s) {
      return s;
    }
    const auto period_of = [&](SqliteStatement& row) {
      const size_t index = Look(periods, row.Integer(), "a period");
      return index < jit_.periods.size() ? &jit_.periods[index] : nullptr;
    };
    if (Status s = ForEach("SELECT period, method, compile_id, level, osr, samples "
                           "FROM code_samples ORDER BY rowid",
                           [&](SqliteStatement& row) {
                             CodePeriod* const period = period_of(row);
                             const MethodId method = MethodOf(row);
                             const CodeLabel code = Code(row);
                             const auto samples = static_cast<uint64_t>(row.Integer(0));
                             if (period != nullptr) {
                               period->samples.push_back({method, code, samples});
                             }
                           });
        !s) {
      return s;
    }
    if (Status s = ForEach("SELECT period, method, compile_id, samples, calls FROM code_calls "
                           "ORDER BY rowid",
                           [&](SqliteStatement& row) {
                             CodePeriod* const period = period_of(row);
                             const MethodId method = MethodOf(row);
                             const int32_t compile_id = Int32(row);
                             const auto samples = static_cast<uint64_t>(row.Integer(0));
                             const double calls = row.NonNegative();
                             if (period != nullptr) {
                               period->calls.push_back({method, compile_id, samples, calls});
                             }
                           });
        !s) {
      return s;
    }
    // Older versions have how long calls were sampled, and the calls of all of the period.
    if (!has_open_samples_) {
      for (CodePeriod& period : jit_.periods) {
        period.open_samples = period.open_samples > 0 ? static_cast<double>(period.stacks()) : 0;
      }
    }
    return ForEach(
        "SELECT period, method, invocations, interpreted FROM code_counts ORDER BY rowid",
        [&](SqliteStatement& row) {
          CodePeriod* const period = period_of(row);
          const MethodId method = MethodOf(row);
          const double invocations = row.NonNegative();
          const double interpreted = row.NonNegative();
          if (period != nullptr) {
            period->counted.push_back({method, invocations, interpreted});
          }
        });
  }

  // Sums and differences of two are in range.
  static constexpr int64_t kLatest = std::numeric_limits<int64_t>::max() / 4;
  static constexpr int64_t kEarliest = -kLatest;

  const std::unordered_map<int64_t, MethodId>& methods_;
  const bool has_cpu_time_;
  const bool has_open_samples_;
  SqliteFile& file_;
  JitProfile& jit_;
  std::unordered_map<int64_t, JitMethodId> jit_methods_;
  std::string missing_;  // What a row named that is not there.
};

}  // namespace

Status WriteJit(const JitProfile& jit, SqliteFile* file) {
  if (Status s = WriteLog(jit.log, file); !s) return s;
  if (Status s =
          WriteEach(jit.lacks, "INSERT INTO jit_lacks VALUES(?, ?)", file,
                    [](Row& row, const std::string& lack, int64_t id) { row << id << lack; });
      !s) {
    return s;
  }
  if (Status s = WriteContexts(jit.contexts, file); !s) return s;
  return WritePeriods(jit.periods, file);
}

Status ReadJit(const std::unordered_map<int64_t, MethodId>& methods, int64_t version,
               SqliteFile* file, JitProfile* jit) {
  return Reader(methods, version, file, jit).Read();
}

}  // namespace yp
