#include "compiler/install/site_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp::compiler {
namespace {

using testing::ElementsAre;

VmLayout Marks() {
  VmLayout vm;
  vm.marks.fill(-1);
  vm.marks[static_cast<size_t>(Mark::kPollFar)] = 14;
  return vm;
}

TEST(SiteWriter, BeginsWithTheFramesPlan) {
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  sites.SetPlan({96, 8});
  EXPECT_THAT(sites.Take(), ElementsAre(96, 8));
}

TEST(SiteWriter, NumbersVirtualFramesAndSaysWhatTheirCallersDo) {
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  EXPECT_EQ(sites.AddFrame({std::nullopt, 24, 40, 64}, nullptr), 0u);
  FrameState caller;
  caller.frame.locals = {Kind::kInt};
  caller.bci = 9;
  caller.during_call = true;
  EXPECT_EQ(sites.AddFrame({MethodNumber{5}, 48, 56, 80}, &caller), 1u);
  FrameState state;
  state.virtual_frame = 1;
  sites.AddPoll(100, state);
  EXPECT_THAT(sites.Take(), ElementsAre(0, 0, 7, 0, -1, 24, 40, 64, 0,                //
                                        7, 0, 5, 48, 56, 80, 1, 0, 9, 1, 1, 0, 0, 1,  //
                                        4, 100, 1, 0, 0, 0, 0, 0));
}

TEST(SiteWriter, LeavesOutMarksThatTheVmHasNot) {
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  sites.AddMark(7, Mark::kEntryBarrier);
  sites.AddMark(9, Mark::kPollFar);
  EXPECT_THAT(sites.Take(), ElementsAre(0, 0, 1, 9, 14));
}

TEST(SiteWriter, PacksKindsOfLocalsAndStackEightToANumber) {
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  FrameState state;
  state.frame.locals = {Kind::kInt,  Kind::kLong,  Kind::kUpper,
                        Kind::kDead, Kind::kFloat, Kind::kReference};
  state.frame.stack = {Kind::kDouble, Kind::kUpper, Kind::kReference};
  state.frame.locks = 2;
  state.bci = 31;
  state.during_call = true;
  sites.AddPoll(100, state);
  EXPECT_THAT(sites.Take(), ElementsAre(0, 0, 4, 100, 0, 31, 1, 6, 3, 2, 0x64530621, 5));
}

TEST(SiteWriter, SaysWhereEachValueIs) {
  using Place = PlacedValue::Place;
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  PlacedFrame outer{std::nullopt, 7,   true, false, {{Kind::kReference, Place::kRegister, 3, 0}},
                    {},           {64}};
  PlacedFrame inner{
      MethodNumber{2},
      1,
      false,
      true,
      {},
      {{Kind::kLong, Place::kConstant, 0, -2}, {}, {Kind::kDouble, Place::kXmm, 9, 0}},
      {}};
  PlacedState state{
      {outer, inner},
      {{Kind::kReference, Place::kRegister, 3, 0}, {Kind::kReference, Place::kSlot, 64, 0}}};
  sites.AddPoll(100, state);
  EXPECT_THAT(sites.Take(), ElementsAre(0, 0, 4, 100, -1, 2,                       //
                                        -1, 7, 1, 1, 0, 1, 0x325, 64,              //
                                        2, 1, 2, 0, 3, 0, 0x42, -2, -1, 0, 0x934,  //
                                        2, 0x325, 0x4015));
}

TEST(SiteWriter, SplitsAddressesAndSaysWhatIsKnownOfTheFrame) {
  const VmLayout vm = Marks();
  SiteWriter sites(vm);
  sites.AddForeign(3, 5, 0x7f0012345678, nullptr);
  sites.AddForeignFromStub(8, 12, 1);
  EXPECT_THAT(sites.Take(), ElementsAre(0, 0, 3, 3, 0x12345678, 0x7f00, 5, 0, 3, 8, 1, 0, 12, 2));
}

}  // namespace
}  // namespace yp::compiler
