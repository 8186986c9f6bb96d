#include "format/compile_log/compile_log.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/graph/class_name.h"
#include "format/compile_log/element_scanner.h"
#include "format/compile_log/log_text.h"

namespace yp::compile_log {
namespace {

// Bounds on what a log makes the reader keep. The largest compilations of C2 (80,000 nodes) name a
// few thousand methods; no VM has had a million requests in its queue.
constexpr size_t kMaxQueued = size_t{1} << 20;
constexpr size_t kMaxNameBytes = size_t{3} * 65535;  // A class file's bound of each of three parts.
constexpr size_t kMaxTaskNameBytes = size_t{16} << 20;
constexpr size_t kMaxDepth = 1000;  // Of inlining; -XX:MaxInlineLevel is 15.
constexpr size_t kMaxTextBytes = 4096;
constexpr size_t kMaxUnplaced = 1000;
constexpr size_t kMaxThreadLogs = 1000;
constexpr size_t kMaxUnclear = 10'000;
constexpr std::string_view kXmlHead = "<?xml ";
constexpr std::string_view kLogHead = "<hotspot_log ";
constexpr std::string_view kThreadHead = "<start_compile_thread ";
constexpr std::string_view kTaskHead = "<task ";

// Known elements that tell nothing of what is asked here, of JDK 17 and 25, sorted.
constexpr std::string_view kPassedOver[] = {"abstract_with_no_concrete_subtype",
                                            "args",
                                            "assert_null",
                                            "blob",
                                            "branch",
                                            "cast_up",
                                            "code_cache",
                                            "code_cache_full",
                                            "command",
                                            "comment",
                                            "compilation_log",
                                            "deoptimized",
                                            "dependency",
                                            "dependency_failed",
                                            "destroy_vm",
                                            "direct_call",
                                            "eliminate_allocation",
                                            "eliminate_boxing",
                                            "eliminate_boxing_method",
                                            "eliminate_lock",
                                            "fragment",
                                            "hot_throw",
                                            "info",
                                            "inline_id",
                                            "inline_level_discount",
                                            "intrinsic_fail",
                                            "launcher",
                                            "lock",
                                            "loop",
                                            "loop_tree",
                                            "method_not_compilable",
                                            "method_not_compilable_at_tier",
                                            "name",
                                            "observe",
                                            "optimize_castpp",
                                            "parse_done",
                                            "phase",
                                            "phase_done",
                                            "predicted_call",
                                            "print_native_nmethod",
                                            "print_nmethod",
                                            "profile_predicate",
                                            "properties",
                                            "regalloc",
                                            "release",
                                            "replace_string_concat",
                                            "resolve_indy",
                                            "retry_compile_with_bad_type_profile",
                                            "sect",
                                            "statistics",
                                            "string_concat",
                                            "sweeper",
                                            "thread_logfile",
                                            "trap_dependency",
                                            "tty",
                                            "tty_done",
                                            "unstable_fused_if",
                                            "unstable_if",
                                            "virtual_call",
                                            "vm_arguments",
                                            "vm_version",
                                            "writer"};
static_assert(std::ranges::is_sorted(kPassedOver));

struct Queued {
  int64_t stamp_ns = -1;
  int8_t level = 0;  // Of the code that came of it; 0 when it is not known yet.
};

// A method that is being parsed, by its number within the compilation.
struct Site {
  int64_t method = -1;
  int32_t bci = kNoBci;
  int64_t callee = -1;  // Of the last <call> at this bytecode.
};

struct Decision {
  Site site;
  bool succeeded = false;
  std::string reason;
};

// A compilation that is being read.
struct Task {
  JitCompilation compilation;
  std::unordered_map<int64_t, std::string> types;
  std::unordered_map<int64_t, std::string> methods;
  size_t name_bytes = 0;
  std::vector<Site> parses;  // The root first.
  size_t parses_too_deep = 0;
  // After parsing, C2 inlines the calls that it had put off (<late_inline>). Their sites are told
  // as a list, the innermost first. A decision about one comes after that, with the <call> or
  // without, or, for method handles, before it.
  bool is_listing_late = false;
  bool has_late_site = false;  // Until it was parsed.
  bool has_late_call = false;
  Site late;
  int64_t late_callee = -1;
  int64_t unplaced_callee = -1;
  std::vector<Decision> unplaced;
  std::string
      unclear_method;  // What was compiled, if it is to be named when all classes are known.
  // C1 names the method that the call names; the <parse> that follows names the one it inlined.
  std::optional<Decision> success_of_c1;
};

}  // namespace

class Reader::State : public ElementScanner::Handler {
 public:
  explicit State(JitEventSink* sink) : sink_(sink), scanner_(this) {}

