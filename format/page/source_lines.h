#ifndef YP_FORMAT_PAGE_SOURCE_LINES_H_
#define YP_FORMAT_PAGE_SOURCE_LINES_H_

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// Lines, one-based, of source files by their paths in a source tree ("java/util/HashMap.java").
using SourceSites = std::map<std::string, std::set<int>>;

struct SourceLines {
  std::map<std::string, std::map<int, std::string>> files;
  size_t missing = 0;   // Files that were wanted and not found.
  size_t left_out = 0;  // Found, but larger than what is read, or more than what is kept.
};

// The lines at the sites and `around` them, from directories and jar or zip files; of a file that
// several have, from the first.
//
// A file is found in any folder, as trees have several roots (src/main/java) and the JDK's src.zip
// has one for each module (java.base), as long as the folders of its package are there and it
// declares that package. Paths that a profile holds are compared, never opened.
//
// Bounded: of a file 16 MiB are read, of a line 500 bytes kept, of all 64 MiB. A place that cannot
// be read, or a broken archive, is an error that names it.
Result<SourceLines> ReadSourceLines(std::span<const std::string> places, const SourceSites& sites,
                                    int around = 2);

// Whether a source text is of a package ("java.util"; empty: of none), or of one around it that is
// declared first, as Scala allows.
bool DeclaresPackage(std::string_view text, std::string_view package);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_SOURCE_LINES_H_
