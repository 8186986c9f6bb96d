#ifndef YP_HOTSPOT_VMSTRUCTS_LOAD_H_
#define YP_HOTSPOT_VMSTRUCTS_LOAD_H_

#include <cstdint>

namespace yp::hotspot {

// Reads a word of the VM's. HotSpot's own threads write what is read here: a relaxed atomic load is
// the least that is sound, and on x86-64 a plain mov.
template <typename T>
T Load(const void* base, int64_t offset) {
  return __atomic_load_n(reinterpret_cast<const T*>(static_cast<const char*>(base) + offset),
                         __ATOMIC_RELAXED);
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_LOAD_H_
