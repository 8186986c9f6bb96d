#ifndef YP_CLASSFILE_MODIFIED_UTF8_H_
#define YP_CLASSFILE_MODIFIED_UTF8_H_

#include <string>
#include <string_view>

namespace yp::classfile {

// The encoding of names in class files and of JNI's and JVMTI's texts (JVMS 4.4.7): U+0000 is
// C0 80, and characters beyond U+FFFF are a pair of surrogates of three bytes each.

bool IsModifiedUtf8(std::string_view text);

// As standard UTF-8. A surrogate without its partner and a malformed byte become U+FFFD, so that
// the result is always valid: Java allows lone surrogates in names, UTF-8 does not.
std::string ToUtf8(std::string_view modified);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_MODIFIED_UTF8_H_
