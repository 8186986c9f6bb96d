#ifndef YP_HOTSPOT_SUPPORT_LOADED_COPIES_H_
#define YP_HOTSPOT_SUPPORT_LOADED_COPIES_H_

#include <cstddef>
#include <string_view>

namespace yp::hotspot {

// How many files of that name the process has mapped, whichever folders they are in: of a library
// that was replaced while it was in use there are two. 0 where that cannot be read.
size_t LoadedCopiesOf(std::string_view name);

// The same of what /proc/PID/maps says.
size_t CopiesIn(std::string_view maps, std::string_view name);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_LOADED_COPIES_H_
