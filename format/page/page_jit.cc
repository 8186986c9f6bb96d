#include "format/page/page_jit.h"

#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/amortize/ledger.h"
#include "core/amortize/versions.h"
#include "core/amortize/what_if.h"
#include "format/page/page_calls.h"
#include "format/profile/warm_up.h"

namespace yp {
namespace {

// A life of a version, and what was seen of it.
struct ShownLife {
  JitMethodId method{};
  VersionLife life;
  std::optional<double> time_ns{};
  std::optional<double> calls{};
};

std::optional<double> PageCallsOr(const std::optional<double>& calls) {
  return calls ? std::optional(PageCalls(*calls)) : std::nullopt;
}

class JitWriter {
 public:
  JitWriter(const Profile& profile, const JitAccount& account, PageNames* names, JsonWriter& json)
      : profile_(profile), log_(profile.jit.log), account_(account), names_(*names), json_(json) {}

  void Write(size_t max_warm_up_parts) {
    json_.BeginObject();
    json_.Column("lacks", account_.lacks, [](const std::string& line) { return line; });
    json_.Field("end_ns", profile_.duration_ns);
    json_.Field("unit_ns", account_.executions.unit_ns);
    Table("methods", [this] { WriteMethods(); });
    Table("compilations", [this] { WriteCompilations(); });
    Table("recompilations", [this] { WriteRecompilations(); });
    Table("versions", [this] { WriteVersions(); });
    Table("inlinings", [this] { WriteInlinings(); });
    Table("deoptimizations", [this] { WriteDeoptimizations(); });
    Table("ledger", [this] { WriteLedger(); });
    Table("warm_up", [=, this] { WriteWarmUp(max_warm_up_parts); });
    if (account_.ledger.model) {
      Table("what_if", [this] { WriteWhatIf(); });
    } else {
      json_.Field("what_if", nullptr);
    }
    json_.EndObject();
  }

 private:
  using Compilation = JitLog::Compilation;

  template <typename F>
  void Table(std::string_view key, F write) {
    json_.Key(key);
    json_.BeginObject();
    write();
    json_.EndObject();
  }

  template <typename T>
  static int64_t OrNotKnown(const std::optional<T>& value) {
    return value ? static_cast<int64_t>(*value) : -1;
  }

  void WriteMethods() {
    json_.Column("method", log_.methods(), [this](const JitMethod& m) {
      return PageNames::Number(names_.methods().Intern(MethodOfFullName(m.full_name)));
    });
    json_.Column("loader", log_.methods(),
                 [this](const JitMethod& m) { return names_.String(m.loader); });
  }

  void WriteCompilations() {
    const auto column = [this](std::string_view key, auto of) {
      json_.Column(key, log_.compilations, of);
    };
    column("id", [](const Compilation& c) { return c.compile_id; });
    column("method", [](const Compilation& c) { return ToIndex(c.method); });
    column("osr", [](const Compilation& c) { return c.is_osr ? 1 : 0; });
    column("osr_bci", [](const Compilation& c) { return OrNotKnown(c.osr_bci); });
    column("level", [](const Compilation& c) { return c.level; });
    column("thread", [this](const Compilation& c) { return names_.String(c.thread); });
    column("queued_ns", [](const Compilation& c) { return OrNotKnown(c.queued_ns); });
    column("start_ns", [](const Compilation& c) { return c.is_earlier ? -1 : c.start_ns; });
    column("end_ns", [](const Compilation& c) { return c.end_ns; });
    column("compile_ns", [](const Compilation& c) { return CompileNs(c); });
    column("succeeded", [](const Compilation& c) { return c.succeeded ? 1 : 0; });
    column("failure", [this](const Compilation& c) { return names_.StringOrNone(c.failure); });
    column("code_bytes", [](const Compilation& c) { return OrNotKnown(c.code_bytes); });
    column("bytecode_bytes", [](const Compilation& c) { return OrNotKnown(c.bytecode_bytes); });
    column("inlined_bytes", [](const Compilation& c) { return OrNotKnown(c.inlined_bytes); });
  }

