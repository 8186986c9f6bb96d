#include "format/compile_log/compile_log.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "format/compile_log/element_scanner.h"
#include "format/compile_log/elements.h"
#include "format/compile_log/log_text.h"
#include "format/compile_log/task_reader.h"

namespace yp::compile_log {
namespace {

// Bounds on what a log makes the reader keep. No VM has had a million requests in its queue.
constexpr size_t kMaxQueued = size_t{1} << 20;
constexpr size_t kMaxThreadLogs = 1000;
constexpr size_t kMaxUnclear = 10'000;
constexpr std::string_view kXmlHead = "<?xml ";
constexpr std::string_view kLogHead = "<hotspot_log ";
constexpr std::string_view kThreadHead = "<start_compile_thread ";
constexpr std::string_view kTaskHead = "<task ";

struct Queued {
  int64_t stamp_ns = -1;
  int8_t level = 0;  // Of the code that came of it; 0 when it is not known yet.
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
  bool TakeHead(const Element& e);
  bool TakeThreadLogFile(const Element& e);
  bool TakeQueued(const Element& e);
  bool TakeCode(const Element& e);
  bool TakeCodeEnd(const Element& e, JitCodeEnd::Kind kind);
  bool TakeTrap(const Element& e);
  bool TakeTrapSite(const Element& e);
  bool TakeTask(const Element& e);

  void EndTrap();
  void EndTask();

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
  std::optional<TaskReader> task_;
  std::optional<JitDeoptimization> trap_;
  std::string unclear_trap_;  // Its method, as a task's.
  ClassNames classes_;
  // Traps come before the compilations, which name the classes.
  std::vector<std::pair<JitDeoptimization, std::string>> unclear_traps_;
};

namespace {

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
    if (task_ && e.name == "task") {
      EndTask();
    } else if (task_) {
      task_->Close(e.name);
    }
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
  if (task_ && (e.name == "task" || e.name == "compilation_log" || e.name == "hotspot_log_done")) {
    EndTask();
  }
  bool is_whole = task_ ? task_->Take(e, is_known) : TakeOutside(e, is_known);
  if (task_ && task_->is_done()) task_.reset();
  if (!is_known) is_whole = IsPassedOver(e.name);
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
  JitCompilation c;
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
  if (!IsUnclear(text)) text.clear();
  task_.emplace(std::move(c), std::move(text), &classes_, sink_, &summary_, &misread_);
  return true;
}

// Before its <task_done>, or of a log that ends there.
void Reader::State::EndTask() {
  if (!task_) return;
  task_->CutOff();
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
