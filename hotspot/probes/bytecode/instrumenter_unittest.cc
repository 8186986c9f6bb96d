#include "hotspot/probes/bytecode/instrumenter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classfile/check.h"
#include "classfile/class_builder.h"
#include "classfile/instructions.h"
#include "classfile/invokes.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
namespace op = classfile::op;

constexpr bool kOfProgram = false;
constexpr bool kOfJdk = true;
constexpr std::string_view kProbe = "java/lang/YieldpointProbe";

std::vector<uint8_t> ShapesClass() {
  std::ifstream in("../../classfile/testdata/Shapes.class", std::ios::binary);
  EXPECT_TRUE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A class of that name with one method of each kind that matters.
std::vector<uint8_t> SmallClass(const std::string& name) {
  classfile::ClassBuilder builder(name);
  const uint16_t callee =
      builder.Member(classfile::ConstantTag::kMethodref, "app/Other", "callee", "()V");
  const auto high = static_cast<uint8_t>(callee >> 8), low = static_cast<uint8_t>(callee);
  builder.AddMethod(
      {.name = "caller",
       .code = {op::kInvokestatic, high, low, op::kInvokestatic, high, low, op::kReturn}});
  builder.AddMethod({.name = "trivial", .code = {op::kReturn}});
  builder.AddMethod({.name = "abstracted", .access_flags = classfile::kAccAbstract});
  return builder.Build();
}

// A call of the probe in rewritten code, and the number that it gets.
struct ProbeCall {
  uint32_t bci = 0;
  std::string name;
  int32_t number = 0;
};

// The number that the instruction pushes.
int32_t Pushed(classfile::Bytes code, const classfile::Instruction& at) {
  constexpr uint8_t kIconst0 = 3, kBipush = 16, kSipush = 17;
  if (at.opcode >= kIconst0 - 1 && at.opcode <= kIconst0 + 5) return at.opcode - kIconst0;
  if (at.opcode == kBipush) return static_cast<int8_t>(code[at.bci + 1]);
  if (at.opcode == kSipush) return static_cast<int16_t>(classfile::LoadU2(&code[at.bci + 1]));
  ADD_FAILURE() << "no push of a small number: " << int{at.opcode};
  return -1;
}

class InstrumenterTest : public ::testing::Test {
 protected:
  void Use(Probing probing, bool skip_trivial = false,
           RecordingOptions::Scope scope = RecordingOptions::Scope::kApplication,
           std::vector<std::string> exclude = {}) {
    RecordingOptions options;
    options.scope = scope;
    options.exclude = std::move(exclude);
    filter_.emplace(options);
    std::memset(static_cast<void*>(tables_.get()), 0, sizeof(DiscoveryTables));
    discovery_.emplace(*tables_);
    instrumenter_.emplace(*filter_, probing, skip_trivial, registry_, drops_,
                          EdgeProbing{&*discovery_, {"java/util"}});
  }

  // Rewrites, checks that the result is a sound class file, and keeps it for ProbeCallsOf.
  bool Rewrite(std::vector<uint8_t> original, bool of_jdk = kOfProgram) {
    original_bytes_ = std::move(original);
    original_.emplace(*classfile::ClassFile::Parse(original_bytes_));
    std::optional<std::vector<uint8_t>> result = instrumenter_->Rewrite(original_bytes_, of_jdk);
    if (!result) return false;
    rewritten_bytes_ = *std::move(result);
    Result<classfile::ClassFile> file = classfile::ClassFile::Parse(rewritten_bytes_);
    EXPECT_TRUE(file.ok()) << file.message();
    rewritten_.emplace(*std::move(file));
    const Status sound = classfile::CheckClass(*rewritten_);
    EXPECT_TRUE(sound.ok()) << sound.message();
    return true;
  }

  std::vector<ProbeCall> ProbeCallsOf(const classfile::Method& method) const {
    std::vector<ProbeCall> calls;
    classfile::InvokeCursor cursor(*rewritten_, method);
    std::optional<classfile::Instruction> before, at;
    uint32_t bci = 0;
    for (classfile::Invoke invoke; cursor.Next(invoke);) {
      while (bci <= invoke.bci) {
        before = std::exchange(at, classfile::DecodeInstruction(method.code->bytecode, bci));
        bci += at->length;
      }
      if (invoke.owner != kProbe) continue;
      EXPECT_EQ(invoke.descriptor, invoke.name == "receive" ? "(Ljava/lang/Object;I)V" : "(I)V");
      calls.push_back(
          {invoke.bci, std::string(invoke.name), Pushed(method.code->bytecode, *before)});
    }
    return calls;
  }
  std::vector<ProbeCall> ProbeCallsOf(const std::string& name) const {
    for (const classfile::Method& method : rewritten_->methods()) {
      if (method.name == name) return ProbeCallsOf(method);
    }
    ADD_FAILURE() << "no method " << name;
    return {};
  }

  MethodId IdOf(const classfile::Method& method) {
    Method named;
    named.class_name = original_->DottedName();
    named.name = method.name;
    named.descriptor = method.descriptor;
    return registry_.Intern(named);
  }

  MethodRegistry registry_;
  Drops drops_;
  const std::unique_ptr<DiscoveryTables> tables_ = std::make_unique<DiscoveryTables>();
  std::optional<EdgeDiscovery> discovery_;
  std::optional<ClassFilter> filter_;
  std::optional<Instrumenter> instrumenter_;
  std::vector<uint8_t> original_bytes_, rewritten_bytes_;
  std::optional<classfile::ClassFile> original_, rewritten_;
};

TEST_F(InstrumenterTest, SamplingPutsACheckWithTheMethodsIdAtEachEntry) {
  Use(Probing::kSampling);
  ASSERT_TRUE(Rewrite(ShapesClass()));
  size_t with_code = 0;
  for (size_t i = 0; i < rewritten_->methods().size(); ++i) {
    const classfile::Method& method = rewritten_->methods()[i];
    if (!method.code) continue;
    ++with_code;
    const std::vector<ProbeCall> calls = ProbeCallsOf(method);
    ASSERT_EQ(calls.size(), 1u) << method.name;
    EXPECT_EQ(calls[0].name, "check");
    EXPECT_LE(calls[0].bci, 3u) << "nothing but the number's push comes before";
    EXPECT_EQ(MethodId{static_cast<uint32_t>(calls[0].number)}, IdOf(original_->methods()[i]));
  }
  EXPECT_GT(with_code, 10u);
  EXPECT_THAT(drops_.Totals(), IsEmpty());
}

TEST_F(InstrumenterTest, ExactModeAnnouncesEachCallSiteUnderItsOwnNumber) {
  Use(Probing::kExact);
  ASSERT_TRUE(Rewrite(ShapesClass()));
  int32_t next_site = 1;
  for (size_t i = 0; i < rewritten_->methods().size(); ++i) {
    const classfile::Method& before = original_->methods()[i];
    if (!before.code) continue;
    std::vector<ProbeCall> calls = ProbeCallsOf(rewritten_->methods()[i]);
    ASSERT_FALSE(calls.empty());
    EXPECT_EQ(calls[0].name, "enter");
    EXPECT_EQ(MethodId{static_cast<uint32_t>(calls[0].number)}, IdOf(before));
    size_t next = 1;
    classfile::InvokeCursor cursor(*original_, before);
    for (classfile::Invoke invoke; cursor.Next(invoke); ++next) {
      ASSERT_LT(next, calls.size()) << before.name;
      EXPECT_EQ(calls[next].name, "site");
      EXPECT_EQ(calls[next].number, next_site++);
      const MethodRegistry::Site site = registry_.SiteAt(calls[next].number);
      EXPECT_EQ(site.caller, IdOf(before));
      EXPECT_EQ(site.bci, static_cast<int32_t>(invoke.bci));
      EXPECT_EQ(site.is_virtual,
                invoke.opcode != op::kInvokestatic && invoke.opcode != op::kInvokespecial);
    }
    EXPECT_EQ(next, calls.size()) << before.name;
  }
  EXPECT_GT(next_site, 50);
}

TEST_F(InstrumenterTest, AVersionLeadsFromTheRewrittenCodeToTheOriginals) {
  Use(Probing::kExact);
  ASSERT_TRUE(Rewrite(ShapesClass()));
  for (size_t i = 0; i < rewritten_->methods().size(); ++i) {
    const classfile::Method& after = rewritten_->methods()[i];
    if (!after.code) continue;
    const MethodRegistry::Map map =
        registry_.FindVersion(IdOf(after), static_cast<uint32_t>(after.code->bytecode.size()));
    ASSERT_NE(map, nullptr) << after.name;
    classfile::InvokeCursor original(*original_, original_->methods()[i]);
    classfile::InvokeCursor rewritten(*rewritten_, after);
    classfile::Invoke then;
    for (classfile::Invoke now; rewritten.Next(now);) {
      if (now.owner == kProbe) continue;
      ASSERT_TRUE(original.Next(then));
      EXPECT_EQ(map->OriginalBci(static_cast<int32_t>(now.bci)), static_cast<int32_t>(then.bci));
    }
  }
}

TEST_F(InstrumenterTest, TheRegistryLearnsWhatTheClassFileSays) {
  Use(Probing::kSampling);
  ASSERT_TRUE(Rewrite(ShapesClass()));
  for (const classfile::Method& method : original_->methods()) {
    const MethodId id = IdOf(method);
    registry_.InternEdge({kNoMethod, kNoBci, id});
  }
  std::map<std::string, Method> told;
  for (const auto& method : registry_.TakeUpdates().methods)
    told[method.method.name] = method.method;
  const Method& fib = told.at("fib");
  EXPECT_EQ(fib.source_file, "Shapes.java");
  EXPECT_EQ(fib.flags, Method::kObserved | Method::kStatic);
  EXPECT_FALSE(fib.lines.empty());
  EXPECT_EQ(told.at("locked").flags, Method::kObserved);
}

TEST_F(InstrumenterTest, TrivialMethodsAreProbedUnlessTheyAreToBeLeftOut) {
  Use(Probing::kSampling);
  ASSERT_TRUE(Rewrite(SmallClass("app/Main")));
  EXPECT_EQ(ProbeCallsOf("trivial").size(), 1u);
  EXPECT_EQ(ProbeCallsOf("caller").size(), 1u);

  Use(Probing::kSampling, /*skip_trivial=*/true);
  ASSERT_TRUE(Rewrite(SmallClass("app/Main")));
  EXPECT_THAT(ProbeCallsOf("trivial"), IsEmpty());
  EXPECT_EQ(ProbeCallsOf("caller").size(), 1u);
}

TEST_F(InstrumenterTest, APassedOverClassTakesBackTheAnnouncementsInExactMode) {
  Use(Probing::kExact, false, RecordingOptions::Scope::kApplication, {"app.*"});
  ASSERT_TRUE(Rewrite(SmallClass("app/Main")));
  for (const std::string method : {"caller", "trivial"}) {
    const std::vector<ProbeCall> calls = ProbeCallsOf(method);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].name, "site");
    EXPECT_EQ(calls[0].number, 0);
  }
  EXPECT_EQ(registry_.SiteAt(1).caller, kNoMethod);

  Use(Probing::kSampling, false, RecordingOptions::Scope::kApplication, {"app.*"});
  EXPECT_FALSE(Rewrite(SmallClass("app/Main"))) << "sampling has no announcements";
}

