#ifndef YP_CLI_LAUNCH_SYSTEM_CALL_H_
#define YP_CLI_LAUNCH_SYSTEM_CALL_H_

namespace yp {

// A system call without libc: what the kernel answers, an error as its negative number.
#if defined(__x86_64__)
inline long SystemCall(long number, long a, long b, long c, long d = 0) {
  long result = 0;
  register long fourth asm("r10") = d;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
inline long SystemCall(long number, long a, long b, long c, long d = 0) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}
#else
#error "how this processor calls the kernel is not known here"
#endif

}  // namespace yp

#endif  // YP_CLI_LAUNCH_SYSTEM_CALL_H_
