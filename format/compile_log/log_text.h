#ifndef YP_FORMAT_COMPILE_LOG_LOG_TEXT_H_
#define YP_FORMAT_COMPILE_LOG_LOG_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/compile_log/class_names.h"

// How HotSpot writes names and numbers into its compilation log (hotspot/share/utilities/
// xmlstream.cpp, oops/symbol.cpp), as this project writes them.
namespace yp::compile_log {

// Without XML's five entities, and with the \uXXXX of HotSpot's "quoted ASCII" as UTF-8. What is
// neither stays as it is.
std::string Decoded(std::string_view text);

// From seconds, "12.345", exactly: nanoseconds. Nothing when it is not a plain decimal number, or
// does not fit. Digits below a nanosecond are dropped.
std::optional<int64_t> NanosOfStamp(std::string_view seconds);

// The whole of the text as a number.
std::optional<int64_t> Integer(std::string_view text);

// A type's part of a descriptor: from "int" "I", from "java.lang.String" "Ljava/lang/String;", from
// "[Ljava.lang.String;" the same with slashes.
std::string DescriptorOf(std::string_view external_name);

// From method='java.lang.Object <init> ()V', decoded: "java.lang.Object.<init>()V". Nothing when it
// has another form. `classes`: those of the log whose names have spaces.
std::optional<std::string> FullNameOf(std::string_view method, const ClassNames& classes = {});

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_LOG_TEXT_H_
