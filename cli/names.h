#ifndef YP_CLI_NAMES_H_
#define YP_CLI_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/profile/profile.h"

// Methods, call sites and numbers as the tables show them.
namespace yp {

// One rule shortens names in all tables, as on the page (ui/src/model/shorten.ts): packages give
// way first, to their initials and then wholly; then the parameters; then the middle of the class;
// the method's name last.

// A method's name, from the fullest to the shortest: "java.util.ArrayList.add(Object, int)",
// "j.u.ArrayList.add(Object, int)", "ArrayList.add(Object, int)", "ArrayList.add".
std::vector<std::string> NameForms(const MethodTable& methods, MethodId id);
std::vector<std::string> NameForms(const Method& method);

// At most `width` characters of a name without parameters: "Abstr…Config.get". Spaces before it
// stay.
std::string ShortenName(std::string_view name, size_t width);

// Columns on a terminal, counting a code point of UTF-8 as one.
size_t DisplayWidth(std::string_view text);

// Where an edge's call stands: "ArrayList.java:42", "bci 17" without lines, "native" without
// bytecode.
std::string CallSite(const MethodTable& methods, const Edge& edge);

// Call sites as tables show them: several of one line are told apart by their bytecode indices. The
// methods must outlive it.
class CallSites {
 public:
  explicit CallSites(const MethodTable& methods);
  // A call site that there is, whether it is shown or not.
  void Add(const Edge& edge);
  // "ArrayList.java:42", ":42"; "ArrayList.java:42 bci 17", ":42 bci 17"; else CallSite.
  std::vector<std::string> Forms(const Edge& edge) const;

 private:
  static constexpr int32_t kSeveral = -2;

  const MethodTable& methods_;
  std::map<std::pair<MethodId, int>, int32_t> sites_;  // By line: its bytecode index, or kSeveral.
};

// Those of all edges of a profile, which must outlive them.
CallSites CallSitesOf(const Profile& profile);

// Whole numbers with separators: "1,234,567".
std::string WithSeparators(double number);
// A number of calls, whole: "1,234,567"; "<1" for an estimate of less than one.
std::string FormatCalls(double calls);
// A number of bytes: "12.3 MB".
std::string FormatBytes(uint64_t bytes);
// Nanoseconds: "0.12 ms", "3.4 ms", "1,234 ms".
std::string FormatMilliseconds(double ns);
// Part of a whole in percent, "12.3 %"; "<0.1 %" for what rounds to nothing but is not.
std::string FormatShare(double part, double whole);

// Whether the text matches a glob, in which * stands for anything and ? for one character.
bool MatchesGlob(std::string_view glob, std::string_view text);
// The same for a method: its full name, or that without descriptor.
bool MatchesGlob(std::string_view glob, const Method& method);

}  // namespace yp

#endif  // YP_CLI_NAMES_H_
