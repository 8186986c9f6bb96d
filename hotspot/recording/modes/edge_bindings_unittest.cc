#include "hotspot/recording/modes/edge_bindings.h"

#include <gtest/gtest.h>

namespace yp::hotspot {
namespace {

TEST(EdgeBindingsTest, AnEdgeIsUndecidedUntilItIsSet) {
  EdgeBindings bindings;
  EXPECT_EQ(bindings.Get(EdgeId{7}), EdgeBindings::kUndecided);
  bindings.Set(EdgeId{7}, 42);
  bindings.Set(EdgeId{8}, EdgeBindings::kNever);
  EXPECT_EQ(bindings.Get(EdgeId{7}), 42);
  EXPECT_EQ(bindings.Get(EdgeId{8}), EdgeBindings::kNever);
  EXPECT_EQ(bindings.Get(EdgeId{9}), EdgeBindings::kUndecided);
}

TEST(EdgeBindingsTest, AnEdgeBeyondTheTableIsWalkedForEver) {
  EdgeBindings bindings;
  const EdgeId last{(1u << 22) - 1};
  const EdgeId beyond{1u << 22};
  bindings.Set(last, 3);
  bindings.Set(beyond, 3);
  EXPECT_EQ(bindings.Get(last), 3);
  EXPECT_EQ(bindings.Get(beyond), EdgeBindings::kNever);
  EXPECT_EQ(bindings.Get(EdgeId{0xffffffff}), EdgeBindings::kNever);
}

}  // namespace
}  // namespace yp::hotspot
