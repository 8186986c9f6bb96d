#include "hotspot/discovery/edge_discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/discovery/class_shapes_for_test.h"

namespace yp::hotspot {
namespace {

constexpr char kOf[] = "of()V";
constexpr MethodId kStaticMethod{1}, kBase{2}, kSub{3}, kCaller{4}, kHash{5};
constexpr int32_t kStaticSite = 1, kVirtualSite = 2, kHashSite = 3;

class EdgeDiscoveryTest : public testing::Test {
 protected:
  EdgeDiscoveryTest() {
    ClassShape object{"java/lang/Object", "", {}, false, {{"hashCode()I", kPublic, kNoMethod}}};
    Load(object);
    Load({"Base",
          "java/lang/Object",
          {},
          true,
          {{kOf, kPublic | kStatic, kStaticMethod},
           {kRun, kPublic, kBase},
           {"hashCode()I", kPublic, kHash}}});
    Load({"Main", "java/lang/Object", {}, true, {{"main()V", kPublic | kStatic, kCaller}}},
         {{kStaticSite, {CallReference::Kind::kBound, "Base", kOf}},
          {kVirtualSite, {CallReference::Kind::kVirtual, "Base", kRun}}});
    // Each has run.
    for (const MethodId method : {kStaticMethod, kBase, kCaller, kHash}) ClearFresh(method);
  }

  void Load(const ClassShape& shape, const std::vector<EdgeDiscovery::SiteShape>& sites = {}) {
    discovery.Define(shape, sites, {});
    discovery.Prepare(shape.name);
  }
  void LoadHashSite() {
    Load({"User", "java/lang/Object", {}, true, {}},
         {{kHashSite, {CallReference::Kind::kVirtual, "Base", "hashCode()I"}}});
  }
  void LoadSub() { Load({"Sub", "Base", {}, true, {{kRun, kPublic, kSub}}}); }
  // As a call from a site that is done would, if there were one.
  void ClearFresh(MethodId method) {
    tables->methods[ToIndex(method)].fetch_and(static_cast<uint8_t>(~kMethodFresh));
  }
  uint8_t Site(int32_t site) const { return tables->sites[site].load(); }
  uint8_t Looks(MethodId method) const { return tables->methods[ToIndex(method)].load(); }
  bool Knows(int32_t site, MethodId method) const {
    const uint64_t pair = DiscoveryTables::Pair(site, ToIndex(method));
    return tables->pairs[DiscoveryTables::PairSlot(pair)].load() == pair;
  }

  const std::unique_ptr<DiscoveryTables> tables = std::make_unique<DiscoveryTables>();
  EdgeDiscovery discovery{*tables};
};

TEST_F(EdgeDiscoveryTest, AMethodIsLookedAtWhenItRunsForTheFirstTime) {
  Load({"New", "java/lang/Object", {}, true, {{"go()V", kPublic, MethodId{9}}}});
  EXPECT_EQ(Looks(MethodId{9}), kMethodFresh);
}

TEST_F(EdgeDiscoveryTest, ACallSiteWithOneTargetIsDoneWhenThatWasThere) {
  EXPECT_EQ(Site(kStaticSite), kSiteFresh);
  EXPECT_EQ(Looks(kStaticMethod), 0);
  discovery.OnSite(kStaticSite);
  EXPECT_EQ(Looks(kStaticMethod), kMethodAwaited | kMethodWatched);
  discovery.OnEntry(kStaticMethod, kStaticSite);
  EXPECT_EQ(Site(kStaticSite), 0);
  EXPECT_EQ(Looks(kStaticMethod), 0);
}

TEST_F(EdgeDiscoveryTest, ACallSiteAnnouncesUntilEachTargetWasThere) {
  LoadSub();
  ClearFresh(kSub);
  discovery.OnSite(kVirtualSite);
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces | kSiteProves);
  discovery.OnEntry(kBase, kVirtualSite);
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces | kSiteProves);
  EXPECT_EQ(Looks(kBase), kMethodAwaited);  // It takes the announcement of what it knows.
  EXPECT_EQ(Looks(kSub), kMethodAwaited);
  EXPECT_TRUE(Knows(kVirtualSite, kBase));
  EXPECT_FALSE(Knows(kVirtualSite, kSub));
  discovery.OnEntry(kSub, kVirtualSite);
  EXPECT_EQ(Site(kVirtualSite), 0);
  EXPECT_EQ(Looks(kBase), 0);
  EXPECT_EQ(Looks(kSub), 0);
}

