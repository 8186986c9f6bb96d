#include "compiler/bytecode/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp::compiler {
namespace {

using testing::ElementsAre;

TEST(Signature, HasOneKindForEachParameter) {
  const auto signature = Signature::Parse("(IJ[[DLjava/lang/String;ZF)D");
  ASSERT_TRUE(signature);
  EXPECT_THAT(signature->parameters, ElementsAre(Kind::kInt, Kind::kLong, Kind::kReference,
                                                 Kind::kReference, Kind::kInt, Kind::kFloat));
  EXPECT_EQ(signature->return_kind(), Kind::kDouble);
}

TEST(Signature, KeepsTheReturnTypesFirstLetter) {
  EXPECT_EQ(Signature::Parse("()Z")->return_type, 'Z');
  EXPECT_EQ(Signature::Parse("()[I")->return_type, '[');
  EXPECT_EQ(Signature::Parse("()V")->return_kind(), Kind::kDead);
}

TEST(Signature, RefusesWhatIsNoDescriptor) {
  for (const char* text :
       {"", "I", "(", "()", "(I", "(Q)V", "(Ljava/lang/String)V", "([)V", "()VV", "(V)V", "()II"}) {
    EXPECT_FALSE(Signature::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace yp::compiler