TEST_F(InstrumenterTest, EdgesAnnounceCallsThatMayReachAMethodWithAProbe) {
  Use(Probing::kEdges);
  classfile::ClassBuilder builder("app/Main");
  std::vector<uint8_t> code;
  for (const char* owner : {"java/util/List", "app/Other", "[I"}) {
    const uint16_t callee =
        builder.Member(classfile::ConstantTag::kMethodref, owner, "callee", "()V");
    code.insert(code.end(), {op::kInvokestatic, static_cast<uint8_t>(callee >> 8),
                             static_cast<uint8_t>(callee)});
  }
  code.push_back(op::kReturn);
  builder.AddMethod({.name = "caller", .code = code});
  ASSERT_TRUE(Rewrite(builder.Build()));
  const std::vector<ProbeCall> calls = ProbeCallsOf("caller");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].name, "discover");
  const MethodId caller{static_cast<uint32_t>(calls[0].number)};
  EXPECT_EQ(tables_->methods[calls[0].number], kMethodFresh);
  EXPECT_EQ(calls[1].name, "announce");
  EXPECT_EQ(calls[1].number, registry_.FindSite(caller, 3));
  EXPECT_EQ(tables_->sites[calls[1].number], kSiteFresh);
}

TEST_F(InstrumenterTest, APassedOverClassAnnouncesItsCallsOfOthersWhenEdgesAreLookedFor) {
  Use(Probing::kEdges, false, RecordingOptions::Scope::kApplication, {"app.*"});
  ASSERT_TRUE(Rewrite(SmallClass("app/Main")));
  const std::vector<ProbeCall> calls = ProbeCallsOf("caller");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].name, "discover");
  EXPECT_EQ(calls[0].number, 0);
  EXPECT_EQ(calls[1].name, "announce");
  EXPECT_EQ(calls[2].name, "announce");
  EXPECT_THAT(ProbeCallsOf("trivial"), IsEmpty());
}