TEST_F(EdgeDiscoveryTest, AClassWithSomethingToReachWakesACallSiteThatWasDone) {
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  ASSERT_EQ(Site(kVirtualSite), 0);
  LoadSub();
  EXPECT_EQ(Site(kVirtualSite), kSiteFresh);
  EXPECT_EQ(Site(kStaticSite), kSiteFresh);
  discovery.OnSite(kVirtualSite);
  EXPECT_EQ(Looks(kSub) & kMethodAwaited, kMethodAwaited);
}

TEST_F(EdgeDiscoveryTest, AClassThatComesWhileACallSiteAnnouncesIsAwaited) {
  Load({"Other", "Base", {}, true, {{kRun, kPublic, MethodId{8}}}});
  discovery.OnSite(kVirtualSite);
  LoadSub();
  EXPECT_EQ(Looks(kSub), kMethodAwaited | kMethodFresh | kMethodWatched);
}

// An initialiser that runs between the announcement and the callee's entry may call the same.
TEST_F(EdgeDiscoveryTest, AnEntryThatTookTheAnnouncementDoesNotEndTheWatch) {
  discovery.OnSite(kStaticSite);
  Load({"Init", "java/lang/Object", {}, true, {}},
       {{7, {CallReference::Kind::kBound, "Base", kOf}}});
  discovery.OnSite(7);
  discovery.OnEntry(kStaticMethod, 7);
  EXPECT_EQ(Looks(kStaticMethod), kMethodAwaited | kMethodWatched);
  discovery.OnEntry(kStaticMethod, kStaticSite);
  EXPECT_EQ(Looks(kStaticMethod), 0);
}

TEST_F(EdgeDiscoveryTest, AWatchInVainEndsAndTheSiteAnnouncesOn) {
  discovery.OnSite(kStaticSite);  // And throws before it gets there.
  for (uint32_t i = 0; i < EdgeDiscovery::kWatchRounds; ++i) discovery.Settle();
  EXPECT_EQ(Looks(kStaticMethod), kMethodAwaited | kMethodWatched);
  discovery.Settle();
  EXPECT_EQ(Looks(kStaticMethod), kMethodAwaited);
  EXPECT_EQ(Site(kStaticSite), kSiteAnnounces | kSiteProves);
}

TEST_F(EdgeDiscoveryTest, ACallSiteWhoseClassIsNotThereIsAskedAgain) {
  Load({"Early", "java/lang/Object", {}, true, {}},
       {{7, {CallReference::Kind::kBound, "Late", kOf}}});
  discovery.OnSite(7);
  EXPECT_EQ(Site(7), kSiteFresh);
  // It may be one that a class which is there has, and has run.
  EXPECT_EQ(Looks(kStaticMethod), kMethodWatched);
  Load({"Late", "Base", {}, true, {}});
  discovery.OnSite(7);
  discovery.OnEntry(kStaticMethod, 7);
  EXPECT_EQ(Site(7), 0);
}

TEST_F(EdgeDiscoveryTest, ACallSiteThatReachesProbesOnlyProvesWhoCallsAnOpenMethod) {
  EXPECT_EQ(Looks(kHash), kMethodOpen);
  LoadHashSite();
  discovery.OnSite(kHashSite);
  EXPECT_EQ(Site(kHashSite), kSiteAnnounces | kSiteProves);
  EXPECT_TRUE(discovery.MayLearn(kHash, kHashSite));
  EXPECT_FALSE(Knows(kHashSite, kHash));
  discovery.OnEntry(kHash, kHashSite);
  EXPECT_TRUE(Knows(kHashSite, kHash));
  EXPECT_EQ(Site(kHashSite), kSiteAnnounces | kSiteProves);  // For as long as it proves.
}

