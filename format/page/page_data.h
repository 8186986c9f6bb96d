#ifndef YP_FORMAT_PAGE_PAGE_DATA_H_
#define YP_FORMAT_PAGE_PAGE_DATA_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "format/page/source_files.h"
#include "format/profile/profile.h"

namespace yp {

struct PageProfile {
  const Profile* profile = nullptr;
  std::string name;  // Of its file.
};

struct PageOptions {
  std::string generator;                 // "yp 0.1.0".
  size_t max_nodes = 300'000;            // Of a tree; the lightest contexts are left out.
  size_t max_unlikely = 5'000;           // Changes that may be chance, the largest ones.
  size_t max_warm_up_parts = 120;        //
  const SourceFiles* sources = nullptr;  // Null: none were given.
};

// What a page shows of one profile, or of two that are compared, the one before first: the JSON of
// docs/formats.md, "Page data", as UTF-8. Whatever the profiles' names hold, it is well-formed and
// has no "<" in it.
//
// Counts are written in all their digits, estimates with six. 20,000 methods and 200,000 edges take
// some tenths of a second.
std::string PageData(std::span<const PageProfile> profiles, const PageOptions& options);

// The source files of the methods that a page shows of a profile: those of its edges and of its
// contexts. A file is worth the share of all calls that its methods make and receive, and the share
// of what contexts weigh.
WantedSources SourcesOf(const Profile& profile);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_DATA_H_
