#include "hotspot/discovery/class_hierarchy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/discovery/class_shapes_for_test.h"

namespace yp::hotspot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Heard final : public ClassHierarchy::Listener {
 public:
  void OnTarget(ReferenceId reference, MethodId target) override {
    targets[reference].push_back(target);
  }
  void OnUnseen(ReferenceId reference) override { unseen.push_back(reference); }
  void OnOpen(MethodId method) override { open.push_back(method); }
  std::map<ReferenceId, std::vector<MethodId>> targets;
  std::vector<ReferenceId> unseen;
  std::vector<MethodId> open;
};

class ClassHierarchyTest : public testing::Test {
 protected:
  ClassHierarchyTest() {
    ClassShape object = Unseen("java/lang/Object", {{"hashCode()I", kPublic, kNoMethod}});
    object.super = "";
    Add(object);
  }

  static ClassShape Seen(std::string name, std::string super,
                         std::vector<ClassShape::Method> methods,
                         std::vector<std::string> interfaces = {}) {
    return {std::move(name), std::move(super), std::move(interfaces), true, std::move(methods)};
  }
  static ClassShape Unseen(std::string name, std::vector<ClassShape::Method> methods) {
    return {std::move(name), "java/lang/Object", {}, false, std::move(methods)};
  }
  void Add(const ClassShape& shape) {
    hierarchy.Define(shape);
    hierarchy.Prepare(shape.name);
  }
  ReferenceId Virtual(std::string owner, std::string selector) {
    return hierarchy.Refer({CallReference::Kind::kVirtual, std::move(owner), std::move(selector)});
  }
  ReferenceId Bound(std::string owner, std::string selector) {
    return hierarchy.Refer({CallReference::Kind::kBound, std::move(owner), std::move(selector)});
  }

  Heard heard;
  MethodId SureCallee(std::string_view receiver, std::string_view selector = kRun) const {
    const ClassHierarchy::Callee callee = CalleeOf("A", receiver, selector);
    EXPECT_EQ(callee.certainty, ClassHierarchy::Callee::Certainty::kSure);
    return callee.method;
  }
  ClassHierarchy::Callee CalleeOf(const char* owner, std::string_view receiver,
                                  std::string_view selector = kRun) const {
    return hierarchy.CalleeOf({CallReference::Kind::kVirtual, owner, std::string(selector)},
                              receiver);
  }
  bool IsSure(const char* owner, std::string_view receiver) const {
    return CalleeOf(owner, receiver).certainty == ClassHierarchy::Callee::Certainty::kSure;
  }

  ClassHierarchy hierarchy{heard};
};

TEST_F(ClassHierarchyTest, AVirtualCallReachesWhatSubclassesOverride) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  const ReferenceId call = Virtual("A", kRun);
  EXPECT_THAT(hierarchy.TargetsOf(call), ElementsAre(MethodId{1}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  Add(Seen("Other", "java/lang/Object", {{kRun, kPublic, MethodId{3}}}));
  EXPECT_THAT(hierarchy.TargetsOf(call), ElementsAre(MethodId{1}, MethodId{2}));
  EXPECT_THAT(heard.targets[call], ElementsAre(MethodId{1}, MethodId{2}));
}

TEST_F(ClassHierarchyTest, AReferenceThatComesAfterItsClassesHasTheSameTargets) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic | kAbstract, kNoMethod}}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  Add(Seen("C", "B", {}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("A", kRun)), ElementsAre(MethodId{2}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("C", kRun)), ElementsAre(MethodId{2}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("A", "stop()V")), IsEmpty());
  EXPECT_EQ(Virtual("A", kRun), Virtual("A", kRun));
}

