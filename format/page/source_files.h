#ifndef YP_FORMAT_PAGE_SOURCE_FILES_H_
#define YP_FORMAT_PAGE_SOURCE_FILES_H_

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// Source files by their paths in a source tree ("java/util/HashMap.java"), and what each is worth
// to a reader, in any unit: where there is no room for all, those that are worth most are kept.
using WantedSources = std::map<std::string, double>;

struct SourceFiles {
  // By path. Each line ends with "\n"; of a longer one than 500 bytes the beginning is there.
  std::map<std::string, std::string> texts;
  // Files that were found and are not kept, by path, and why: words that follow "left out:".
  std::map<std::string, std::string_view> left_out;
  size_t missing = 0;  // Files that were wanted and not found.
};

// Whole source files, from directories and jar or zip files; of a file that several have, from the
// first.
//
// A file is found in any folder, as trees have several roots (src/main/java) and the JDK's src.zip
// has one for each module (java.base), as long as the folders of its package are there and it
// declares that package. Paths that a profile holds are compared, never opened.
//
// Bounded: a file of more than 16 MiB is left out, and of all `max_bytes` are kept. A place that
// cannot be read, or a broken archive, is an error that names it.
inline constexpr size_t kMaxSourceBytes = 16 << 20;
Result<SourceFiles> ReadSourceFiles(std::span<const std::string> places,
                                    const WantedSources& wanted,
                                    size_t max_bytes = kMaxSourceBytes);

// Whether a source text is of a package ("java.util"; empty: of none), or of one around it that is
// declared first, as Scala allows.
bool DeclaresPackage(std::string_view text, std::string_view package);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_SOURCE_FILES_H_
