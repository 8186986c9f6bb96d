#include "format/profile/jit_tables.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/profile/sql_table.h"
#include "format/profile/tables.h"

namespace yp {
namespace {

constexpr std::string_view kNotEntrant = "not entrant", kUnloaded = "unloaded";

// Writes a row for each element; make(element) gives a row, whose id is its number.
template <typename Row, typename T, typename Make>
Status WriteNumbered(const std::vector<T>& elements, SqliteFile* file, Make make) {
  SqlWriter<Row> rows(file);
  int64_t id = 0;
  for (const T& element : elements) {
    Row row = make(element);
    row.id = id++;
    rows.Write(row);
  }
  return rows.status();
}

int64_t FileIdOf(JitMethodId id) { return ToIndex(id); }

Status WriteInlinings(const JitLog& log, SqliteFile* file) {
  std::map<std::string_view, int64_t> reasons;
  std::vector<std::string_view> texts;
  for (const JitLog::Inlining& inlining : log.inlinings) {
    const auto next = static_cast<int64_t>(texts.size());
    if (reasons.try_emplace(inlining.reason, next).second) texts.push_back(inlining.reason);
  }
  if (Status s = WriteNumbered<table::InliningReason>(
          texts, file,
          [](std::string_view text) {
            return table::InliningReason{{}, std::string(text)};
          });
      !s) {
    return s;
  }
  return WriteNumbered<table::Inlining>(
      log.inlinings, file, [&reasons](const JitLog::Inlining& inlining) {
        return table::Inlining{{}, WithMethods(inlining, FileIdOf), reasons.at(inlining.reason)};
      });
}

Status WriteLog(const JitLog& log, SqliteFile* file) {
  if (Status s = WriteNumbered<table::JitMethodRow>(log.methods(), file,
                                                    [](const JitMethod& method) {
                                                      return table::JitMethodRow{{}, method};
                                                    });
      !s) {
    return s;
  }
  if (Status s = WriteNumbered<table::Compilation>(
          log.compilations, file,
          [](const JitLog::Compilation& compilation) {
            table::Compilation row{{}, WithMethods(compilation, FileIdOf), {}, {}};
            if (!row.is_earlier) {
              row.begin_ns = row.start_ns;
              row.finish_ns = row.end_ns;
            }
            return row;
          });
      !s) {
    return s;
  }
  if (Status s = WriteInlinings(log, file); !s) return s;
  if (Status s = WriteNumbered<table::Deoptimization>(
          log.deoptimizations, file,
          [](const JitLog::Deoptimization& deoptimization) {
            return table::Deoptimization{{}, WithMethods(deoptimization, FileIdOf)};
          });
      !s) {
    return s;
  }
  return WriteNumbered<table::CodeEnd>(log.code_ends, file, [](const JitLog::CodeEnd& end) {
    const bool is_unloaded = end.kind == JitCodeEndKind::kUnloaded;
    return table::CodeEnd{
        {}, WithMethods(end, FileIdOf), std::string(is_unloaded ? kUnloaded : kNotEntrant)};
  });
}

table::Code CodeRow(const CodeLabel& code) {
  return {code.is_known ? std::optional(code.compile_id) : std::nullopt, code.level, code.is_osr};
}
CodeLabel LabelOf(const table::Code& row) {
  if (!row.compile_id) return CodeLabel::Unknown();
  return {.compile_id = *row.compile_id, .level = row.level, .is_osr = row.is_osr};
}

Status WriteContexts(const CallingContextTree& tree, SqliteFile* file) {
  SqlWriter<table::CodeContext> contexts(file);
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    table::CodeContext row{{}, CodeRow(node.code), node.code.is_inlined};
    row.id = static_cast<int64_t>(i);
    if (node.parent != kRootContext) row.parent = ToIndex(node.parent);
    row.bci = node.bci;
    row.method = ToIndex(node.method);
    row.samples = node.weight;
    contexts.Write(row);
  }
  return contexts.status();
}

Status WritePeriods(const std::vector<CodePeriod>& periods, SqliteFile* file) {
  SqlWriter<table::CodePeriodRow> ends(file);
  SqlWriter<table::CodeSamples> samples(file);
  SqlWriter<table::CodeCalls> calls(file);
  SqlWriter<table::CodeCounts> counts(file);
  int64_t id = 0;
  for (const CodePeriod& period : periods) {
    ends.Write({{id}, period.end_ns, period.open_samples});
    for (const CodePeriod::Samples& each : period.samples) {
      samples.Write({CodeRow(each.code), id, ToIndex(each.method), each.samples});
    }
    for (const CodePeriod::Calls& each : period.calls) {
      calls.Write({id, ToIndex(each.method), each.compile_id, each.samples, each.calls});
    }
    for (const CodePeriod::Counted& each : period.counted) {
      counts.Write({id, ToIndex(each.method), each.invocations, each.interpreted});
    }
    ++id;
  }
  for (Status status : {ends.status(), samples.status(), calls.status(), counts.status()}) {
    if (!status) return status;
  }
  return Status::Ok();
}

class Reader {
 public:
  Reader(const std::unordered_map<int64_t, MethodId>& methods, int64_t version, SqliteFile* file,
         JitProfile* jit)
      : methods_(methods), version_(version), file_(*file), jit_(*jit) {}

