#ifndef YP_HOTSPOT_DISCOVERY_GROWN_H_
#define YP_HOTSPOT_DISCOVERY_GROWN_H_

#include <cstddef>
#include <vector>

namespace yp::hotspot {

// The element of that index, the vector having grown to hold it.
template <typename T>
typename std::vector<T>::reference Grown(std::vector<T>& all, size_t index) {
  if (index >= all.size()) all.resize(index + 1);
  return all[index];
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_GROWN_H_
