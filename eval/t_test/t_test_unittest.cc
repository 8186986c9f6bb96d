#include "eval/t_test/t_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace yp {
namespace {

using ::testing::HasSubstr;

// Hours of sleep gained by ten patients with each of two drugs: Student, 1908, the table of the
// section "Illustrations of method". R has it as `sleep`.
const std::vector<double> kFirstDrug = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> kSecondDrug = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

// Differences of height of fifteen pairs of crossed and self-fertilised maize plants, in eighths of
// an inch: Darwin's, as tested by Fisher, The Design of Experiments, 1935, section 17.
const std::vector<double> kMaize = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};

// The expected values are those that R's manual prints for t.test(..., paired = TRUE).
TEST(PairedTTest, IsRightOfStudentsPatients) {
  const auto test = PairedTTest(kFirstDrug, kSecondDrug);
  ASSERT_TRUE(test) << test.message();
  EXPECT_NEAR(-4.0621, test->t, 5e-5);
  EXPECT_EQ(9, test->degrees_of_freedom);
  EXPECT_NEAR(0.002833, test->p, 5e-7);
  EXPECT_NEAR(-1.58, test->difference, 1e-12);
  EXPECT_NEAR(-2.4598858, test->low, 5e-8);
  EXPECT_NEAR(-0.7001142, test->high, 5e-8);
}

TEST(PairedTTest, IsRightOfDarwinsMaize) {
  const auto test = PairedTTest(kMaize, std::vector<double>(kMaize.size(), 0.0));
  ASSERT_TRUE(test) << test.message();
  EXPECT_NEAR(2.148, test->t, 5e-4);
  EXPECT_NEAR(20.93, test->difference, 5e-3);
  EXPECT_NEAR(0.0497, test->p, 5e-5);
}

TEST(WelchTTest, IsRightOfStudentsPatientsWereTheyTwentyOthers) {
  const auto test = WelchTTest(kFirstDrug, kSecondDrug);
  ASSERT_TRUE(test) << test.message();
  EXPECT_NEAR(-1.8608, test->t, 5e-5);
  EXPECT_NEAR(17.776, test->degrees_of_freedom, 5e-4);
  EXPECT_NEAR(0.07939, test->p, 5e-6);
  EXPECT_NEAR(-3.3654832, test->low, 5e-8);
  EXPECT_NEAR(0.2054832, test->high, 5e-8);
}

TEST(WelchTTest, TakesOneSampleThatDoesNotVary) {
  const auto test = WelchTTest(std::vector<double>{1, 2, 3}, std::vector<double>{2, 2});
  ASSERT_TRUE(test) << test.message();
  EXPECT_EQ(0, test->t);
  EXPECT_EQ(2, test->degrees_of_freedom);
  EXPECT_EQ(1, test->p);
}

TEST(TTest, RefusesWhatHasNoAnswer) {
  const std::vector<double> two = {1, 2};
  const std::vector<double> one = {1};
  const std::vector<double> infinite = {1, std::numeric_limits<double>::infinity()};
  EXPECT_THAT(PairedTTest(two, one).message(), HasSubstr("as many values"));
  EXPECT_THAT(PairedTTest(one, one).message(), HasSubstr("two values or more, there are 1"));
  EXPECT_THAT(PairedTTest(two, two).message(), HasSubstr("all differences are equal"));
  EXPECT_THAT(WelchTTest(two, one).message(), HasSubstr("two values or more"));
  EXPECT_THAT(WelchTTest(two, infinite).message(), HasSubstr("finite"));
  EXPECT_THAT(WelchTTest(std::vector<double>{1, 1}, std::vector<double>{1, 1}).message(),
              HasSubstr("all values are equal"));
}

}  // namespace
}  // namespace yp