TEST_F(InstrumenterTest, WhatAClassMakesMethodHandlesOfIsOpen) {
  Use(Probing::kEdges);
  ASSERT_TRUE(Rewrite(ShapesClass()));
  discovery_->Prepare("java/lang/Object");
  discovery_->Prepare(original_->internal_name());
  size_t lambdas = 0;
  for (const classfile::Method& method : original_->methods()) {
    if (!method.name.starts_with("lambda$")) continue;
    ++lambdas;
    EXPECT_NE(tables_->methods[ToIndex(IdOf(method))] & kMethodOpen, 0) << method.name;
  }
  EXPECT_GT(lambdas, 0u);
}

TEST_F(InstrumenterTest, ReflectionTellsWhatItMakesAccessorsOf) {
  constexpr std::string_view kFactory = "jdk/internal/reflect/ReflectionFactory";
  classfile::ClassBuilder builder{std::string(kFactory)};
  builder.AddMethod({.name = "newMethodAccessor",
                     .descriptor = "(Ljava/lang/reflect/Method;Z)V",
                     .access_flags = 0,
                     .max_locals = 3,
                     .code = {op::kReturn}});
  builder.AddMethod({.name = "newOther", .max_locals = 3, .code = {op::kReturn}});
  const std::vector<uint8_t> bytes = builder.Build();
  for (const Probing probing : {Probing::kSampling, Probing::kExact, Probing::kEdges}) {
    Use(probing);
    const bool finds_edges = probing == Probing::kEdges;
    EXPECT_EQ(instrumenter_->Ignores(kFactory, kOfJdk), !finds_edges);
    ASSERT_EQ(Rewrite(bytes, kOfJdk), finds_edges);
  }
  const classfile::Method& method = rewritten_->methods()[0];
  classfile::InvokeCursor cursor(*rewritten_, method);
  classfile::Invoke invoke;
  ASSERT_TRUE(cursor.Next(invoke));
  EXPECT_EQ(method.code->bytecode[0], op::kAload1);
  EXPECT_EQ(invoke.bci, 1u);
  EXPECT_EQ(invoke.owner, kProbe);
  EXPECT_EQ(invoke.name, "reflect");
  EXPECT_EQ(invoke.descriptor, "(Ljava/lang/Object;)V");
  EXPECT_FALSE(cursor.Next(invoke));
  EXPECT_THAT(ProbeCallsOf("newOther"), IsEmpty());
}