  Status Take(std::string_view bytes);
  Status EndFile();
  const Summary& summary() const { return summary_; }

  void OnElement(const Element& element) override;
  void OnText(std::string_view text) override;

 private:
  using Key = std::pair<int64_t, bool>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<int64_t>{}(key.first * 2 + (key.second ? 1 : 0));
    }
  };

  static Status NotALog() {
    return Status::Error(
        "this is not a compilation log; give a file that java -XX:+LogCompilation wrote");
  }
  // Each: whether the element has what it must have.
  bool TakeOutside(const Element& e, bool& is_known);
  bool TakeInTask(const Element& e, bool& is_known);
  bool TakeHead(const Element& e);
  bool TakeThreadLogFile(const Element& e);
  bool TakeQueued(const Element& e);
  bool TakeCode(const Element& e);
  bool TakeCodeEnd(const Element& e, JitCodeEnd::Kind kind);
  bool TakeTrap(const Element& e);
  bool TakeTrapSite(const Element& e);
  bool TakeTask(const Element& e);
  bool TakeType(const Element& e);
  bool TakeMethod(const Element& e);
  bool TakeParse(const Element& e);
  bool TakeBytecode(const Element& e);
  bool TakeCall(const Element& e);
  bool TakeDecision(bool succeeded, std::string reason);
  bool TakeLateInline(const Element& e);
  bool TakeLateSite(const Element& e);
  bool TakeTaskDone(const Element& e);
  void CloseInTask(std::string_view name);

  void EndTask();
  void EndTrap();
  void PlaceLate();
  void FlushSuccessOfC1();
  // False when the log has not named the methods.
  bool Tell(const Decision& decision);

  JitEventSink* const sink_;
  ElementScanner scanner_;
  Summary summary_;
  std::string head_;  // The file's first bytes, until they are enough to know it.
  bool is_known_ = false;
  bool is_refused_ = false;
  bool has_head_ = false;
  bool is_ended_ = false;
  uint64_t misread_ = 0;
  std::string* text_ = nullptr;  // Where the text of the open element goes.
  std::string thread_;
  std::unordered_map<Key, Queued, KeyHash> queued_;
  uint64_t queued_beyond_ = 0;
  std::vector<std::pair<std::string, std::string>> thread_logs_;  // Thread and file, not seen yet.
  std::optional<Task> task_;
  std::optional<JitDeoptimization> trap_;
  std::string unclear_trap_;  // Its method, as a task's.
  ClassNames classes_;
  // Traps come before the compilations, which name the classes.
  std::vector<std::pair<JitDeoptimization, std::string>> unclear_traps_;
};

