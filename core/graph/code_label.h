#ifndef YP_CORE_GRAPH_CODE_LABEL_H_
#define YP_CORE_GRAPH_CODE_LABEL_H_

#include <cstdint>

namespace yp {

// Which code of a method executes one of its frames.
struct CodeLabel {
  static constexpr int32_t kMaxCompileId = (1 << 26) - 1;

  // The virtual machine's number of the compilation; 0 where the method is interpreted or native.
  int32_t compile_id = 0;
  int32_t level = 0;        // As HotSpot counts: 1 to 3 are C1's, 4 is C2's.
  bool is_osr = false;      // Code that is entered in a loop.
  bool is_inlined = false;  // Into the frame that calls it, whose label is the same otherwise.
  bool is_known = true;     // Else nothing is known of it.
  bool operator==(const CodeLabel&) const = default;

  static constexpr CodeLabel Unknown() { return {.is_known = false}; }
  bool is_compiled() const { return compile_id != 0; }

  // In 32 bits; 0 is the label of a method that is interpreted. An id above the highest makes it
  // unknown, as does what no Packed has given.
  constexpr uint32_t Packed() const {
    if (!is_known || compile_id < 0 || compile_id > kMaxCompileId || level < 0 || level > 4) {
      return kUnknown;
    }
    return static_cast<uint32_t>(compile_id) | static_cast<uint32_t>(level) << kLevel |
           (is_osr ? kOsr : 0) | (is_inlined ? kInlined : 0);
  }
  static constexpr CodeLabel FromPacked(uint32_t packed) {
    CodeLabel label;
    label.compile_id = static_cast<int32_t>(packed & kMaxCompileId);
    label.level = static_cast<int32_t>(packed >> kLevel & 7);
    label.is_osr = (packed & kOsr) != 0;
    label.is_inlined = (packed & kInlined) != 0;
    return label.level <= 4 && packed < kUnknown ? label : Unknown();
  }

 private:
  static constexpr int kLevel = 26;
  static constexpr uint32_t kOsr = 1u << 29, kInlined = 1u << 30, kUnknown = 1u << 31;
};

}  // namespace yp

#endif  // YP_CORE_GRAPH_CODE_LABEL_H_
