#ifndef YP_RECORDER_GUARDED_H_
#define YP_RECORDER_GUARDED_H_

namespace yp {

// Around all that the VM or the kernel calls: an exception would cross frames that have no room for
// one, and end the process. The only ones that can come are the standard library's for lack of
// memory; what was under way is given up.
template <typename F>
void Guarded(F&& body) noexcept {
  try {
    body();
  } catch (...) {
  }
}

}  // namespace yp

#endif  // YP_RECORDER_GUARDED_H_
