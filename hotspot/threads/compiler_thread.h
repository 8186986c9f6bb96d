#ifndef YP_HOTSPOT_THREADS_COMPILER_THREAD_H_
#define YP_HOTSPOT_THREADS_COMPILER_THREAD_H_

namespace yp::hotspot {

// HotSpot's compilers run in threads named "C1 CompilerThread0" and so on, of which the kernel
// keeps the first 15 characters. `name` ends with 0. Async-signal-safe.
inline bool IsNameOfCompilerThread(const char* name) {
  if (name[0] != 'C' || (name[1] != '1' && name[1] != '2')) return false;
  const char* const expected = " Comp";
  for (int i = 0; expected[i] != 0; ++i) {
    if (name[2 + i] != expected[i]) return false;
  }
  return true;
}

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_COMPILER_THREAD_H_
