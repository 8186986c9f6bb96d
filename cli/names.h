#ifndef YP_CLI_NAMES_H_
#define YP_CLI_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/profile/profile.h"

// Methods, call sites and numbers as the tables show them.
namespace yp {

// A method's name, from the fullest to the shortest: "java.util.ArrayList.add(Object, int)",
// "j.u.ArrayList.add(Object, int)", "j.u.ArrayList.add", "ArrayList.add".
std::vector<std::string> NameForms(const MethodTable& methods, MethodId id);

// "(Ljava/lang/Object;[I)Z" as "(Object, int[])"; the descriptor itself when it is malformed.
std::string ReadableParameters(std::string_view descriptor);

// Where an edge's call stands: "ArrayList.java:42", "bci 17" without lines, "native" without
// bytecode.
std::string CallSite(const MethodTable& methods, const Edge& edge);

// Whole numbers with separators: "1,234,567".
std::string WithSeparators(double number);
// A number of calls, whole: "1,234,567"; "<1" for an estimate of less than one.
std::string FormatCalls(double calls);
// A number of bytes: "12.3 MB".
std::string FormatBytes(uint64_t bytes);
// Part of a whole in percent, "12.3 %"; "<0.1 %" for what rounds to nothing but is not.
std::string FormatShare(double part, double whole);

// Whether the text matches a glob, in which * stands for anything and ? for one character.
bool MatchesGlob(std::string_view glob, std::string_view text);

}  // namespace yp

#endif  // YP_CLI_NAMES_H_