namespace {

std::optional<int64_t> IntegerIn(const Element& e, std::string_view attribute) {
  const auto raw = e.Raw(attribute);
  return raw ? Integer(*raw) : std::nullopt;
}

std::optional<int32_t> Int32In(const Element& e, std::string_view attribute) {
  const auto value = IntegerIn(e, attribute);
  if (!value || *value < std::numeric_limits<int32_t>::min() ||
      *value > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(*value);
}

std::string TextIn(const Element& e, std::string_view attribute) {
  const auto raw = e.Raw(attribute);
  return raw ? Decoded(raw->substr(0, kMaxTextBytes)) : std::string();
}

std::optional<int64_t> StampIn(const Element& e) {
  const auto raw = e.Raw("stamp");
  return raw ? NanosOfStamp(*raw) : std::nullopt;
}

// "class name descriptor"; empty when there is none, or it is too long.
std::string MethodTextIn(const Element& e) {
  const auto raw = e.Raw("method");
  return raw && raw->size() <= kMaxNameBytes ? Decoded(*raw) : "";
}

// Whether it is not clear where the class's name ends, as long as not all classes are known.
bool IsUnclear(std::string_view method_text) {
  return std::ranges::count(method_text.substr(0, method_text.rfind(" (")), ' ') > 1;
}

bool IsOsr(const Element& e) { return e.Raw("compile_kind") == "osr"; }

// Wrappers of native methods have code and numbers, but no compiler makes them.
bool IsWrapper(const Element& e) { return e.Raw("compile_kind") == "c2n"; }

void Trim(std::string* text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text->erase(text->find_last_not_of(kBlanks) + 1);
  text->erase(0, std::min(text->find_first_not_of(kBlanks), text->size()));
}

std::string CompilerOf(int32_t level) { return level == 4 ? "c2" : "c1"; }

}  // namespace

std::string Summary::DescribeDamage() const {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (cut_off) add("cut off, after " + std::to_string(compilations) + " compilations");
  if (!missing_thread_logs.empty()) {
    add("without the logs of " + std::to_string(missing_thread_logs.size()) +
        " compiler threads, such as " + missing_thread_logs.front());
  }
  if (unfinished_tasks > 0) add(std::to_string(unfinished_tasks) + " compilations unfinished");
  if (not_understood > 0) add(std::to_string(not_understood) + " elements not understood");
  return text;
}

Status Reader::State::Take(std::string_view bytes) {
  if (is_refused_) return NotALog();
  if (!is_known_) {
    // A log, or a compiler thread's part of one, which has no head.
    constexpr std::array<std::string_view, 4> kHeads = {kXmlHead, kLogHead, kThreadHead, kTaskHead};
    constexpr size_t kEnough = 24;
    const size_t part = std::min(bytes.size(), kEnough - std::min(kEnough, head_.size()));
    head_ += bytes.substr(0, part);
    bytes.remove_prefix(part);
    bool may_be = head_.empty();
    for (const std::string_view head : kHeads) {
      if (head_.starts_with(head)) is_known_ = true;
      may_be = may_be || head.starts_with(head_);
    }
    if (!is_known_) {
      is_refused_ = !may_be;
      return is_refused_ ? NotALog() : Status::Ok();
    }
    has_head_ = LooksLikeLog(head_);
    scanner_.Take(head_);
  }
  scanner_.Take(bytes);
  summary_.not_understood = misread_ + scanner_.broken_tags();
  return Status::Ok();
}

Status Reader::State::EndFile() {
  if (is_refused_) return NotALog();
  const bool is_within_tag = scanner_.End();
  if (is_known_ ? has_head_ && !is_ended_ : true) summary_.cut_off = true;
  if (is_within_tag) summary_.cut_off = true;
  EndTask();
  EndTrap();
  for (auto& [trap, method] : std::exchange(unclear_traps_, {})) {
    trap.method.full_name = *FullNameOf(method, classes_);
    sink_->On(std::move(trap));
  }
  text_ = nullptr;
  head_.clear();
  is_known_ = has_head_ = is_ended_ = false;
  for (std::string* text : {&summary_.vm_name, &summary_.vm_version, &summary_.command}) {
    Trim(text);
  }
  summary_.queued_only = queued_.size() + queued_beyond_;
  summary_.missing_thread_logs.clear();
  for (const auto& [thread, file] : thread_logs_) summary_.missing_thread_logs.push_back(file);
  return Status::Ok();
}

void Reader::State::OnText(std::string_view text) {
  if (text_ == nullptr || text_->size() >= kMaxTextBytes) return;
  *text_ += Decoded(text.substr(0, kMaxTextBytes));
}

void Reader::State::OnElement(const Element& e) {
  text_ = nullptr;
  const bool is_close = e.form == Element::Form::kClose;
  if (is_close) {
    if (task_) CloseInTask(e.name);
    if (e.name == "uncommon_trap" && !task_) EndTrap();
    if (e.name == "compilation_log") {
      EndTask();
      thread_.clear();
    }
    if (e.name == "hotspot_log") is_ended_ = true;
    return;
  }
  ++summary_.elements;
  bool is_known = true;
  bool is_whole = task_ ? TakeInTask(e, is_known) : TakeOutside(e, is_known);
  if (!is_known) {
    is_whole = std::ranges::binary_search(kPassedOver, e.name);
  }
  if (!is_whole) ++misread_;
}

bool Reader::State::TakeOutside(const Element& e, bool& is_known) {
  const std::string_view name = e.name;
  const bool is_open = e.form == Element::Form::kOpen;
  if (name == "task") {
    summary_.tells_compilations = true;
    return TakeTask(e);
  }
  if (name == "task_queued") return TakeQueued(e);
  if (name == "nmethod") return TakeCode(e);
  if (name == "make_not_entrant") {
    // Up to JDK 19 code without users was made a "zombie" before its memory was given back.
    return TakeCodeEnd(
        e, e.Raw("zombie") == "1" ? JitCodeEnd::Kind::kUnloaded : JitCodeEnd::Kind::kNotEntrant);
  }
  if (name == "make_unloaded") return TakeCodeEnd(e, JitCodeEnd::Kind::kUnloaded);
  if (name == "uncommon_trap") return TakeTrap(e);
  if (name == "jvms") return TakeTrapSite(e);
  if (name == "make_not_compilable") {
    ++summary_.made_not_compilable;
    return true;
  }
  if (name == "task_dequeued") return true;
  if (name == "hotspot_log") return TakeHead(e);
  if (name == "hotspot_log_done") return true;
  if (name == "thread_logfile") return TakeThreadLogFile(e);
  if (name == "compilation_log" || name == "start_compile_thread") {
    summary_.tells_compilations = true;
    const std::string thread = TextIn(e, "thread");
    if (thread.empty()) return false;
    std::erase_if(thread_logs_, [&](const auto& log) { return log.first == thread; });
    thread_ = name == "compilation_log" ? thread : TextIn(e, "name");
    return true;
  }
  if (is_open && name == "name" && summary_.vm_name.empty()) text_ = &summary_.vm_name;
  if (is_open && name == "release" && summary_.vm_version.empty()) text_ = &summary_.vm_version;
  if (is_open && name == "command" && summary_.command.empty()) text_ = &summary_.command;
  is_known = false;
  return false;
}

bool Reader::State::TakeInTask(const Element& e, bool& is_known) {
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
    const bool is_at_call =
        !task_->parses.empty() ? task_->parses.back().callee >= 0 : task_->has_late_site;
    return !is_at_call || TakeDecision(true, "intrinsic");
  }
  if (name == "late_inline") return TakeLateInline(e);
  if (name == "jvms") return TakeLateSite(e);
  if (name == "failure" || name == "bailout") {
    // What is parsed is given up; the compiler may begin anew.
    FlushSuccessOfC1();
    task_->parses.clear();
    task_->parses_too_deep = 0;
    task_->compilation.failure = TextIn(e, "reason");
    return true;
  }
  if (name == "task_done") return TakeTaskDone(e);
  if (name == "task" || name == "compilation_log" || name == "hotspot_log_done") {
    EndTask();
    return TakeOutside(e, is_known);
  }
  if (name == "nmethod" || name == "uncommon_trap") return true;  // Of the compiler's own.
  is_known = false;
  return false;
}