TEST_F(ClassHierarchyTest, AMethodIsReachedThroughAnInterfaceThatOnlyASubclassHas) {
  Add(Seen("Base", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("I", "java/lang/Object", {{kRun, kPublic | kAbstract, kNoMethod}}));
  const ReferenceId call = Virtual("I", kRun);
  EXPECT_THAT(hierarchy.TargetsOf(call), IsEmpty());
  Add(Seen("Sub", "Base", {}, {"I"}));
  EXPECT_THAT(heard.targets[call], ElementsAre(MethodId{1}));
}

TEST_F(ClassHierarchyTest, DefaultMethodsAreReachedWhereNoClassHasOne) {
  Add(Seen("I", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("J", "java/lang/Object", {{kRun, kPublic, MethodId{2}}}, {"I"}));
  const ReferenceId call = Virtual("I", kRun);
  Add(Seen("Own", "java/lang/Object", {{kRun, kPublic, MethodId{3}}}, {"J"}));
  Add(Seen("None", "java/lang/Object", {}, {"J"}));
  EXPECT_THAT(hierarchy.TargetsOf(call),
              UnorderedElementsAre(MethodId{1}, MethodId{2}, MethodId{3}));
}

TEST_F(ClassHierarchyTest, ABoundCallReachesWhatItsOwnerHasOrInherits) {
  Add(Seen("A", "java/lang/Object",
           {{"of()V", kPublic | kStatic, MethodId{1}}, {"<init>()V", kPublic, MethodId{2}}}));
  Add(Seen("B", "A", {{"<init>()V", kPublic, MethodId{3}}}));
  EXPECT_THAT(hierarchy.TargetsOf(Bound("B", "of()V")), ElementsAre(MethodId{1}));
  EXPECT_THAT(hierarchy.TargetsOf(Bound("A", "<init>()V")), ElementsAre(MethodId{2}));
  EXPECT_THAT(hierarchy.TargetsOf(Bound("B", "<init>()V")), ElementsAre(MethodId{3}));
}

TEST_F(ClassHierarchyTest, AReferenceIsResolvedWhenItsOwnerIsThere) {
  const ReferenceId call = Bound("A", "of()V");
  EXPECT_FALSE(hierarchy.IsResolved(call));
  hierarchy.Define(Seen("A", "java/lang/Object", {{"of()V", kPublic | kStatic, MethodId{1}}}));
  EXPECT_FALSE(hierarchy.IsResolved(call));
  EXPECT_THAT(hierarchy.MethodsNamed("of()V"), ElementsAre(MethodId{1}));
  hierarchy.Prepare("A");
  EXPECT_TRUE(hierarchy.IsResolved(call));
  EXPECT_THAT(hierarchy.TargetsOf(call), ElementsAre(MethodId{1}));
}

TEST_F(ClassHierarchyTest, WhatOverridesAClassWithoutProbesIsOpen) {
  Add(Seen("A", "java/lang/Object",
           {{"hashCode()I", kPublic, MethodId{1}}, {kRun, kPublic, MethodId{2}}}));
  EXPECT_THAT(heard.open, ElementsAre(MethodId{1}));
}

TEST_F(ClassHierarchyTest, WhatASuperclassHasIsOpenToAnInterfaceWithoutProbesOfASubclass) {
  Add(Unseen("java/lang/Runnable", {{kRun, kPublic | kAbstract, kNoMethod}}));
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{2}}}));
  EXPECT_THAT(heard.open, IsEmpty());
  Add(Seen("B", "A", {}, {"java/lang/Runnable"}));
  EXPECT_THAT(heard.open, ElementsAre(MethodId{2}));
}

TEST_F(ClassHierarchyTest, WhatAnOpenReferenceReachesIsOpenNowAndLater) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  hierarchy.Open({CallReference::Kind::kVirtual, "A", kRun});
  EXPECT_THAT(heard.open, ElementsAre(MethodId{1}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  EXPECT_THAT(heard.open, ElementsAre(MethodId{1}, MethodId{2}));
}

TEST_F(ClassHierarchyTest, ACallMaySelectAPackagesOwnMethodBehindAnothersOfThatName) {
  Add(Seen("p/A", "java/lang/Object", {{kRun, 0, MethodId{1}}}));
  Add(Seen("q/B", "p/A", {{kRun, kPublic, MethodId{2}}}));
  Add(Seen("q/C", "q/B", {}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("q/C", kRun)),
              UnorderedElementsAre(MethodId{1}, MethodId{2}));
}

TEST_F(ClassHierarchyTest, APrivateMethodHidesNoneFromOthers) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("B", "A", {{kRun, kPrivate, MethodId{2}}}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("B", kRun)),
              UnorderedElementsAre(MethodId{1}, MethodId{2}));
}

