#include "core/adaptive/call_weights.h"

#include <gtest/gtest.h>

namespace yp {
namespace {

TEST(CallWeightsTest, AreSharesOfAllCallsAndPartsOfTheSites) {
  CallWeights weights;
  weights.Add("A.a()V", 3, "B.b()V", 30);
  weights.Add("A.a()V", 3, "C.b()V", 50);
  weights.Add("A.a()V", 7, "B.b()V", 120);
  const auto targets = weights.At("A.a()V", 3);
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].callee, "C.b()V");
  EXPECT_DOUBLE_EQ(targets[0].weight, 0.25);
  EXPECT_DOUBLE_EQ(targets[0].part, 0.625);
  EXPECT_DOUBLE_EQ(targets[1].part, 0.375);
  EXPECT_TRUE(weights.At("A.a()V", 4).empty());
  EXPECT_TRUE(weights.At("B.b()V", 3).empty());
}

TEST(CallWeightsTest, TextGivesThemBack) {
  CallWeights weights;
  weights.Add("A.a(I)[Ljava/lang/String;", 3, "B.<init>()V", 0.1);
  weights.Add("A.a(I)[Ljava/lang/String;", 65535, "B$1.b()V", 1e12);
  const auto read = CallWeights::Parse(weights.Text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->sites(), 2u);
  EXPECT_EQ(read->At("A.a(I)[Ljava/lang/String;", 3)[0].callee, "B.<init>()V");
  EXPECT_DOUBLE_EQ(read->At("A.a(I)[Ljava/lang/String;", 3)[0].weight, 0.1 / (1e12 + 0.1));
}

TEST(CallWeightsTest, OtherTextIsRefused) {
  for (const char* const text :
       {"", "yieldpoint call weights 2\n", "yieldpoint call weights 1\n1\t2\tA.a()V",
        "yieldpoint call weights 1\n-1\t2\tA.a()V\tB.b()V\n",
        "yieldpoint call weights 1\n1\tx\tA.a()V\tB.b()V\n"}) {
    EXPECT_FALSE(CallWeights::Parse(text)) << text;
  }
  EXPECT_TRUE(CallWeights::Parse("yieldpoint call weights 1\n"));
}

}  // namespace
}  // namespace yp
