#include "compiler/backend/linear_scan.h"

#include <gtest/gtest.h>

#include "compiler/backend/prepare.h"
#include "compiler/baseline/running_code_for_test.h"
#include "compiler/ir/graph_for_test.h"

namespace yp::compiler {
namespace {

using ir::GraphForTest;

// static int min(int a, int b) { return a < b ? a : b; }
std::vector<uint8_t> Smaller() { return {26, 27, 161, 0, 7, 27, 167, 0, 4, 26, 172}; }

class LinearScan : public testing::Test {
 protected:
  static Allocation AllocationOf(GraphForTest& method, const VmLayout& vm) {
    Prepare(*method.graph, vm);
    Result<Allocation> allocation = Allocation::Of(*method.graph, vm);
    EXPECT_TRUE(allocation) << allocation.message();
    return std::move(allocation).value();
  }
};

TEST_F(LinearScan, KeepsInRegistersWhatIsOnlyMovedOn) {
  const VmLayout vm = Vm();
  GraphForTest method("(II)I", Smaller());
  const Allocation allocation = AllocationOf(method, vm);
  EXPECT_EQ(method.Count(ir::Op::kPhi), 1u);
  EXPECT_EQ(allocation.slots(), 0u);
}

TEST_F(LinearScan, LeavesArgumentsWhereTheyCome) {
  const VmLayout vm = Vm();
  GraphForTest method("(II)I", Smaller());
  const Allocation allocation = AllocationOf(method, vm);
  const Position start = allocation.lifetimes().PlaceOf(*method.graph->entry).from;
  const std::vector<ir::Node*>& arguments = method.graph->entry->phis;
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_EQ(allocation.At(arguments[0], start).number, NumberOf(x64::Reg::rsi));
  EXPECT_EQ(allocation.At(arguments[1], start).number, NumberOf(x64::Reg::rdx));
}

TEST_F(LinearScan, ComputesAResultWhereItIsWanted) {
  const VmLayout vm = Vm();
  GraphForTest method("(II)I", {26, 27, 96, 172});  // return a + b
  const Allocation allocation = AllocationOf(method, vm);
  for (const ir::Node* const node : method.graph->order[0]->nodes) {
    if (node->op != ir::Op::kAdd) continue;
    EXPECT_EQ(allocation.ResultOf(*node).number, NumberOf(x64::Reg::rax));
  }
}

// static int|Object f(x) { new C(); return x; }, without the constructor's call.
class AcrossAnAllocation : public LinearScan {
 protected:
  static GraphForTest Allocating(const char* descriptor, uint8_t load, uint8_t end) {
    FakeLinkage linkage;
    linkage.types[1] = {true, ConstantId{1}, 16, 0, true};
    return {descriptor, {187, 0, 1, 87, load, end}, linkage};
  }
  static const ir::Node* AllocationIn(const GraphForTest& method) {
    for (const ir::Block* const block : method.graph->order) {
      for (const ir::Node* const node : block->nodes) {
        if (node->op == ir::Op::kNew) return node;
      }
    }
    return nullptr;
  }
};

TEST_F(AcrossAnAllocation, AValueStaysInItsRegisterAndIsSavedOutOfLine) {
  const VmLayout vm = Vm();
  GraphForTest method = Allocating("(I)I", 26, 172);
  const Allocation allocation = AllocationOf(method, vm);
  const ir::Node* const node = AllocationIn(method);
  ASSERT_NE(node, nullptr);
  const std::vector<Allocation::Saved> saved = allocation.SavedAt(*node);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_TRUE(saved[0].place.is_register());
  EXPECT_FALSE(saved[0].is_there);
  EXPECT_EQ(saved[0].slot.where, Location::Where::kSlot);
  EXPECT_EQ(allocation.slots(), 1u);
  EXPECT_TRUE(allocation.References(*node).empty());
}

TEST_F(AcrossAnAllocation, AReferenceIsWhereItHasBeenSaved) {
  const VmLayout vm = Vm();
  GraphForTest method = Allocating("(Ljava/lang/Object;)Ljava/lang/Object;", 42, 176);
  const Allocation allocation = AllocationOf(method, vm);
  const ir::Node* const node = AllocationIn(method);
  ASSERT_NE(node, nullptr);
  const std::vector<Allocation::Saved> saved = allocation.SavedAt(*node);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(allocation.References(*node), std::vector<Location>{saved[0].slot});
}

TEST_F(AcrossAnAllocation, AValueHasASlotWhereOnlyTheVmAllocates) {
  VmLayout vm = Vm();
  vm.use_tlab = false;
  GraphForTest method = Allocating("(I)I", 26, 172);
  const Allocation allocation = AllocationOf(method, vm);
  const ir::Node* const node = AllocationIn(method);
  ASSERT_NE(node, nullptr);
  const ir::Node* const value = method.graph->entry->phis[0];
  EXPECT_EQ(allocation.At(value, allocation.PositionOf(*node) + kLate), allocation.SlotOf(value));
}

}  // namespace
}  // namespace yp::compiler