TEST_F(ClassHierarchyTest, ACallReachesProbesOnlyUntilASubclassHasAMethodWithout) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  const ReferenceId call = Virtual("A", kRun);
  Add(Seen("B", "A", {{kRun, kPublic | kAbstract, kNoMethod}}));
  EXPECT_TRUE(hierarchy.ReachesProbesOnly(call));
  ClassShape proxy = Unseen("$Proxy1", {{kRun, kPublic, kNoMethod}});
  proxy.super = "A";
  Add(proxy);
  EXPECT_FALSE(hierarchy.ReachesProbesOnly(call));
  EXPECT_THAT(heard.unseen, ElementsAre(call));
  EXPECT_FALSE(hierarchy.ReachesProbesOnly(Virtual("$Proxy1", kRun)));
}

TEST_F(ClassHierarchyTest, WhatAClassInheritsFromOneWithoutProbesIsUnseen) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  EXPECT_FALSE(hierarchy.ReachesProbesOnly(Virtual("A", "hashCode()I")));
  EXPECT_TRUE(hierarchy.ReachesProbesOnly(Virtual("A", kRun)));
}

TEST_F(ClassHierarchyTest, TheClassOfAReceiverSaysWhichMethodIsCalled) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  Add(Seen("C", "A", {}));
  EXPECT_EQ(SureCallee("A"), MethodId{1});
  EXPECT_EQ(SureCallee("B"), MethodId{2});
  EXPECT_EQ(SureCallee("C"), MethodId{1}) << "inherited";
}

TEST_F(ClassHierarchyTest, AReceiverOfAClassWithoutProbesCallsNoneThatHasOne) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  ClassShape own = Unseen("Own", {{kRun, kPublic, kNoMethod}});
  own.super = "A";
  Add(own);
  EXPECT_EQ(SureCallee("Own"), kNoMethod);
  EXPECT_FALSE(IsSure("A", "A$$Lambda")) << "it may inherit what has a probe";
  EXPECT_EQ(SureCallee("A", "other()V"), kNoMethod);
}

TEST_F(ClassHierarchyTest, WhichOfSeveralMethodsAReceiverCallsIsNotSure) {
  Add(Seen("I", "java/lang/Object", {{kRun, kPublic, MethodId{3}}}));
  Add(Seen("J", "java/lang/Object", {{kRun, kPublic, MethodId{4}}}));
  ClassShape both = Seen("Both", "java/lang/Object", {});
  both.interfaces = {"I", "J"};
  Add(both);
  EXPECT_FALSE(IsSure("I", "Both"));
}

TEST_F(ClassHierarchyTest, APrivateMethodIsCalledWhateverTheReceiverIs) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPrivate, MethodId{1}}}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  EXPECT_FALSE(IsSure("A", "B"));
  EXPECT_TRUE(IsSure("B", "B"));
}

TEST_F(ClassHierarchyTest, WhereClassesOfOneNameDifferNothingIsSure) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  Add(Seen("C", "B", {}));
  Add(Seen("B", "A", {{kRun, kPublic, MethodId{2}}}));
  EXPECT_TRUE(IsSure("A", "C")) << "redefined, or a copy";
  Add(Seen("B", "A", {}));
  EXPECT_FALSE(IsSure("A", "B"));
  EXPECT_FALSE(IsSure("A", "C"));
  EXPECT_TRUE(IsSure("A", "A"));
}

TEST_F(ClassHierarchyTest, CopiesOfAClassAreOneWithWhatEachHas) {
  Add(Seen("A", "java/lang/Object", {{kRun, kPublic | kAbstract, kNoMethod}}));
  Add(Seen("B", "java/lang/Object", {{kRun, kPublic, MethodId{1}}}));
  Add(Seen("C", "B", {}));
  const ReferenceId call = Virtual("A", kRun);
  EXPECT_THAT(hierarchy.TargetsOf(call), IsEmpty());
  Add(Seen("B", "A", {{"stop()V", kPublic, MethodId{2}}}));  // In another loader.
  EXPECT_THAT(hierarchy.TargetsOf(call), ElementsAre(MethodId{1}));
  EXPECT_THAT(hierarchy.TargetsOf(Virtual("C", "stop()V")), ElementsAre(MethodId{2}));
}

}  // namespace
}  // namespace yp::hotspot
