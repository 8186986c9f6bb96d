#include "hotspot/probes/entry/refusals.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "hotspot/vmstructs/vm_flags.h"

namespace yp::hotspot {
namespace {

constexpr int kTriedJdks[] = {11, 17, 25};

// The next line of the text, which loses it.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "7f00-7fff rwxp ...": false for anything else.
bool ParseMapping(std::string_view line, AddressRange& range, std::string_view& access) {
  const char* const end = line.data() + line.size();
  const auto [dash, low_error] = std::from_chars(line.data(), end, range.low, 16);
  if (low_error != std::errc() || dash == end || *dash != '-') return false;
  const auto [space, high_error] = std::from_chars(dash + 1, end, range.high, 16);
  if (high_error != std::errc() || end - space < 4 || *space != ' ') return false;
  access = std::string_view(space + 1, 3);
  return true;
}

}  // namespace

Status CheckJdk(int feature_version, bool force) {
  const bool was_tried = std::find(std::begin(kTriedJdks), std::end(kTriedJdks), feature_version) !=
                         std::end(kTriedJdks);
  if (was_tried || force) return Status::Ok();
  return Status::Error("it was never tried with JDK " + std::to_string(feature_version) +
                       " (--force tries)");
}

Status CheckCodeMemory(std::string_view maps, const AddressRange& code_cache) {
  if (code_cache.low >= code_cache.high) return Status::Error("there is no code cache yet");
  bool has_code = false;
  while (!maps.empty()) {
    AddressRange range;
    std::string_view access;
    if (!ParseMapping(TakeLine(maps), range, access)) continue;
    if (range.high <= code_cache.low || range.low >= code_cache.high) continue;
    if (access == "rwx") {
      has_code = true;
    } else if (access != "---") {
      return Status::Error("compiled code's memory is \"" + std::string(access) +
                           "\", not writable where it runs");
    }
  }
  return has_code ? Status::Ok() : Status::Error("compiled code's memory is not to be found");
}

Status CheckNoShadowStack(std::string_view status) {
  constexpr std::string_view kFeatures = "x86_Thread_features:";
  while (!status.empty()) {
    const std::string_view line = TakeLine(status);
    if (line.starts_with(kFeatures) && line.find("shstk") != std::string_view::npos) {
      return Status::Error("the process has a shadow stack (CET)");
    }
  }
  return Status::Ok();
}

std::string ReadProcFile(const char* path) {
  std::string text;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(file, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  close(file);
  return text;
}

Status CheckCompiles(const CodeCache& code_cache) {
  const Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return Status::Ok();
  const bool may_compile = ReadVmFlag(*structs, "UseCompiler").value_or(true) &&
                           ReadVmNumber(*structs, "TieredStopAtLevel").value_or(4) > 0;
  if (may_compile) return Status::Ok();
  // One that gave up compiling, as its code cache is full, still has what it had compiled. Native
  // methods' wrappers are of no level.
  bool has_compiled = false;
  code_cache.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    has_compiled |= compilation.is_in_use && compilation.level > 0;
  });
  return has_compiled ? Status::Ok()
                      : Status::Error(
                            "this JVM compiles nothing (-Xint, or -XX:TieredStopAtLevel=0), so "
                            "that there are no compiled entries: take --probe bytecode");
}

}  // namespace yp::hotspot
