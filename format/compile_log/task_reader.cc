#include "format/compile_log/task_reader.h"

#include <algorithm>
#include <utility>

#include "core/graph/class_name.h"
#include "format/compile_log/elements.h"
#include "format/compile_log/log_text.h"

namespace yp::compile_log {
namespace {

// Bounds on what a log makes the reader keep. The largest compilations of C2 (80,000 nodes) name a
// few thousand methods.
constexpr size_t kMaxTaskNameBytes = size_t{16} << 20;
constexpr size_t kMaxDepth = 1000;  // Of inlining; -XX:MaxInlineLevel is 15.
constexpr size_t kMaxUnplaced = 1000;

}  // namespace

bool TaskReader::Take(const Element& e, bool& is_known) {
  const std::string_view name = e.name;
  if (name == "bc") return TakeBytecode(e);
  if (name == "type" || name == "klass") return TakeType(e);
  if (name == "method") return TakeMethod(e);
  if (name == "call") return TakeCall(e);
  if (name == "parse") return TakeParse(e);
  if (name == "inline_success") return TakeDecision(true, TextIn(e, "reason"));
  if (name == "inline_fail") return TakeDecision(false, TextIn(e, "reason"));
  if (name == "intrinsic") {
    // The compilation of an intrinsic method itself begins with one, which is at no call.
    const bool is_at_call = !parses_.empty() ? parses_.back().callee >= 0 : has_late_site_;
    return !is_at_call || TakeDecision(true, "intrinsic");
  }
  if (name == "late_inline") return TakeLateInline(e);
  if (name == "jvms") return TakeLateSite(e);
  if (name == "failure" || name == "bailout") {
    // What is parsed is given up; the compiler may begin anew.
    FlushSuccessOfC1();
    parses_.clear();
    parses_too_deep_ = 0;
    compilation_.failure = TextIn(e, "reason");
    return true;
  }
  if (name == "task_done") return TakeDone(e);
  if (name == "nmethod" || name == "uncommon_trap") return true;  // Of the compiler's own.
  is_known = false;
  return false;
}

bool TaskReader::TakeType(const Element& e) {
  const auto id = IntegerIn(e, "id");
  const auto raw = e.Raw("name");
  if (!id || !raw || raw->size() > kMaxNameBytes) return false;
  name_bytes_ += raw->size() + sizeof(std::string);
  if (name_bytes_ > kMaxTaskNameBytes) return false;
  const std::string& type = types_[*id] = Decoded(*raw);
  classes_->Add(type);
  return true;
}

bool TaskReader::TakeMethod(const Element& e) {
  const auto id = IntegerIn(e, "id");
  const auto name = e.Raw("name");
  const auto type = [&](std::optional<int64_t> type_id) -> const std::string* {
    const auto it = type_id ? types_.find(*type_id) : types_.end();
    return it == types_.end() ? nullptr : &it->second;
  };
  const std::string* const holder = type(IntegerIn(e, "holder"));
  const std::string* const returned = type(IntegerIn(e, "return"));
  if (!id || !name || holder == nullptr || returned == nullptr) return false;
  std::string full_name = ReportedClassName(*holder) + "." + Decoded(*name) + "(";
  std::string_view arguments = e.Raw("arguments").value_or("");
  while (!arguments.empty()) {
    const size_t end = std::min(arguments.find(' '), arguments.size());
    if (end > 0) {
      const std::string* const argument = type(Integer(arguments.substr(0, end)));
      if (argument == nullptr) return false;
      full_name += DescriptorOf(*argument);
      if (full_name.size() > kMaxNameBytes) return false;
    }
    arguments.remove_prefix(std::min(end + 1, arguments.size()));
  }
  full_name += ")" + DescriptorOf(*returned);
  name_bytes_ += full_name.size() + sizeof(std::string);
  if (full_name.size() > kMaxNameBytes || name_bytes_ > kMaxTaskNameBytes) return false;
  methods_[*id] = std::move(full_name);
  return true;
}

bool TaskReader::TakeParse(const Element& e) {
  const auto method = IntegerIn(e, "method");
  if (success_of_c1_ && method) success_of_c1_->site.callee = *method;
  FlushSuccessOfC1();
  if (e.form == Element::Form::kEmpty) return method.has_value();
  // Also what is not understood must be left at its </parse>.
  if (parses_.size() >= kMaxDepth) {
    ++parses_too_deep_;
    return false;
  }
  parses_.push_back({.method = method.value_or(-1)});
  return method.has_value();
}

bool TaskReader::TakeBytecode(const Element& e) {
  FlushSuccessOfC1();
  const auto bci = Int32In(e, "bci");
  if (!parses_.empty()) {
    parses_.back().bci = bci.value_or(kNoBci);
    parses_.back().callee = -1;
  }
  return bci.has_value();
}

bool TaskReader::TakeCall(const Element& e) {
  FlushSuccessOfC1();
  const int64_t callee = IntegerIn(e, "method").value_or(-1);
  if (!parses_.empty()) {
    parses_.back().callee = callee;
  } else if (has_late_site_) {
    late_.callee = callee;
    has_late_call_ = true;
  } else {
    unplaced_callee_ = callee;
  }
  return callee >= 0;
}

bool TaskReader::TakeDecision(bool succeeded, std::string reason) {
  FlushSuccessOfC1();
  if (parses_too_deep_ > 0) return false;
  if (!parses_.empty()) {
    Decision decision{parses_.back(), succeeded, std::move(reason)};
    if (decision.site.callee < 0) return !succeeded;  // A failure may be at no call.
    if (succeeded && compilation_.compiler == "c1") {
      success_of_c1_ = std::move(decision);
      return true;
    }
    return Tell(decision);
  }
  if (has_late_site_) {
    // Without a call it is the last word about that site.
    const bool is_last = !has_late_call_;
    const bool is_told = Tell({late_, succeeded, std::move(reason)});
    has_late_site_ = !is_last;
    return is_told;
  }
  if (unplaced_callee_ >= 0) {
    if (unplaced_.size() >= kMaxUnplaced) return false;
    unplaced_.push_back({{.callee = unplaced_callee_}, succeeded, std::move(reason)});
    return true;
  }
  return false;
}

bool TaskReader::TakeLateInline(const Element& e) {
  const auto method = IntegerIn(e, "method");
  has_late_site_ = has_late_call_ = false;
  is_listing_late_ = method.has_value() && parses_.empty();
  late_callee_ = method.value_or(-1);
  return is_listing_late_;
}

bool TaskReader::TakeLateSite(const Element& e) {
  const auto bci = Int32In(e, "bci");
  const auto method = IntegerIn(e, "method");
  if (!bci || !method) return false;
  if (is_listing_late_ && !has_late_site_) {
    late_ = {*method, *bci, late_callee_};
    has_late_site_ = true;
  }
  return true;
}

void TaskReader::PlaceLate() {
  is_listing_late_ = false;
  unplaced_callee_ = -1;
  for (Decision& decision : std::exchange(unplaced_, {})) {
    const int64_t callee = decision.site.callee;
    decision.site = late_;
    decision.site.callee = callee;
    if (!has_late_site_ || !Tell(decision)) ++*misread_;
  }
}

void TaskReader::Close(std::string_view name) {
  if (name == "parse") {
    FlushSuccessOfC1();
    if (parses_too_deep_ > 0) {
      --parses_too_deep_;
    } else if (!parses_.empty()) {
      parses_.pop_back();
      // What follows is about another site.
      if (parses_.empty()) has_late_site_ = false;
    }
  } else if (name == "late_inline") {
    PlaceLate();
  }
}

void TaskReader::FlushSuccessOfC1() {
  if (!success_of_c1_) return;
  if (!Tell(*success_of_c1_)) ++*misread_;
  success_of_c1_.reset();
}

bool TaskReader::Tell(const Decision& decision) {
  const auto caller = methods_.find(decision.site.method);
  const auto callee = methods_.find(decision.site.callee);
  if (caller == methods_.end() || callee == methods_.end()) return false;
  JitInlining inlining;
  inlining.compile_id = compilation_.compile_id;
  inlining.is_osr = compilation_.is_osr;
  inlining.caller.full_name = caller->second;
  inlining.bci = decision.site.bci;
  inlining.callee.full_name = callee->second;
  inlining.succeeded = decision.succeeded;
  inlining.reason = decision.reason;
  ++summary_->inlinings;
  sink_->On(std::move(inlining));
  return true;
}

bool TaskReader::TakeDone(const Element& e) {
  const auto stamp = StampIn(e);
  const auto success = e.Raw("success");
  if (!stamp || !success) return false;
  FlushSuccessOfC1();
  *misread_ += unplaced_.size();
  JitCompilation& c = compilation_;
  c.end_ns = *stamp;
  if (!unclear_method_.empty()) {
    c.method.full_name = *FullNameOf(unclear_method_, *classes_);
  }
  c.succeeded = *success == "1";
  if (c.succeeded) c.failure.clear();
  const auto code_bytes = IntegerIn(e, "nmsize");
  if (c.succeeded && code_bytes && *code_bytes > 0) c.code_bytes = code_bytes;
  // Not told when it is 0.
  c.inlined_bytes = IntegerIn(e, "inlined_bytes").value_or(0);
  ++summary_->compilations;
  sink_->On(std::move(c));
  is_done_ = true;
  return true;
}

void TaskReader::CutOff() {
  FlushSuccessOfC1();
  *misread_ += unplaced_.size();
  ++summary_->unfinished_tasks;
}

}  // namespace yp::compile_log
