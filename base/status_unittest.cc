#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>

namespace yp {
namespace {

TEST(StatusTest, TrueMeansSuccess) {
  EXPECT_TRUE(Status::Ok());
  EXPECT_TRUE(Status::Ok().message().empty());
}

TEST(StatusTest, AnErrorWithAnEmptyTextIsStillAnError) {
  const Status status = Status::Error("");
  EXPECT_FALSE(status);
}

TEST(ResultTest, CarriesAMoveOnlyValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result);
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 7);
}

TEST(ResultTest, CarriesTheReasonWhenThereIsNoValue) {
  const Result<int> result(Status::Error("no such file"));
  EXPECT_FALSE(result);
  EXPECT_EQ(result.message(), "no such file");
}

}  // namespace
}  // namespace yp