  void WriteRecompilations() {
    using Row = Recompilation;
    const auto column = [this](std::string_view key, auto of) {
      json_.Column(key, account_.ledger.recompilations, of);
    };
    const auto gain = [&](std::string_view key, double Uncertain::*part) {
      column(key, [=](const Row& r) {
        return r.pay_off ? std::optional(r.pay_off->gain_ns.*part) : std::nullopt;
      });
    };
    const auto per_call = [&](std::string_view key, std::optional<Uncertain> PayOff::*time,
                              double Uncertain::*part) {
      column(key, [=](const Row& r) -> std::optional<double> {
        if (!r.pay_off) return std::nullopt;
        const std::optional<Uncertain>& known = r.pay_off.value().*time;
        return known ? std::optional(known.value().*part) : std::nullopt;
      });
    };
    column("compilation", [](const Row& r) { return r.compilation; });
    column("previous", [](const Row& r) { return OrNotKnown(r.previous); });
    column("compile_ns", [](const Row& r) { return ExactNumber{r.compile_ns}; });
    gain("gain_ns", &Uncertain::value);
    gain("low_ns", &Uncertain::low);
    gain("high_ns", &Uncertain::high);
    column("verdict", [](const Row& r) { return static_cast<int>(r.verdict()); });
    per_call("before_ns", &PayOff::before_ns, &Uncertain::value);
    per_call("before_low_ns", &PayOff::before_ns, &Uncertain::low);
    per_call("before_high_ns", &PayOff::before_ns, &Uncertain::high);
    per_call("after_ns", &PayOff::after_ns, &Uncertain::value);
    per_call("after_low_ns", &PayOff::after_ns, &Uncertain::low);
    per_call("after_high_ns", &PayOff::after_ns, &Uncertain::high);
    column("calls_after", [](const Row& r) {
      return PageCallsOr(r.calls_after ? std::optional(r.calls_after->value) : std::nullopt);
    });
    column("calls_to_pay", [](const Row& r) {
      // The first whole number that is enough.
      return r.pay_off && r.pay_off->calls_to_pay
                 ? std::optional(std::ceil(*r.pay_off->calls_to_pay))
                 : std::nullopt;
    });
    column("undecided", [](const Row& r) { return static_cast<int>(r.undecided); });
    column("drift", [](const Row& r) { return r.drift; });
    column("paid_at_ns", [](const Row& r) { return r.paid_at_ns; });
    column("made_not_entrant", [](const Row& r) { return r.was_made_not_entrant ? 1 : 0; });
  }

  // What was seen of a version that lived several times, as the interpreted one after its code was
  // made not entrant, cannot be told of each life.
  std::vector<ShownLife> Lives() const {
    std::vector<ShownLife> shown;
    const double unit_ns = account_.executions.unit_ns;
    for (const MethodVersions& versions : VersionsOf(log_, profile_.duration_ns)) {
      std::map<int64_t, int> times;  // How often each version lived.
      const auto id_of = [this](const VersionLife& life) {
        return life.compilation ? log_.compilations[*life.compilation].compile_id : 0;
      };
      for (const VersionLife& life : versions.lives) ++times[id_of(life)];
      for (const VersionLife& life : versions.lives) {
        ShownLife& row = shown.emplace_back(ShownLife{versions.method, life});
        if (unit_ns <= 0 || times[id_of(life)] > 1) continue;
        const auto seen = account_.executions.versions.find({versions.method, id_of(life)});
        row.time_ns = 0;
        if (seen == account_.executions.versions.end()) continue;
        const Execution& execution = seen->second.execution;
        row.time_ns = execution.samples * unit_ns;
        if (execution.calls) row.calls = execution.calls->number;
      }
    }
    return shown;
  }

  void WriteVersions() {
    const std::vector<ShownLife> lives = Lives();
    json_.Column("method", lives, [](const ShownLife& l) { return ToIndex(l.method); });
    json_.Column("compilation", lives,
                 [](const ShownLife& l) { return OrNotKnown(l.life.compilation); });
    json_.Column("begin_ns", lives, [](const ShownLife& l) { return l.life.begin_ns; });
    json_.Column("end_ns", lives, [](const ShownLife& l) { return l.life.end_ns; });
    json_.Column("time_ns", lives, [](const ShownLife& l) { return l.time_ns; });
    json_.Column("calls", lives, [](const ShownLife& l) { return PageCallsOr(l.calls); });
  }

  void WriteInlinings() {
    using Row = JitLog::Inlining;
    const auto column = [this](std::string_view key, auto of) {
      json_.Column(key, log_.inlinings, of);
    };
    column("compile_id", [](const Row& r) { return r.compile_id; });
    column("osr", [](const Row& r) { return r.is_osr ? 1 : 0; });
    column("caller", [](const Row& r) { return ToIndex(r.caller); });
    column("bci", [](const Row& r) { return r.bci; });
    column("line", [this](const Row& r) {
      const MethodId caller = profile_.methods.Find(log_.methods()[ToIndex(r.caller)].full_name);
      return caller == kNoMethod ? 0 : profile_.methods[caller].LineOf(r.bci);
    });
    column("callee", [](const Row& r) { return ToIndex(r.callee); });
    column("ok", [](const Row& r) { return r.succeeded ? 1 : 0; });
    column("reason", [this](const Row& r) { return names_.String(r.reason); });
  }