bool Reader::State::TakeHead(const Element& e) {
  summary_.vm_start_ms = IntegerIn(e, "time_ms");
  summary_.process_id = IntegerIn(e, "process");
  return summary_.vm_start_ms.has_value();
}

bool Reader::State::TakeThreadLogFile(const Element& e) {
  summary_.tells_compilations = true;
  const std::string thread = TextIn(e, "thread");
  if (thread.empty()) return false;
  if (thread_logs_.size() < kMaxThreadLogs) {
    thread_logs_.emplace_back(thread, TextIn(e, "filename"));
  }
  return true;
}

bool Reader::State::TakeQueued(const Element& e) {
  const auto id = IntegerIn(e, "compile_id");
  const auto stamp = StampIn(e);
  if (!id || !stamp) return false;
  if (queued_.size() >= kMaxQueued) {
    ++queued_beyond_;
    return true;
  }
  queued_[{*id, IsOsr(e)}].stamp_ns = *stamp;
  return true;
}

bool Reader::State::TakeCode(const Element& e) {
  const auto id = IntegerIn(e, "compile_id");
  if (!id) return false;
  // The level of a compilation is not told when it is the highest of this run.
  const auto queued = queued_.find({*id, IsOsr(e)});
  const auto level = Int32In(e, "level");
  if (queued != queued_.end() && level && *level >= 0 && *level <= 4) {
    queued->second.level = static_cast<int8_t>(*level);
  }
  return true;
}

