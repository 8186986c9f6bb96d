#ifndef YP_FORMAT_COMPILE_LOG_TASK_READER_H_
#define YP_FORMAT_COMPILE_LOG_TASK_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/amortize/jit_events.h"
#include "format/compile_log/class_names.h"
#include "format/compile_log/compile_log.h"
#include "format/compile_log/element_scanner.h"

namespace yp::compile_log {

// Reads what stands within a <task>: one compilation, and what it inlined.
class TaskReader {
 public:
  // `compilation`: as its <task> has it. `unclear_method`: what is compiled, if that is to be named
  // when all classes are known. All others outlive this; `misread` counts elements.
  TaskReader(JitCompilation compilation, std::string unclear_method, ClassNames* classes,
             JitEventSink* sink, Summary* summary, uint64_t* misread)
      : compilation_(std::move(compilation)),
        unclear_method_(std::move(unclear_method)),
        classes_(classes),
        sink_(sink),
        summary_(summary),
        misread_(misread) {}

  // Whether the element has what it must have; `is_known` becomes false for one that means nothing
  // here.
  bool Take(const Element& e, bool& is_known);
  // The end of an element.
  void Close(std::string_view name);
  // After its <task_done>: the compilation has been told of.
  bool is_done() const { return is_done_; }
  // Before that: the log ends, or another task begins.
  void CutOff();

 private:
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

  bool TakeType(const Element& e);
  bool TakeMethod(const Element& e);
  bool TakeParse(const Element& e);
  bool TakeBytecode(const Element& e);
  bool TakeCall(const Element& e);
  bool TakeDecision(bool succeeded, std::string reason);
  bool TakeLateInline(const Element& e);
  bool TakeLateSite(const Element& e);
  bool TakeDone(const Element& e);
  void PlaceLate();
  void FlushSuccessOfC1();
  // False when the log has not named the methods.
  bool Tell(const Decision& decision);

  JitCompilation compilation_;
  std::string unclear_method_;
  ClassNames* const classes_;
  JitEventSink* const sink_;
  Summary* const summary_;
  uint64_t* const misread_;
  bool is_done_ = false;
  // By their numbers within the compilation.
  std::unordered_map<int64_t, std::string> types_;
  std::unordered_map<int64_t, std::string> methods_;
  size_t name_bytes_ = 0;
  std::vector<Site> parses_;  // The root first.
  size_t parses_too_deep_ = 0;
  // After parsing, C2 inlines the calls that it had put off (<late_inline>). Their sites are told
  // as a list, the innermost first. A decision about one comes after that, with the <call> or
  // without, or, for method handles, before it.
  bool is_listing_late_ = false;
  bool has_late_site_ = false;  // Until it was parsed.
  bool has_late_call_ = false;
  Site late_;
  int64_t late_callee_ = -1;
  int64_t unplaced_callee_ = -1;
  std::vector<Decision> unplaced_;
  // C1 names the method that the call names; the <parse> that follows names the one it inlined.
  std::optional<Decision> success_of_c1_;
};

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_TASK_READER_H_
