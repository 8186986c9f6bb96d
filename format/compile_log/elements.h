#ifndef YP_FORMAT_COMPILE_LOG_ELEMENTS_H_
#define YP_FORMAT_COMPILE_LOG_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/compile_log/element_scanner.h"

// What a compilation log's elements have in their attributes. Nothing, or an empty text, where
// there is none or it cannot be read.
namespace yp::compile_log {

inline constexpr size_t kMaxNameBytes =
    size_t{3} * 65535;  // A class file's bound of each of three parts.
inline constexpr size_t kMaxTextBytes = 4096;

// Known elements that say nothing of what is asked here.
bool IsPassedOver(std::string_view name);

std::optional<int64_t> IntegerIn(const Element& e, std::string_view attribute);
std::optional<int32_t> Int32In(const Element& e, std::string_view attribute);
// At most kMaxTextBytes of it.
std::string TextIn(const Element& e, std::string_view attribute);
// In ns.
std::optional<int64_t> StampIn(const Element& e);
// "class name descriptor"; empty when it is too long, too.
std::string MethodTextIn(const Element& e);
// Whether it is not clear where the class's name ends, as long as not all classes are known.
bool IsUnclear(std::string_view method_text);
bool IsOsr(const Element& e);
// Wrappers of native methods have code and numbers, but no compiler makes them.
bool IsWrapper(const Element& e);

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_ELEMENTS_H_
