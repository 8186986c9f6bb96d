#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/jfr/jfr_jit_events.h"

namespace yp::jfr {
namespace {

struct IgnoringSink final : JitEventSink {
  void On(JitCompilation) override {}
  void On(JitInlining) override {}
  void On(JitDeoptimization) override {}
  void On(JitCodeEnd) override {}
};

constexpr std::array<std::string_view, 3> kWanted = {"jdk.Compilation", "test.All", "test.Nested"};

void LookAt(const Value& value) {
  (void)value.Integer();
  (void)value.Real();
  (void)value.Text();
  (void)value.constant_key();
}

}  // namespace
}  // namespace yp::jfr

// Any bytes: reading ends, and whatever is asked of the values stays within the bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace yp::jfr;
  IgnoringSink sink;
  (void)ReadJitEvents(std::span(data, size), "fuzz", sink).ok();
  (void)ReadBytes(std::span(data, size), "fuzz", kWanted, [](const Event& event) {
    (void)event.end_ns();
    for (const std::string_view path :
         {"startTime", "method", "method.type.name", "method.type.classLoader.type.name", "i", "f",
          "d", "s", "list", "nested", "nested.x", "symbol", "points"}) {
      const Value value = event[path];
      LookAt(value);
      for (const Value& element : value.Elements()) {
        LookAt(element);
        LookAt(element["x"]);
      }
    }
  }).ok();
  return 0;
}
