#include "hotspot/support/loaded_copies.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <vector>

namespace yp::hotspot {

size_t CopiesIn(std::string_view maps, std::string_view name) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::vector<std::string_view> files;  // Device and inode.
  while (!maps.empty()) {
    const size_t end = maps.find('\n');
    const std::string_view line = maps.substr(0, end);
    maps = end == std::string_view::npos ? std::string_view() : maps.substr(end + 1);
    // "address permissions offset device inode       path".
    const size_t slash = line.find('/');
    if (slash == std::string_view::npos) continue;
    std::string_view path = line.substr(slash);
    if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
    if (path.substr(path.rfind('/') + 1) != name) continue;
    std::string_view file = line.substr(0, slash);
    for (int field = 0; field < 3; ++field) {
      file.remove_prefix(std::min(file.size(), file.find(' ') + 1));
    }
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files.size();
}

size_t LoadedCopiesOf(std::string_view name) {
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  std::string maps;
  std::array<char, 16384> part;
  for (;;) {
    const ssize_t bytes = read(fd, part.data(), part.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    maps.append(part.data(), static_cast<size_t>(bytes));
  }
  close(fd);
  return CopiesIn(maps, name);
}

}  // namespace yp::hotspot