TEST_F(EdgeDiscoveryTest, ACallSiteThatMayReachOtherCodeProvesNothing) {
  LoadHashSite();
  discovery.OnSite(kHashSite);
  discovery.OnEntry(kHash, kHashSite);
  Load({"$Proxy1", "Base", {}, false, {{"hashCode()I", kPublic, kNoMethod}}});
  EXPECT_EQ(Site(kHashSite), kSiteAnnounces);
  EXPECT_FALSE(Knows(kHashSite, kHash));
  EXPECT_FALSE(discovery.MayLearn(kHash, kHashSite));
  discovery.OnEntry(kHash, kHashSite);
  EXPECT_FALSE(Knows(kHashSite, kHash));
  EXPECT_EQ(Site(kHashSite), 0);  // All that it reaches is open, and looked at whoever calls.
}

TEST_F(EdgeDiscoveryTest, WhatIsKnownOfAMethodThatBecomesOpenIsForgottenWhereItProvesNothing) {
  LoadSub();
  Load({"$Proxy1", "Base", {}, false, {{kRun, kPublic, kNoMethod}}});
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  ASSERT_TRUE(Knows(kVirtualSite, kBase));
  discovery.OnEntry(kBase, 0);
  EXPECT_FALSE(Knows(kVirtualSite, kBase));
}

TEST_F(EdgeDiscoveryTest, ACallSiteThatWasDoneProvesAgainWhenWhatItReachesBecomesOpen) {
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  ASSERT_EQ(Site(kVirtualSite), 0);
  discovery.OnEntry(kBase, 0);
  EXPECT_EQ(Site(kVirtualSite), kSiteFresh);
  discovery.OnSite(kVirtualSite);
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces | kSiteProves);
}

TEST_F(EdgeDiscoveryTest, AMethodThatIsCalledByWhatHasNoSiteIsOpen) {
  discovery.OnEntry(kStaticMethod, 0);
  EXPECT_EQ(Looks(kStaticMethod), kMethodOpen);
}

TEST_F(EdgeDiscoveryTest, AMethodThatItsSiteCannotReachIsOpen) {
  discovery.OnEntry(kBase, kStaticSite);  // Through a lambda's proxy, say.
  EXPECT_EQ(Looks(kBase), kMethodOpen);
}

TEST_F(EdgeDiscoveryTest, WhatReflectionCallsIsOpen) {
  discovery.Open({CallReference::Kind::kVirtual, "Base", kRun});
  EXPECT_EQ(Looks(kBase), kMethodOpen);
}

TEST_F(EdgeDiscoveryTest, ACallSiteIsDoneWhenWhatItWaitsForHasBecomeOpen) {
  LoadSub();
  Load({"$Proxy1", "Base", {}, false, {{kRun, kPublic, kNoMethod}}});
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  discovery.Open({CallReference::Kind::kVirtual, "Sub", kRun});
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces);
  discovery.Settle();
  EXPECT_EQ(Site(kVirtualSite), 0);
}

TEST_F(EdgeDiscoveryTest, AnotherCallInTheSamePlaceBeginsAnew) {
  discovery.OnSite(kStaticSite);
  discovery.OnEntry(kStaticMethod, kStaticSite);
  Load({"Main", "java/lang/Object", {}, true, {{"main()V", kPublic | kStatic, kCaller}}},
       {{kStaticSite, {CallReference::Kind::kVirtual, "Base", kRun}}});
  EXPECT_EQ(Site(kStaticSite), kSiteFresh);
  discovery.OnSite(kStaticSite);
  discovery.OnEntry(kBase, kStaticSite);
  EXPECT_EQ(Site(kStaticSite), 0);
}

TEST_F(EdgeDiscoveryTest, AnEdgeIsNewOnce) {
  EXPECT_TRUE(discovery.found().IsNew(EdgeId{5}));
  EXPECT_FALSE(discovery.found().IsNew(EdgeId{5}));
  EXPECT_TRUE(discovery.found().IsNew(EdgeId{0xffffffff}));
}

