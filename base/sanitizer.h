#ifndef YP_BASE_SANITIZER_H_
#define YP_BASE_SANITIZER_H_

namespace yp {

// Whether a sanitizer that slows everything down is compiled in: g++ and clang++ tell in ways of
// their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace yp

#endif  // YP_BASE_SANITIZER_H_
