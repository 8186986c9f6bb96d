#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "format/compile_log/compile_log.h"

namespace {

// What must hold of every event, whatever the log.
class Checker : public yp::JitEventSink {
 public:
  void On(yp::JitCompilation c) override { Check(!c.method.full_name.empty() && c.start_ns >= 0); }
  void On(yp::JitInlining i) override {
    Check(!i.caller.full_name.empty() && !i.callee.full_name.empty());
  }
  void On(yp::JitDeoptimization d) override { Check(d.time_ns >= 0); }
  void On(yp::JitCodeEnd e) override { Check(e.time_ns >= 0); }
  uint64_t events() const { return events_; }

 private:
  void Check(bool holds) {
    if (!holds) __builtin_trap();
    ++events_;
  }
  uint64_t events_ = 0;
};

struct Outcome {
  uint64_t events;
  uint64_t not_understood;
  bool cut_off;
  bool operator==(const Outcome&) const = default;
};

Outcome Read(std::string_view log, size_t piece) {
  Checker checker;
  yp::compile_log::Reader reader(&checker);
  while (!log.empty()) {
    const size_t size = std::min(piece, log.size());
    if (!reader.Take(log.substr(0, size))) break;
    log.remove_prefix(size);
  }
  (void)reader.EndFile();
  (void)reader.summary().DescribeDamage();
  return {checker.events(), reader.summary().not_understood, reader.summary().cut_off};
}

}  // namespace

// Any bytes: the reader ends, and what it tells does not depend on how the bytes are cut into
// pieces. The first byte is the size of the pieces; a head makes a log of the rest.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  (void)Read(bytes, bytes.size() + 1);
  const std::string log = "<?xml version='1.0' encoding='UTF-8'?>\n" + std::string(bytes);
  if (Read(log, log.size()) != Read(log, size_t{1} + data[0])) __builtin_trap();
  return 0;
}