TEST_F(EdgeDiscoveryTest, AnEdgeThatIsWalkedOftenIsWorthAReceiverCallOnce) {
  int worth = 0;
  for (int i = 0; i < 2 * ReceiverCalls::kWalksWorthAReceiverCall; ++i) {
    if (!discovery.IsWorthAReceiverCall(EdgeId{7})) continue;
    ++worth;
    EXPECT_EQ(i + 1, ReceiverCalls::kWalksWorthAReceiverCall);
  }
  EXPECT_EQ(worth, 1);
}

TEST_F(EdgeDiscoveryTest, ClassesAreRewrittenTogetherAndAfterAWhile) {
  const auto settle = [&](uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; ++i) discovery.Settle();
  };
  EXPECT_FALSE(discovery.WantsReceiverCallsIn("java.util.HashMap"));
  discovery.WantReceiverCall(kCaller, 3, "java.util.HashMap");
  discovery.WantReceiverCall(kCaller, 3, "java.util.HashMap");
  EXPECT_TRUE(discovery.WantsReceiverCall(kCaller, 3, 0));
  EXPECT_FALSE(discovery.WantsReceiverCall(kCaller, 4, 0));
  EXPECT_TRUE(discovery.WantsReceiverCallsIn("java.util.HashMap"));
  settle(ReceiverCalls::kPatienceRounds - 1);
  EXPECT_EQ(discovery.TakeClassesToRewrite(), std::vector<std::string>());
  discovery.WantReceiverCall(kCaller, 9, "app.Main");
  settle(1);
  EXPECT_EQ(discovery.TakeClassesToRewrite(),
            (std::vector<std::string>{"app.Main", "java.util.HashMap"}));
  discovery.WantReceiverCall(kCaller, 12, "app.Main");
  settle(2 * ReceiverCalls::kPatienceRounds - 1);
  EXPECT_EQ(discovery.TakeClassesToRewrite(), std::vector<std::string>()) << "twice as long";
  settle(1);
  EXPECT_EQ(discovery.TakeClassesToRewrite(), std::vector<std::string>{"app.Main"});
}

using Certainty = ClassHierarchy::Callee::Certainty;
const CallReference kRunOfBase{CallReference::Kind::kVirtual, "Base", kRun};

TEST_F(EdgeDiscoveryTest, AReceiverCallKnowsWhatItTellsOfAClass) {
  constexpr int32_t kSite = 77;
  LoadSub();
  EXPECT_EQ(discovery.CalleeOf(kSite, "Sub").certainty, Certainty::kUnsure) << "not defined";
  EXPECT_FALSE(discovery.OnUnsureReceiver(kSite));
  discovery.DefineReceiverSite(kSite, kRunOfBase);
  EXPECT_EQ(discovery.CalleeOf(kSite, "Sub").method, kSub);
  EXPECT_EQ(discovery.CalleeOf(kSite, "Base").method, kBase);
  EXPECT_EQ(discovery.CalleeOf(kSite, "Main").method, kNoMethod);
  EXPECT_EQ(discovery.Count().receiver_sites, 1u);
}

TEST_F(EdgeDiscoveryTest, ACallSiteThatOftenAnnouncesItselfIsWorthAReceiverCall) {
  LoadSub();
  EXPECT_FALSE(discovery.WantsReceiverCall(kCaller, 0, kVirtualSite));
  EXPECT_FALSE(discovery.OnSite(kVirtualSite)) << "for the first time";
  EXPECT_TRUE(discovery.OnSite(kVirtualSite));
  EXPECT_TRUE(discovery.WantsReceiverCall(kCaller, 0, kVirtualSite));
  EXPECT_FALSE(discovery.WantsReceiverCall(kCaller, 0, kStaticSite));
  discovery.OnEntry(kBase, kVirtualSite);
  discovery.OnEntry(kSub, kVirtualSite);
  EXPECT_FALSE(discovery.OnSite(kVirtualSite)) << "it is done";
  discovery.DefineReceiverSite(kVirtualSite, kRunOfBase);
  EXPECT_TRUE(discovery.WantsReceiverCall(kCaller, 0, kVirtualSite)) << "rewritten again";
}

