#include "compiler/x64/calling_convention.h"

#include <gtest/gtest.h>

namespace yp::x64 {
namespace {

using Place = ArgumentPlaces::Place;

TEST(ArgumentPlaces, GivesRegistersInOrderThenSlots) {
  ArgumentPlaces places;
  for (const Reg reg : kIntegerArguments) {
    const auto argument = places.Next(false);
    EXPECT_EQ(argument.place, Place::kRegister);
    EXPECT_EQ(argument.reg, reg);
  }
  EXPECT_EQ(places.stack_bytes(), 0);
  EXPECT_EQ(places.Next(false).stack_offset, 0);
  for (size_t i = 0; i < kFloatArguments; ++i) {
    EXPECT_EQ(places.Next(true).xmm, static_cast<Xmm>(i));
  }
  const auto last = places.Next(true);
  EXPECT_EQ(last.place, Place::kStack);
  EXPECT_EQ(last.stack_offset, 8);
  EXPECT_EQ(places.stack_bytes(), 16);
}

}  // namespace
}  // namespace yp::x64