TEST_F(InstrumenterTest, CallsThatAreWorthItGetReceiverCallsAlsoInTheJdk) {
  classfile::ClassBuilder builder("java/util/Some");
  const uint16_t callee =
      builder.Member(classfile::ConstantTag::kMethodref, "java/lang/Object", "hashCode", "()I");
  builder.AddMethod({.name = "hash",
                     .descriptor = "(Ljava/lang/Object;)I",
                     .max_stack = 1,
                     .max_locals = 1,
                     .code = {42, op::kInvokevirtual, 0, static_cast<uint8_t>(callee), 42,
                              op::kInvokevirtual, 0, static_cast<uint8_t>(callee), op::kIreturn}});
  const std::vector<uint8_t> bytes = builder.Build();
  Use(Probing::kEdges);
  EXPECT_TRUE(instrumenter_->Ignores("java/util/Some", kOfJdk));
  EXPECT_FALSE(Rewrite(bytes, kOfJdk));

  const MethodId caller = IdOf(original_->methods()[0]);
  discovery_->WantReceiverCall(caller, 5, "java.util.Some");
  EXPECT_FALSE(instrumenter_->Ignores("java/util/Some", kOfJdk));
  ASSERT_TRUE(Rewrite(bytes, kOfJdk));
  const int32_t site = registry_.FindSite(caller, 5);
  EXPECT_NE(site, 0);
  EXPECT_EQ(registry_.FindSite(caller, 1), 0);
  const std::vector<ProbeCall> calls = ProbeCallsOf("hash");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].name, "discover");
  EXPECT_EQ(calls[0].number, 0);
  EXPECT_EQ(calls[1].name, "receive");
  EXPECT_EQ(calls[1].number, site);
  EXPECT_EQ(discovery_->Count().receiver_sites, 1u);
}