TEST_F(EdgeDiscoveryTest, WhatACallSiteWithAReceiverCallReachesIsNotAwaited) {
  LoadSub();
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  EXPECT_EQ(Looks(kBase), kMethodAwaited);
  discovery.DefineReceiverSite(kVirtualSite, kRunOfBase);
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces | kSiteProves) << "the old code still runs";
  discovery.OnRewritten();
  EXPECT_EQ(Site(kVirtualSite), kSiteFresh);
  EXPECT_EQ(Looks(kBase), 0);
  EXPECT_EQ(Looks(kSub), kMethodFresh | kMethodWatched) << "by a frame of the old code, perhaps";
  for (uint32_t i = 0; i <= EdgeDiscovery::kShortWatchRounds; ++i) discovery.Settle();
  EXPECT_EQ(Looks(kSub), kMethodFresh);
  EXPECT_EQ(discovery.Count().sites_not_run, 1u) << "the static one";
  // A frame of the old code announces itself again.
  discovery.OnSite(kVirtualSite);
  EXPECT_EQ(Site(kVirtualSite), kSiteAnnounces | kSiteProves);
  EXPECT_NE(Looks(kSub) & kMethodAwaited, 0);
}

TEST_F(EdgeDiscoveryTest, ACallThatItsReceiverDoesNotTellIsAnnounced) {
  LoadSub();
  discovery.DefineReceiverSite(kVirtualSite, kRunOfBase);
  EXPECT_TRUE(discovery.OnUnsureReceiver(kVirtualSite));
  EXPECT_NE(Site(kVirtualSite) & kSiteAnnounces, 0);
  EXPECT_NE(Looks(kSub) & kMethodAwaited, 0);
}

// Of the entries that rewritten code looks for.
std::vector<uint64_t> MethodsOf(const DiscoveryTables& tables, int32_t site, uint32_t hash) {
  const uint64_t key = ReceiverSet::Key(site, hash);
  std::vector<uint64_t> methods;
  for (const auto& entry : tables.receivers[ReceiverSet::Number(key)].entries) {
    const uint64_t bits = entry.load();
    const bool is_its = (bits & ReceiverSet::kValid) != 0 &&
                        (bits & ReceiverSet::kTagMask) == (key & ReceiverSet::kTagMask);
    if (is_its) methods.push_back((bits & ~ReceiverSet::kValid) >> ReceiverSet::kTagBits);
  }
  return methods;
}

TEST_F(EdgeDiscoveryTest, EachCallSiteAndClassHasOneEntry) {
  using Methods = std::vector<uint64_t>;
  EXPECT_EQ(MethodsOf(*tables, 5, 0x1234567), Methods());
  discovery.TellReceiver(5, 0x1234567, {Certainty::kSure, kSub}, 0);
  discovery.TellReceiver(5, 0x1234567, {Certainty::kSure, kBase}, 0);
  discovery.TellReceiver(5, 0x7fffffff, {Certainty::kSure, kNoMethod}, 0);
  discovery.TellReceiver(kMaxSites - 1, 0x7fffffff,
                         {Certainty::kSure, MethodId{DiscoveryTables::kMaxMethods - 1}}, 0);
  EXPECT_EQ(MethodsOf(*tables, 5, 0x1234567), Methods{ToIndex(kBase)});
  EXPECT_EQ(MethodsOf(*tables, 5, 0x7fffffff), Methods{0});
  EXPECT_EQ(MethodsOf(*tables, kMaxSites - 1, 0x7fffffff),
            Methods{DiscoveryTables::kMaxMethods - 1});
  EXPECT_EQ(MethodsOf(*tables, 6, 0x1234567), Methods());
  discovery.TellReceiver(6, 1, {Certainty::kUnsure, kNoMethod}, 0);
  EXPECT_EQ(MethodsOf(*tables, 6, 1), Methods{ReceiverSet::kAnnounces >> ReceiverSet::kTagBits});
}

