#ifndef YP_FORMAT_COMPILE_LOG_COMPILE_LOG_TEST_UTIL_H_
#define YP_FORMAT_COMPILE_LOG_COMPILE_LOG_TEST_UTIL_H_

#include <string>
#include <utility>
#include <vector>

#include "format/compile_log/compile_log.h"

namespace yp::compile_log {

// Keeps events, and each as a line.
class Recorder : public JitEventSink {
 public:
  void On(JitCompilation c) override {
    lines += "compilation " + Id(c.compile_id, c.is_osr) + " " + c.method.full_name + " " +
             c.compiler + " level " + std::to_string(c.level) + " thread " + c.thread + " " +
             Optional("queued", c.queued_ns) + std::to_string(c.start_ns) + " to " +
             std::to_string(c.end_ns) + (c.succeeded ? "" : " failed: " + c.failure) +
             Optional(" osr_bci", c.osr_bci) + Optional(" code", c.code_bytes) +
             Optional(" bytecodes", c.bytecode_bytes) + Optional(" inlined", c.inlined_bytes) +
             "\n";
    compilations.push_back(std::move(c));
  }
  void On(JitInlining i) override {
    lines += "inlining " + Id(i.compile_id, i.is_osr) + " " + i.caller.full_name + " @ " +
             std::to_string(i.bci) + " " + i.callee.full_name + (i.succeeded ? " yes: " : " no: ") +
             i.reason + "\n";
    inlinings.push_back(std::move(i));
  }
  void On(JitDeoptimization d) override {
    lines += "deoptimization " + Id(d.compile_id, d.is_osr) + " level " + std::to_string(d.level) +
             " " + d.method.full_name + " @ " + std::to_string(d.bci) + " " + d.reason + " " +
             d.action + " thread " + d.thread + " at " + std::to_string(d.time_ns) + "\n";
    deoptimizations.push_back(std::move(d));
  }
  void On(JitCodeEnd e) override {
    lines += std::string("code end ") + Id(e.compile_id, e.is_osr) +
             (e.kind == JitCodeEnd::Kind::kUnloaded ? " unloaded" : " not entrant") + " (" +
             e.reason + ") at " + std::to_string(e.time_ns) + "\n";
    code_ends.push_back(std::move(e));
  }

  std::string lines;
  std::vector<JitCompilation> compilations;
  std::vector<JitInlining> inlinings;
  std::vector<JitDeoptimization> deoptimizations;
  std::vector<JitCodeEnd> code_ends;

 private:
  static std::string Id(int64_t id, bool is_osr) {
    return std::to_string(id) + (is_osr ? "%" : "");
  }
  template <typename T>
  static std::string Optional(const std::string& name, const std::optional<T>& value) {
    return value ? name + " " + std::to_string(*value) + " " : "";
  }
};

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_COMPILE_LOG_TEST_UTIL_H_