bool Reader::State::TakeCodeEnd(const Element& e, JitCodeEnd::Kind kind) {
  const auto id = IntegerIn(e, "compile_id");
  const auto stamp = StampIn(e);
  if (!id || !stamp) return false;
  if (IsWrapper(e)) return true;
  JitCodeEnd end;
  end.time_ns = *stamp;
  end.compile_id = *id;
  end.is_osr = IsOsr(e);
  end.kind = kind;
  end.reason = TextIn(e, "reason");
  ++summary_.code_ends;
  sink_->On(std::move(end));
  return true;
}

bool Reader::State::TakeTrap(const Element& e) {
  EndTrap();
  const auto id = IntegerIn(e, "compile_id");
  const auto stamp = StampIn(e);
  if (!id || !stamp) return false;
  trap_.emplace();
  trap_->time_ns = *stamp;
  trap_->compile_id = *id;
  trap_->is_osr = IsOsr(e);
  trap_->level = Int32In(e, "level").value_or(0);
  trap_->reason = TextIn(e, "reason");
  trap_->action = TextIn(e, "action");
  trap_->thread = TextIn(e, "thread");
  if (e.form == Element::Form::kEmpty) EndTrap();
  return true;
}

bool Reader::State::TakeTrapSite(const Element& e) {
  const auto bci = Int32In(e, "bci");
  const std::string text = MethodTextIn(e);
  auto method = FullNameOf(text, classes_);
  if (!bci || !method) return false;
  // The first is the innermost; its callers follow. Those of a <deoptimized> have no trap.
  if (trap_ && trap_->method.full_name.empty()) {
    trap_->method.full_name = std::move(*method);
    trap_->bci = *bci;
    if (IsUnclear(text)) unclear_trap_ = text;
  }
  return true;
}

void Reader::State::EndTrap() {
  if (!trap_) return;
  ++summary_.deoptimizations;
  if (!unclear_trap_.empty() && unclear_traps_.size() < kMaxUnclear) {
    unclear_traps_.emplace_back(std::move(*trap_), std::move(unclear_trap_));
  } else {
    sink_->On(std::move(*trap_));
  }
  unclear_trap_.clear();
  trap_.reset();
}

bool Reader::State::TakeTask(const Element& e) {
  EndTrap();
  const auto id = IntegerIn(e, "compile_id");
  const auto stamp = StampIn(e);
  std::string text = MethodTextIn(e);
  auto method = FullNameOf(text, classes_);
  if (!id || !stamp || !method) return false;
  task_.emplace();
  if (IsUnclear(text)) task_->unclear_method = std::move(text);
  JitCompilation& c = task_->compilation;
  c.compile_id = *id;
  c.is_osr = IsOsr(e);
  c.start_ns = *stamp;
  c.method.full_name = std::move(*method);
  c.bytecode_bytes = Int32In(e, "bytes");
  c.osr_bci = Int32In(e, "osr_bci");
  c.thread = thread_;
  Queued queued;
  if (const auto it = queued_.find({*id, c.is_osr}); it != queued_.end()) {
    queued = it->second;
    queued_.erase(it);
  }
  if (queued.stamp_ns >= 0) c.queued_ns = queued.stamp_ns;
  if (const auto level = Int32In(e, "level")) {
    c.level = *level;
  } else if (queued.level > 0) {
    c.level = queued.level;
  } else {
    c.level = thread_.starts_with("C1") ? 1 : 4;
  }
  c.compiler = CompilerOf(c.level);
  return true;
}

