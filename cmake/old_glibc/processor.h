#ifndef YP_CMAKE_OLD_GLIBC_PROCESSOR_H_
#define YP_CMAKE_OLD_GLIBC_PROCESSOR_H_

// What glibc decides for each processor: the first version that it had there, and the version of
// struct stat that programs told until 2.33.
#if defined(__x86_64__)
#define YP_FIRST_GLIBC "GLIBC_2.2.5"
inline constexpr int kStatVersion = 1;
#elif defined(__aarch64__)
#define YP_FIRST_GLIBC "GLIBC_2.17"
inline constexpr int kStatVersion = 0;
#else
#error "what glibc decides for this processor is not known here"
#endif

#endif  // YP_CMAKE_OLD_GLIBC_PROCESSOR_H_
