#include "hotspot/probes/barrier/barrier_checks.h"

#include <charconv>
#include <optional>
#include <string>

#include "hotspot/probes/barrier/barrier_code.h"

namespace yp::hotspot {
namespace {

std::string_view NextLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// A hexadecimal number at the beginning of a text, and one character behind it.
std::optional<uintptr_t> TakeHex(std::string_view& text, char behind) {
  uintptr_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const auto length = static_cast<size_t>(end - text.data());
  if (error != std::errc() || length >= text.size() || *end != behind) return std::nullopt;
  text.remove_prefix(length + 1);
  return value;
}

}  // namespace

Status CheckJdk(int jdk) {
  if (jdk == 17 || jdk == 25) return Status::Ok();
  return Status::Error("the barrier probe has been tried on JDK 17 and 25 only, this is " +
                       std::to_string(jdk));
}

const char* StubName(int jdk) {
  return jdk < 20 ? "nmethod_entry_barrier" : "method_entry_barrier";
}

Status CheckNoShadowStack(std::string_view status) {
  while (!status.empty()) {
    const std::string_view line = NextLine(status);
    if (line.starts_with("x86_Thread_features:") && line.find("shstk") != std::string_view::npos) {
      return Status::Error(
          "the process has a shadow stack, with which the barrier probe cannot be");
    }
  }
  return Status::Ok();
}

Status CheckWritableCode(std::string_view maps, uintptr_t address) {
  while (!maps.empty()) {
    std::string_view line = NextLine(maps);
    const auto low = TakeHex(line, '-');
    const auto high = low ? TakeHex(line, ' ') : std::nullopt;
    if (!high || address < *low || address >= *high) continue;
    if (line.starts_with("rwx")) return Status::Ok();
    return Status::Error("the JVM's code is not writable here");
  }
  return Status::Error("the JVM's code is not among the process's maps");
}

void BarrierSurvey::Add(uintptr_t address, std::span<const uint8_t> code) {
  const std::optional<EntryBarrier> barrier = FindEntryBarrier(address, code);
  const bool is_known = barrier && barrier->stub == stub_ && barrier->displacement != 0 &&
                        (barrier->guard & ~kNotEntrantGuard) >> 24 == 0;
  if (!is_known) {
    ++unknown_;
    return;
  }
  differ_ |= known_ != 0 && barrier->displacement != displacement_;
  displacement_ = barrier->displacement;
  ++known_;
}

Result<uint8_t> BarrierSurvey::Displacement() const {
  if (is_empty()) {
    return Status::Error("the JVM has compiled nothing in which to look for entry barriers");
  }
  if (differ_ || unknown_ > 1 + known_ / 100 || known_ == 0) {
    return Status::Error("the JVM's compiled code has entry barriers of an unknown kind (" +
                         std::to_string(unknown_) + " of " + std::to_string(known_ + unknown_) +
                         " methods" + (differ_ ? ", and not all the same" : "") + ")");
  }
  return displacement_;
}

}  // namespace yp::hotspot