TEST_F(EdgeDiscoveryTest, OfManyThatShareASetTheLastAreThere) {
  // All keys of one set: the factor's inverse leads back to site and hash.
  constexpr uint64_t kMask = (uint64_t{1} << (ReceiverSet::kHashBits + kLog2MaxSites)) - 1;
  uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kHashFactor * inverse;
  for (uint32_t i = 1; i <= 4; ++i) {
    const uint64_t both = (((uint64_t{99} << ReceiverSet::kTagBits) + i) * inverse) & kMask;
    const auto site = static_cast<int32_t>(both >> ReceiverSet::kHashBits);
    const auto hash = static_cast<uint32_t>(both & 0x7fffffff);
    ASSERT_EQ(ReceiverSet::Number(ReceiverSet::Key(site, hash)), 99u);
    discovery.TellReceiver(site, hash, {Certainty::kSure, MethodId{i}}, 0);
    EXPECT_EQ(MethodsOf(*tables, site, hash), std::vector<uint64_t>{i});
  }
}

TEST_F(EdgeDiscoveryTest, WhatAFrameWithoutProbesCallsIsOpen) {
  EXPECT_EQ(Looks(kStaticMethod), 0);
  discovery.OpenSite(kStaticSite);
  discovery.OpenSite(99);
  EXPECT_EQ(Looks(kStaticMethod), kMethodOpen);
  EXPECT_EQ(Looks(kBase), 0);
  // Also what comes later.
  discovery.OpenSite(kVirtualSite);
  LoadSub();
  EXPECT_EQ(Looks(kSub), kMethodOpen | kMethodFresh);
}

TEST_F(EdgeDiscoveryTest, AtItsEndNothingIsLookedForAnyMore) {
  LoadSub();
  discovery.Begin();
  EXPECT_EQ(Site(0), DiscoveryTables::kReceiving);
  discovery.OnSite(kVirtualSite);
  EXPECT_NE(Site(kVirtualSite), 0);
  EXPECT_NE(Looks(kSub), 0);
  discovery.End();
  // What comes late, from frames that go on.
  discovery.OnSite(kStaticSite);
  discovery.OnEntry(kBase, 0);
  discovery.OnUnsureReceiver(kVirtualSite);
  discovery.OnRewritten();
  discovery.Settle();
  for (const int32_t site : {0, kStaticSite, kVirtualSite}) EXPECT_EQ(Site(site), 0) << site;
  for (const MethodId method : {kStaticMethod, kBase, kSub, kHash}) EXPECT_EQ(Looks(method), 0);
}

TEST_F(EdgeDiscoveryTest, CountsWhatIsLeftToDo) {
  discovery.OnSite(kStaticSite);
  const EdgeDiscovery::Counts counts = discovery.Count();
  EXPECT_EQ(counts.sites, 2u);
  EXPECT_EQ(counts.sites_not_run, 1u);
  EXPECT_EQ(counts.announcing_sites, 1u);
  EXPECT_EQ(counts.open_methods, 1u);
}

TEST_F(EdgeDiscoveryTest, WhatHasRunInAnyPeriodHasRun) {
  const auto not_run = [&] {
    std::vector<int32_t> sites;
    for (const auto& site : discovery.SitesNotRun()) sites.push_back(site.site);
    return sites;
  };
  EXPECT_THAT(not_run(), testing::ElementsAre(kStaticSite, kVirtualSite));
  EXPECT_EQ(discovery.SitesNotRun()[0].reference.selector, kOf);
  discovery.OnSite(kStaticSite);
  EXPECT_THAT(not_run(), testing::ElementsAre(kVirtualSite)) << "whether or not it calls anything";
  discovery.BeginPeriod();
  EXPECT_THAT(not_run(), testing::ElementsAre(kVirtualSite));
  // By a frame that ran before the site had its probe.
  discovery.OnEntry(kBase, kVirtualSite);
  EXPECT_THAT(not_run(), testing::IsEmpty());
  discovery.End();
  EXPECT_THAT(not_run(), testing::IsEmpty());
}

