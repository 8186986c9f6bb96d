#include "format/compile_log/elements.h"

#include <algorithm>
#include <limits>

#include "format/compile_log/log_text.h"

namespace yp::compile_log {
namespace {

// Of JDK 17 and 25, sorted.
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

}  // namespace

bool IsPassedOver(std::string_view name) { return std::ranges::binary_search(kPassedOver, name); }

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

std::string MethodTextIn(const Element& e) {
  const auto raw = e.Raw("method");
  return raw && raw->size() <= kMaxNameBytes ? Decoded(*raw) : "";
}

bool IsUnclear(std::string_view method_text) {
  return std::ranges::count(method_text.substr(0, method_text.rfind(" (")), ' ') > 1;
}

bool IsOsr(const Element& e) { return e.Raw("compile_kind") == "osr"; }

bool IsWrapper(const Element& e) { return e.Raw("compile_kind") == "c2n"; }

}  // namespace yp::compile_log
