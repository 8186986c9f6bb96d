#ifndef YP_COMPILER_DIFFERENTIAL_OPCODES_H_
#define YP_COMPILER_DIFFERENTIAL_OPCODES_H_

#include <cstdint>

namespace yp::compiler {

// JVMS 6.5, as far as the generated methods use them.
inline constexpr uint8_t kAconstNull = 1, kIconst0 = 3, kBipush = 16, kSipush = 17, kLdcW = 19,
                         kLdc2W = 20, kIload = 21, kLload = 22, kFload = 23, kDload = 24,
                         kAload = 25, kIaload = 46, kLaload = 47, kFaload = 48, kDaload = 49,
                         kAaload = 50, kBaload = 51, kCaload = 52, kSaload = 53, kIstore = 54,
                         kLstore = 55, kFstore = 56, kDstore = 57, kAstore = 58, kIastore = 79,
                         kLastore = 80, kFastore = 81, kDastore = 82, kAastore = 83, kBastore = 84,
                         kCastore = 85, kSastore = 86, kPop = 87, kPop2 = 88, kDup = 89, kIadd = 96,
                         kLadd = 97, kFadd = 98, kDadd = 99, kIsub = 100, kIneg = 116, kIshl = 120,
                         kIand = 126, kIxor = 130, kLxor = 131, kI2l = 133, kI2f = 134, kI2d = 135,
                         kL2i = 136, kL2f = 137, kL2d = 138, kF2i = 139, kF2l = 140, kF2d = 141,
                         kD2i = 142, kD2l = 143, kD2f = 144, kI2b = 145, kLcmp = 148, kFcmpl = 149,
                         kDcmpl = 151, kIfeq = 153, kIfge = 156, kIfgt = 157, kIfIcmpeq = 159,
                         kIfAcmpeq = 165, kGoto = 167, kIreturn = 172, kLreturn = 173,
                         kFreturn = 174, kDreturn = 175, kAreturn = 176, kGetstatic = 178,
                         kPutstatic = 179, kGetfield = 180, kPutfield = 181, kInvokevirtual = 182,
                         kInvokespecial = 183, kInvokestatic = 184, kInvokeinterface = 185,
                         kNew = 187, kNewarray = 188, kAnewarray = 189, kArraylength = 190,
                         kAthrow = 191, kCheckcast = 192, kInstanceof = 193, kMonitorenter = 194,
                         kMonitorexit = 195, kMultianewarray = 197, kIfnull = 198;

}  // namespace yp::compiler

#endif  // YP_COMPILER_DIFFERENTIAL_OPCODES_H_