  void WriteDeoptimizations() {
    using Row = JitLog::Deoptimization;
    const auto column = [this](std::string_view key, auto of) {
      json_.Column(key, log_.deoptimizations, of);
    };
    column("time_ns", [](const Row& r) { return r.time_ns; });
    column("compile_id", [](const Row& r) { return r.compile_id; });
    column("osr", [](const Row& r) { return r.is_osr ? 1 : 0; });
    column("level", [](const Row& r) { return r.level; });
    column("method", [](const Row& r) { return ToIndex(r.method); });
    column("bci", [](const Row& r) { return r.bci; });
    column("line", [](const Row& r) { return r.line; });
    column("reason", [this](const Row& r) { return names_.String(r.reason); });
    column("action", [this](const Row& r) { return names_.String(r.action); });
  }

  void WriteLedger() {
    const Ledger& ledger = account_.ledger;
    json_.Field("compile_ns", ExactNumber{ledger.compile_ns});
    json_.Field("loops_ns", ExactNumber{ledger.loops_ns});
    json_.Field("failed_ns", ExactNumber{ledger.failed_ns});
    json_.Field("not_entrant_ns", ExactNumber{ledger.not_entrant_ns});
    json_.Key("gain_ns");
    if (ledger.model && !ledger.speedups.empty()) {
      json_.BeginObject();
      json_.Field("value", ledger.gain_ns.value);
      json_.Field("low", ledger.gain_ns.low);
      json_.Field("high", ledger.gain_ns.high);
      json_.EndObject();
    } else {
      json_.Value(nullptr);
    }
    json_.Field("paid_off", ledger.Count(Verdict::kPaidOff));
    json_.Field("did_not", ledger.Count(Verdict::kDidNot));
    json_.Field("undecided", ledger.Count(Verdict::kUndecided));
    json_.Field("paid_off_ns", ledger.GainOf(Verdict::kPaidOff));
    json_.Field("did_not_ns", ledger.GainOf(Verdict::kDidNot));
    Table("why_undecided", [this] { WriteWhyUndecided(); });
  }

  void WriteWhyUndecided() {
    std::vector<Undecided> ways;
    for (const Undecided way : kWaysToBeUndecided) {
      if (account_.ledger.GroupOf(way).rows > 0) ways.push_back(way);
    }
    const auto column = [&](std::string_view key, auto of) { json_.Column(key, ways, of); };
    column("undecided", [](Undecided way) { return static_cast<int>(way); });
    column("rows", [this](Undecided way) { return account_.ledger.GroupOf(way).rows; });
    column("compile_ns",
           [this](Undecided way) { return ExactNumber{account_.ledger.GroupOf(way).compile_ns}; });
    column("key", [](Undecided way) { return TextOf(way).key; });
    column("why", [](Undecided way) { return TextOf(way).why; });
    column("remedy", [](Undecided way) { return TextOf(way).remedy; });
  }

  void WriteWarmUp(size_t max_parts) {
    const std::vector<WarmUpPart> parts = WarmUpOf(profile_.jit, max_parts);
    json_.Column("end_ns", parts, [](const WarmUpPart& p) { return p.end_ns; });
    json_.Column("interpreted", parts, [](const WarmUpPart& p) { return p.interpreted; });
    json_.Column("c1", parts, [](const WarmUpPart& p) { return p.c1; });
    json_.Column("c2", parts, [](const WarmUpPart& p) { return p.c2; });
    json_.Column("unknown", parts, [](const WarmUpPart& p) { return p.unknown; });
    json_.Column("compile_ns", parts, [](const WarmUpPart& p) { return p.compile_ns; });
  }

  void WriteWhatIf() {
    const std::vector<WhatIfOfMethod> rows =
        WhatIfOfEach(log_, profile_.duration_ns, account_.executions, *account_.ledger.model);
    json_.Column("method", rows, [](const WhatIfOfMethod& w) { return ToIndex(w.method); });
    json_.Column("time_ns", rows, [](const WhatIf& w) { return w.time_ns; });
    json_.Column("compile_ns", rows, [](const WhatIf& w) { return w.compile_ns; });
    json_.Key("strategies");
    json_.BeginArray();
    for (size_t i = 0; i < Strategies().size(); ++i) {
      json_.BeginObject();
      json_.Field("name", Strategies()[i].name);
      json_.Field("phrase", Strategies()[i].phrase);
      json_.Column("value", rows, [=](const WhatIf& w) { return w.saved[i].value; });
      json_.Column("low", rows, [=](const WhatIf& w) { return w.saved[i].low; });
      json_.Column("high", rows, [=](const WhatIf& w) { return w.saved[i].high; });
      json_.EndObject();
    }
    json_.EndArray();
  }

  const Profile& profile_;
  const JitLog& log_;
  const JitAccount& account_;
  PageNames& names_;
  JsonWriter& json_;
};

}  // namespace

void WriteJit(const Profile& profile, const JitAccount& account, size_t max_warm_up_parts,
              PageNames* names, JsonWriter& json) {
  JitWriter(profile, account, names, json).Write(max_warm_up_parts);
}

}  // namespace yp