bool Reader::State::TakeType(const Element& e) {
  const auto id = IntegerIn(e, "id");
  const auto raw = e.Raw("name");
  if (!id || !raw || raw->size() > kMaxNameBytes) return false;
  task_->name_bytes += raw->size() + sizeof(std::string);
  if (task_->name_bytes > kMaxTaskNameBytes) return false;
  const std::string& type = task_->types[*id] = Decoded(*raw);
  classes_.Add(type);
  return true;
}

bool Reader::State::TakeMethod(const Element& e) {
  const auto id = IntegerIn(e, "id");
  const auto name = e.Raw("name");
  const auto type = [&](std::optional<int64_t> type_id) -> const std::string* {
    const auto it = type_id ? task_->types.find(*type_id) : task_->types.end();
    return it == task_->types.end() ? nullptr : &it->second;
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
  task_->name_bytes += full_name.size() + sizeof(std::string);
  if (full_name.size() > kMaxNameBytes || task_->name_bytes > kMaxTaskNameBytes) return false;
  task_->methods[*id] = std::move(full_name);
  return true;
}

bool Reader::State::TakeParse(const Element& e) {
  const auto method = IntegerIn(e, "method");
  if (task_->success_of_c1 && method) task_->success_of_c1->site.callee = *method;
  FlushSuccessOfC1();
  if (e.form == Element::Form::kEmpty) return method.has_value();
  // Also what is not understood must be left at its </parse>.
  if (task_->parses.size() >= kMaxDepth) {
    ++task_->parses_too_deep;
    return false;
  }
  task_->parses.push_back({.method = method.value_or(-1)});
  return method.has_value();
}

bool Reader::State::TakeBytecode(const Element& e) {
  FlushSuccessOfC1();
  const auto bci = Int32In(e, "bci");
  if (!task_->parses.empty()) {
    task_->parses.back().bci = bci.value_or(kNoBci);
    task_->parses.back().callee = -1;
  }
  return bci.has_value();
}

bool Reader::State::TakeCall(const Element& e) {
  FlushSuccessOfC1();
  const int64_t callee = IntegerIn(e, "method").value_or(-1);
  if (!task_->parses.empty()) {
    task_->parses.back().callee = callee;
  } else if (task_->has_late_site) {
    task_->late.callee = callee;
    task_->has_late_call = true;
  } else {
    task_->unplaced_callee = callee;
  }
  return callee >= 0;
}

bool Reader::State::TakeDecision(bool succeeded, std::string reason) {
  FlushSuccessOfC1();
  if (task_->parses_too_deep > 0) return false;
  if (!task_->parses.empty()) {
    Decision decision{task_->parses.back(), succeeded, std::move(reason)};
    if (decision.site.callee < 0) return !succeeded;  // A failure may be at no call.
    if (succeeded && task_->compilation.compiler == "c1") {
      task_->success_of_c1 = std::move(decision);
      return true;
    }
    return Tell(decision);
  }
  if (task_->has_late_site) {
    // Without a call it is the last word about that site.
    const bool is_last = !task_->has_late_call;
    const bool is_told = Tell({task_->late, succeeded, std::move(reason)});
    task_->has_late_site = !is_last;
    return is_told;
  }
  if (task_->unplaced_callee >= 0) {
    if (task_->unplaced.size() >= kMaxUnplaced) return false;
    task_->unplaced.push_back({{.callee = task_->unplaced_callee}, succeeded, std::move(reason)});
    return true;
  }
  return false;
}

bool Reader::State::TakeLateInline(const Element& e) {
  const auto method = IntegerIn(e, "method");
  task_->has_late_site = task_->has_late_call = false;
  task_->is_listing_late = method.has_value() && task_->parses.empty();
  task_->late_callee = method.value_or(-1);
  return task_->is_listing_late;
}

bool Reader::State::TakeLateSite(const Element& e) {
  const auto bci = Int32In(e, "bci");
  const auto method = IntegerIn(e, "method");
  if (!bci || !method) return false;
  if (task_->is_listing_late && !task_->has_late_site) {
    task_->late = {*method, *bci, task_->late_callee};
    task_->has_late_site = true;
  }
  return true;
}

void Reader::State::PlaceLate() {
  task_->is_listing_late = false;
  task_->unplaced_callee = -1;
  for (Decision& decision : std::exchange(task_->unplaced, {})) {
    const int64_t callee = decision.site.callee;
    decision.site = task_->late;
    decision.site.callee = callee;
    if (!task_->has_late_site || !Tell(decision)) ++misread_;
  }
}

void Reader::State::CloseInTask(std::string_view name) {
  if (name == "parse") {
    FlushSuccessOfC1();
    if (task_->parses_too_deep > 0) {
      --task_->parses_too_deep;
    } else if (!task_->parses.empty()) {
      task_->parses.pop_back();
      // What follows is about another site.
      if (task_->parses.empty()) task_->has_late_site = false;
    }
  } else if (name == "late_inline") {
    PlaceLate();
  } else if (name == "task") {
    EndTask();
  }
}

void Reader::State::FlushSuccessOfC1() {
  if (!task_->success_of_c1) return;
  if (!Tell(*task_->success_of_c1)) ++misread_;
  task_->success_of_c1.reset();
}

bool Reader::State::Tell(const Decision& decision) {
  const auto caller = task_->methods.find(decision.site.method);
  const auto callee = task_->methods.find(decision.site.callee);
  if (caller == task_->methods.end() || callee == task_->methods.end()) return false;
  JitInlining inlining;
  inlining.compile_id = task_->compilation.compile_id;
  inlining.is_osr = task_->compilation.is_osr;
  inlining.caller.full_name = caller->second;
  inlining.bci = decision.site.bci;
  inlining.callee.full_name = callee->second;
  inlining.succeeded = decision.succeeded;
  inlining.reason = decision.reason;
  ++summary_.inlinings;
  sink_->On(std::move(inlining));
  return true;
}

bool Reader::State::TakeTaskDone(const Element& e) {
  const auto stamp = StampIn(e);
  const auto success = e.Raw("success");
  if (!stamp || !success) return false;
  FlushSuccessOfC1();
  misread_ += task_->unplaced.size();
  JitCompilation& c = task_->compilation;
  c.end_ns = *stamp;
  if (!task_->unclear_method.empty()) {
    c.method.full_name = *FullNameOf(task_->unclear_method, classes_);
  }
  c.succeeded = *success == "1";
  if (c.succeeded) c.failure.clear();
  const auto code_bytes = IntegerIn(e, "nmsize");
  if (c.succeeded && code_bytes && *code_bytes > 0) c.code_bytes = code_bytes;
  // Not told when it is 0.
  c.inlined_bytes = IntegerIn(e, "inlined_bytes").value_or(0);
  ++summary_.compilations;
  sink_->On(std::move(c));
  task_.reset();
  return true;
}

// Before its <task_done>, or of a log that ends there.
void Reader::State::EndTask() {
  if (!task_) return;
  FlushSuccessOfC1();
  misread_ += task_->unplaced.size();
  ++summary_.unfinished_tasks;
  task_.reset();
}

Reader::Reader(JitEventSink* sink) : state_(std::make_unique<State>(sink)) {}
Reader::~Reader() = default;
Status Reader::Take(std::string_view bytes) { return state_->Take(bytes); }
Status Reader::EndFile() { return state_->EndFile(); }
const Summary& Reader::summary() const { return state_->summary(); }

bool LooksLikeLog(std::string_view head) {
  return head.starts_with(kXmlHead) || head.starts_with(kLogHead);
}

bool LooksLikeThreadLog(std::string_view head) {
  return head.starts_with(kThreadHead) || head.starts_with(kTaskHead);
}

}  // namespace yp::compile_log
