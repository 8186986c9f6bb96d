#ifndef YP_CLASSFILE_TRIVIAL_H_
#define YP_CLASSFILE_TRIVIAL_H_

#include "classfile/class_file.h"

namespace yp::classfile {

inline constexpr size_t kMaxTrivialCodeBytes = 12;

// Whether a method does so little that counting its calls costs more than they do: a getter, a
// setter, a constant, a default constructor. It is trivial when
// - it has code of at most kMaxTrivialCodeBytes bytes, no exception handlers, and is not
//   synchronized;
// - it is straight-line code: no jump, switch, ret or athrow;
// - it calls nothing, except that a constructor may call Object.<init>();
// - it allocates nothing, locks nothing, and loads no dynamic constant (which may run a bootstrap
//   method).
bool IsTrivial(const ClassFile& file, const Method& method);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_TRIVIAL_H_