TEST_F(EdgeDiscoveryTest, InANewPeriodWhatWasFoundIsFoundAgain) {
  LoadSub();
  EXPECT_TRUE(discovery.found().IsNew(EdgeId{5}));
  EXPECT_TRUE(discovery.found().IsFirst(EdgeId{5}));
  discovery.found().List(EdgeId{5});
  discovery.OnSite(kStaticSite);
  discovery.OnEntry(kStaticMethod, kStaticSite);
  discovery.OnSite(kVirtualSite);
  discovery.OnEntry(kBase, kVirtualSite);
  discovery.TellReceiver(7, 0x1234567, {Certainty::kSure, kSub}, discovery.period());
  EXPECT_EQ(Site(kStaticSite), 0) << "it is done";
  EXPECT_TRUE(Knows(kVirtualSite, kBase));

  EXPECT_EQ(discovery.found().Take(), std::vector<EdgeId>{EdgeId{5}});
  EXPECT_EQ(discovery.found().Take(), std::vector<EdgeId>());
  discovery.BeginPeriod();
  EXPECT_EQ(Site(kStaticSite), kSiteFresh);
  EXPECT_EQ(Site(kVirtualSite), kSiteFresh);
  EXPECT_FALSE(Knows(kVirtualSite, kBase));
  EXPECT_EQ(MethodsOf(*tables, 7, 0x1234567), std::vector<uint64_t>());
  EXPECT_TRUE(discovery.found().IsNew(EdgeId{5}));
  EXPECT_FALSE(discovery.found().IsFirst(EdgeId{5}));
  // All of it can be learnt again.
  discovery.OnSite(kStaticSite);
  EXPECT_NE(Site(kStaticSite), 0);
  EXPECT_NE(Looks(kStaticMethod), 0);
  discovery.OnEntry(kStaticMethod, kStaticSite);
  EXPECT_EQ(Site(kStaticSite), 0);
}

TEST_F(EdgeDiscoveryTest, AMethodThatHasRunIsFreshInTheNextPeriod) {
  LoadSub();
  EXPECT_EQ(Looks(kSub) & kMethodFresh, kMethodFresh);
  discovery.OnEntry(kSub, kVirtualSite);
  EXPECT_EQ(Looks(kSub) & kMethodFresh, 0);
  discovery.BeginPeriod();
  EXPECT_EQ(Looks(kSub) & kMethodFresh, kMethodFresh);
  EXPECT_EQ(Looks(kBase) & kMethodFresh, 0) << "it has not run in that period";
}

TEST_F(EdgeDiscoveryTest, WhatACallOfTheLastPeriodLearnsIsNothing) {
  const uint32_t last = discovery.period();
  discovery.OnSite(kStaticSite);
  discovery.BeginPeriod();
  discovery.OnSite(kStaticSite);
  discovery.OnEntry(kStaticMethod, kStaticSite, last);
  EXPECT_NE(Site(kStaticSite), 0) << "it is still to be found in this period";
  discovery.TellReceiver(7, 0x1234567, {Certainty::kSure, kSub}, last);
  EXPECT_EQ(MethodsOf(*tables, 7, 0x1234567), std::vector<uint64_t>());
  discovery.OnEntry(kStaticMethod, kStaticSite, discovery.period());
  EXPECT_EQ(Site(kStaticSite), 0);
}

TEST_F(EdgeDiscoveryTest, AnEdgeThatIsListedLateIsOfTheNextPeriod) {
  FoundEdges& found = discovery.found();
  EXPECT_TRUE(found.IsNew(EdgeId{5}));
  discovery.BeginPeriod();
  found.List(EdgeId{5});
  EXPECT_FALSE(found.IsNew(EdgeId{5}));
  EXPECT_EQ(found.Take(), std::vector<EdgeId>{EdgeId{5}});
  found.List(EdgeId{0xffffffff});
  EXPECT_EQ(found.Take(), std::vector<EdgeId>())
      << "one that is out of range would be new for ever";
}

}  // namespace
}  // namespace yp::hotspot