  Status Read() {
    if (Status s = ReadLog(); !s) return s;
    if (Status s = ReadDecisions(); !s) return s;
    if (Status s = ForEach<table::JitLack>(
            [&](table::JitLack row) { jit_.lacks.push_back(std::move(row.lack)); });
        !s) {
      return s;
    }
    if (Status s = ReadContexts(); !s) return s;
    return ReadPeriods();
  }

 private:
  // Calls take(Row&&) for each row, until one names what is not there.
  template <typename Row, typename Take>
  Status ForEach(Take take) {
    return ReadRows<Row>(version_, &file_, [&](Row row) {
      take(std::move(row));
      return missing_.empty() ? Status::Ok() : Status::Error(missing_);
    });
  }
  template <typename Map>
  auto Look(const Map& map, int64_t id, const char* what) {
    const auto found = map.find(id);
    if (found != map.end()) return found->second;
    missing_ = std::string("a row names ") + what + " that is not there";
    return typename Map::mapped_type{};
  }
  MethodId MethodOf(int64_t id) { return Look(methods_, id, "a method"); }
  // For an event's methods.
  auto by_id() {
    return [this](int64_t id) { return Look(jit_methods_, id, "a compiler's method"); };
  }

  Status ReadLog() {
    if (Status s = ForEach<table::JitMethodRow>([&](table::JitMethodRow row) {
          const int64_t id = row.id;
          jit_methods_[id] = jit_.log.Intern(row);
        });
        !s) {
      return s;
    }
    if (Status s = ForEach<table::Compilation>([&](table::Compilation row) {
          row.is_earlier = !row.begin_ns || !row.finish_ns;
          if (!row.is_earlier) {
            row.start_ns = *row.begin_ns;
            row.end_ns = *row.finish_ns;
          }
          jit_.log.compilations.push_back(
              WithMethods(BasicJitCompilation<int64_t>(std::move(row)), by_id()));
        });
        !s) {
      return s;
    }
    if (Status s = ReadInlinings(); !s) return s;
    if (Status s = ForEach<table::Deoptimization>([&](table::Deoptimization row) {
          jit_.log.deoptimizations.push_back(
              WithMethods(BasicJitDeoptimization<int64_t>(std::move(row)), by_id()));
        });
        !s) {
      return s;
    }
    return ForEach<table::CodeEnd>([&](table::CodeEnd row) {
      row.kind =
          row.kind_name == kUnloaded ? JitCodeEndKind::kUnloaded : JitCodeEndKind::kNotEntrant;
      jit_.log.code_ends.push_back(WithMethods(BasicJitCodeEnd<int64_t>(std::move(row)), by_id()));
    });
  }
  Status ReadDecisions() {
    return ForEach<table::ControllerDecision>([&](table::ControllerDecision row) {
      jit_.decisions.push_back(
          WithMethods(BasicControllerDecision<int64_t>(std::move(row)), by_id()));
    });
  }
  Status ReadInlinings() {
    std::unordered_map<int64_t, std::string> reasons;
    if (Status s = ForEach<table::InliningReason>(
            [&](table::InliningReason row) { reasons[row.id] = std::move(row.text); });
        !s) {
      return s;
    }
    return ForEach<table::Inlining>([&](table::Inlining row) {
      row.reason = Look(reasons, row.reason_id, "a reason");
      jit_.log.inlinings.push_back(WithMethods(BasicJitInlining<int64_t>(std::move(row)), by_id()));
    });
  }
  // Parents come before their children.
  Status ReadContexts() {
    std::unordered_map<int64_t, ContextId> contexts;
    return ForEach<table::CodeContext>([&](const table::CodeContext& row) {
      const MethodId method = MethodOf(row.method);
      const ContextId parent =
          row.parent ? Look(contexts, *row.parent, "a context above it") : kRootContext;
      if (!missing_.empty()) return;
      CodeLabel code = LabelOf(row);
      code.is_inlined = row.is_inlined && code.is_known;
      const ContextId context = jit_.contexts.Child(parent, row.bci, method, code);
      contexts[row.id] = context;
      jit_.contexts.Add(context, row.samples);
    });
  }
  Status ReadPeriods() {
    std::unordered_map<int64_t, size_t> periods;
    if (Status s = ForEach<table::CodePeriodRow>([&](const table::CodePeriodRow& row) {
          periods[row.id] = jit_.periods.size();
          CodePeriod& period = jit_.periods.emplace_back();
          period.end_ns = row.end_ns;
          period.open_samples = row.open_samples;
        });
        !s) {
      return s;
    }
    CodePeriod none;  // Of a row whose period is not there.
    const auto period_of = [&](int64_t id) -> CodePeriod& {
      const size_t index = Look(periods, id, "a period");
      return missing_.empty() ? jit_.periods[index] : none;
    };
    if (Status s = ForEach<table::CodeSamples>([&](const table::CodeSamples& row) {
          period_of(row.period)
              .samples.push_back({MethodOf(row.method), LabelOf(row), row.samples});
        });
        !s) {
      return s;
    }
    if (Status s = ForEach<table::CodeCalls>([&](const table::CodeCalls& row) {
          period_of(row.period)
              .calls.push_back({MethodOf(row.method), row.compile_id, row.samples, row.calls});
        });
        !s) {
      return s;
    }
    // Older versions have how long calls were sampled, and the calls of all of the period.
    if (version_ < kVersionWithOpenSamples) {
      for (CodePeriod& period : jit_.periods) {
        period.open_samples = period.open_samples > 0 ? static_cast<double>(period.stacks()) : 0;
      }
    }
    return ForEach<table::CodeCounts>([&](const table::CodeCounts& row) {
      period_of(row.period)
          .counted.push_back({MethodOf(row.method), row.invocations, row.interpreted});
    });
  }

  static constexpr int64_t kVersionWithOpenSamples = 7;

  const std::unordered_map<int64_t, MethodId>& methods_;
  const int64_t version_;
  SqliteFile& file_;
  JitProfile& jit_;
  std::unordered_map<int64_t, JitMethodId> jit_methods_;
  std::string missing_;  // What a row named that is not there.
};

}  // namespace

Status WriteJit(const JitProfile& jit, SqliteFile* file) {
  if (Status s = WriteLog(jit.log, file); !s) return s;
  if (Status s = WriteNumbered<table::ControllerDecision>(
          jit.decisions, file,
          [](const BasicControllerDecision<JitMethodId>& decision) {
            return table::ControllerDecision{{}, WithMethods(decision, FileIdOf)};
          });
      !s) {
    return s;
  }
  if (Status s = WriteNumbered<table::JitLack>(jit.lacks, file,
                                               [](const std::string& lack) {
                                                 return table::JitLack{{}, lack};
                                               });
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