TEST_F(InstrumenterTest, TheJdkStaysAsItIsInTheApplicationsScope) {
  for (const Probing probing : {Probing::kSampling, Probing::kExact, Probing::kEdges}) {
    Use(probing);
    EXPECT_FALSE(Rewrite(SmallClass("java/util/Some"), kOfJdk));
    Use(probing, false, RecordingOptions::Scope::kAll);
    EXPECT_TRUE(Rewrite(SmallClass("java/util/Some"), kOfJdk));
    EXPECT_FALSE(Rewrite(SmallClass("java/lang/invoke/Some"), kOfJdk));
  }
}

TEST_F(InstrumenterTest, IgnoresSaysBeforehandWhatRewriteWillLeave) {
  for (const Probing probing : {Probing::kSampling, Probing::kExact}) {
    for (const auto scope :
         {RecordingOptions::Scope::kApplication, RecordingOptions::Scope::kAll}) {
      Use(probing, false, scope, {"lib.*"});
      for (const std::string name : {"app/Main", "lib/Core", "java/lang/invoke/Some",
                                     "app/Main$$Lambda$1", "com/sun/proxy/$Proxy1"}) {
        for (const bool of_jdk : {kOfProgram, kOfJdk}) {
          EXPECT_NE(instrumenter_->Ignores(name, of_jdk), Rewrite(SmallClass(name), of_jdk))
              << name << static_cast<int>(probing) << of_jdk;
        }
      }
    }
  }
}

TEST_F(InstrumenterTest, AClassWithoutCodeIsLeftAlone) {
  classfile::ClassBuilder builder("app/Marker");
  builder.AddMethod({.name = "abstracted", .access_flags = classfile::kAccAbstract});
  Use(Probing::kExact);
  EXPECT_FALSE(Rewrite(builder.Build()));
  EXPECT_THAT(drops_.Totals(), IsEmpty()) << "there was nothing to probe";
}

TEST_F(InstrumenterTest, WhatCannotBeReadIsLeftAndCounted) {
  Use(Probing::kSampling);
  std::vector<uint8_t> bytes = ShapesClass();
  bytes.resize(bytes.size() / 2);
  EXPECT_EQ(instrumenter_->Rewrite(bytes, kOfProgram), std::nullopt);
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("class_unreadable", 1)));
}

TEST_F(InstrumenterTest, AClassThatCannotLinkIsLeftAndCounted) {
  for (const Probing probing : {Probing::kSampling, Probing::kExact, Probing::kContexts}) {
    drops_.Reset();
    Use(probing);
    EXPECT_EQ(instrumenter_->Rewrite(SmallClass("app/Small"), kOfProgram, false), std::nullopt);
    EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("class_cannot_link", 1)));
    EXPECT_EQ(instrumenter_->CountMethods().all, 2);
    EXPECT_EQ(instrumenter_->CountMethods().left, 2);
  }
}

TEST_F(InstrumenterTest, AMethodThatWouldBeTooLargeToCompileIsLeftAndCounted) {
  classfile::ClassBuilder builder("app/Large");
  constexpr uint8_t kNop = 0;
  std::vector<uint8_t> code(classfile::kHotSpotHugeMethodLimit - 1, kNop);
  code.push_back(op::kReturn);
  builder.AddMethod({.name = "large", .code = code});
  builder.AddMethod({.name = "small", .code = {op::kReturn}});
  Use(Probing::kSampling);
  ASSERT_TRUE(Rewrite(builder.Build()));
  EXPECT_THAT(ProbeCallsOf("large"), IsEmpty());
  EXPECT_EQ(ProbeCallsOf("small").size(), 1u);
  const std::string reason =
      "method left: " + std::string(ToString(classfile::ProbeOutcome::kCompileLimit));
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair(reason, 1)));
  // It is known, and not as observed: calls of it are not counted.
  const MethodId large = IdOf(original_->methods()[0]);
  registry_.InternEdge({kNoMethod, kNoBci, large});
  EXPECT_EQ(registry_.TakeUpdates().methods.at(0).method.flags & Method::kObserved, 0u);
}

}  // namespace
}  // namespace yp::hotspot
