#include "hotspot/vmstructs/debug_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"
#include "hotspot/vmstructs/scopes_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Compiled methods in ordinary memory, laid out like those of a JDK.
class FakeCompilation : public FakeScopes {
 public:
  struct ConstMethod {
    int64_t unused = 0;
    uint16_t code_size = 0;
  };
  struct Method {
    int64_t vtable = 0;
    const ConstMethod* const_method = nullptr;
  };

  explicit FakeCompilation(int jdk) : FakeScopes(jdk), jdk_(jdk) {
    tables.AddField("nmethod", "_scopes_pcs_offset", offsetof(Header, scopes_pcs_offset));
    AddTables(tables);
    tables.AddField("Method", "_constMethod", offsetof(Method, const_method));
    tables.AddField("ConstMethod", "_code_size", offsetof(ConstMethod, code_size));
    if (is_one_piece()) {
      tables.AddField("CompiledMethod", "_method", offsetof(Header, method));
      tables.AddField("CompiledMethod", "_scopes_data_begin", offsetof(Header, scopes_data_begin));
      tables.AddField("CodeBlob", "_code_begin", offsetof(Header, code_begin));
      tables.AddField("nmethod", "_metadata_offset", offsetof(Header, metadata_offset));
      tables.AddField("nmethod", "_dependencies_offset", offsetof(Header, dependencies_offset));
    } else {
      tables.AddField("nmethod", "_method", offsetof(Header, method));
      tables.AddField("CodeBlob", "_code_offset", offsetof(Header, code_offset));
      tables.AddField("CodeBlob", "_mutable_data", offsetof(Header, mutable_data));
      tables.AddField("CodeBlob", "_mutable_data_size", offsetof(Header, mutable_data_size));
      tables.AddField("CodeBlob", "_relocation_size", offsetof(Header, relocation_size));
      tables.AddField("nmethod", "_immutable_data", offsetof(Header, immutable_data));
      tables.AddField("nmethod", "_immutable_data_size", offsetof(Header, immutable_data_size));
      tables.AddField("nmethod", "_scopes_data_offset", offsetof(Header, scopes_data_offset));
    }
    for (size_t i = 0; i < methods_.size(); ++i) {
      const_methods_[i].code_size = 5000;
      methods_[i].const_method = &const_methods_[i];
      AddMethod(&methods_[i]);
    }
  }

  Result<DebugInfo> Create() {
    const Result<VmStructs> structs = tables.Read();
    if (!structs) return structs.status();
    return DebugInfo::Create(*structs, jdk_);
  }

  const Method* method(size_t i) const { return &methods_[i]; }
  ConstMethod& code_of(size_t i) { return const_methods_[i]; }
  // An address to which a call instruction returns.
  // Of the code at `target`, an offset like the other; by default what follows.
  void AddCallBefore(int32_t pc_offset) { AddCallBefore(pc_offset, pc_offset); }
  void AddCallBefore(int32_t pc_offset, int32_t target) { calls_.emplace_back(pc_offset, target); }

  // The compilation of method 0, laid out anew.
  const char* Build() {
    const std::vector<PcDesc> pcs = this->pcs();
    memory_.assign(sizeof(Header) + kCodeSize, 0);
    for (const auto& [pc, target] : calls_) {
      char* call = memory_.data() + sizeof(Header) + pc - 5;
      const int32_t distance = target - pc;
      *call = '\xe8';
      std::memcpy(call + 1, &distance, sizeof distance);
    }
    Header header{};
    header.method = &methods_[0];
    const auto append = [](std::vector<char>& to, const void* from, size_t size) {
      const size_t at = (to.size() + 7) & ~size_t{7};
      to.resize(at + size);
      std::memcpy(to.data() + at, from, size);
      return static_cast<int32_t>(at);
    };
    const size_t metadata_size = metadata().size() * sizeof(void*);
    if (is_one_piece()) {
      header.metadata_offset = append(memory_, metadata().data(), metadata_size);
      const int32_t data_at = append(memory_, data().data(), data().size());
      header.scopes_pcs_offset = append(memory_, pcs.data(), pcs.size() * sizeof(PcDesc));
      header.dependencies_offset = static_cast<int32_t>(memory_.size());
      header.scopes_data_begin = memory_.data() + data_at;
      header.code_begin = memory_.data() + sizeof(Header);
    } else {
      header.code_offset = sizeof(Header);
      mutable_.assign(48, 'r');
      header.relocation_size = append(mutable_, metadata().data(), metadata_size);
      header.mutable_data_size = static_cast<int32_t>(mutable_.size());
      immutable_.assign(32, 'd');
      header.scopes_pcs_offset = append(immutable_, pcs.data(), pcs.size() * sizeof(PcDesc));
      header.scopes_data_offset = append(immutable_, data().data(), data().size());
      header.immutable_data_size = static_cast<int32_t>(immutable_.size());
      header.mutable_data = mutable_.data();
      header.immutable_data = immutable_.data();
    }
    std::memcpy(memory_.data(), &header, sizeof(header));
    return memory_.data();
  }
  uintptr_t Pc(int32_t offset) const {
    return reinterpret_cast<uintptr_t>(memory_.data()) + sizeof(Header) +
           static_cast<uintptr_t>(offset);
  }

  LayoutTables tables;

 private:
  struct Header {
    int64_t name = 0;
    const void* method;
    const void* code_begin;
    const void* scopes_data_begin;
    const void* mutable_data;
    const void* immutable_data;
    int32_t code_offset, metadata_offset, scopes_data_offset, scopes_pcs_offset;
    int32_t dependencies_offset, mutable_data_size, relocation_size, immutable_data_size;
  };
  static constexpr size_t kCodeSize = 1024;
  bool is_one_piece() const { return jdk_ < 23; }

  const int jdk_;
  std::array<ConstMethod, 8> const_methods_;
  std::array<Method, 8> methods_;
  std::vector<std::pair<int32_t, int32_t>> calls_;  // Where they return, and what they call.
  std::vector<char> memory_, mutable_, immutable_;
};

constexpr int32_t kTrap = -64;     // Where the uncommon trap is.
constexpr int32_t kReexecute = 1;  // PcDesc::PCDESC_reexecute.

using Scopes = std::vector<std::pair<const void*, int32_t>>;

using Node = std::tuple<uint32_t, int32_t, size_t>;

class DebugInfoTest : public ::testing::TestWithParam<int> {
 protected:
  // Built anew, so that more can be added between two calls.
  Scopes At(int32_t pc_offset, size_t room = 16) {
    const Result<DebugInfo> info = code_.Create();
    EXPECT_TRUE(info.ok()) << info.message();
    const char* nmethod = code_.Build();
    std::vector<DebugInfo::Scope> scopes(room);
    scopes.resize(info->ScopesAt(nmethod, code_.Pc(pc_offset), scopes));
    Scopes result;
    for (const DebugInfo::Scope& scope : scopes) result.emplace_back(scope.method, scope.bci);
    return result;
  }
  DebugInfo::InlineTree Tree() {
    const Result<DebugInfo> info = code_.Create();
    EXPECT_TRUE(info.ok()) << info.message();
    const char* nmethod = code_.Build();
    return info->TreeOf(nmethod, [trap = code_.Pc(kTrap)](uintptr_t to) { return to == trap; });
  }
  // Parents, bytecode indices and methods by number.
  std::vector<Node> Nodes() {
    std::vector<Node> nodes;
    for (const DebugInfo::InlinedMethod& node : Tree().nodes) {
      size_t method = 0;
      while (code_.method(method) != node.method) ++method;
      nodes.emplace_back(node.parent, node.bci, method);
    }
    return nodes;
  }
  std::vector<std::pair<uint32_t, int32_t>> Calls() {
    std::vector<std::pair<uint32_t, int32_t>> calls;
    for (const DebugInfo::Position& call : Tree().calls) calls.emplace_back(call.node, call.bci);
    return calls;
  }

  FakeCompilation code_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Jdks, DebugInfoTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(DebugInfoTest, TellsTheInlinedMethodsOfEachCall) {
  const int32_t root = code_.AddScope(0, 1, 10);
  const int32_t middle = code_.AddScope(root, 3, 0);
  const int32_t leaf = code_.AddScope(middle, 8, 4999);
  const int32_t synchronized = code_.AddScope(0, 1, -1);
  code_.AddPc(40, synchronized);
  code_.AddPc(64, root);
  code_.AddPc(65, leaf);
  code_.AddPc(1000, middle);
  EXPECT_EQ(At(64), (Scopes{{code_.method(0), 10}}));
  EXPECT_EQ(At(65), (Scopes{{code_.method(7), 4999}, {code_.method(2), 0}, {code_.method(0), 10}}));
  EXPECT_EQ(At(1000), (Scopes{{code_.method(2), 0}, {code_.method(0), 10}}));
  EXPECT_EQ(At(40), (Scopes{{code_.method(0), -1}}));
}

TEST_P(DebugInfoTest, KnowsOnlyTheVeryAddressesOfCalls) {
  const int32_t root = code_.AddScope(0, 1, 10);
  for (int32_t pc = 16; pc < 900; pc += 4) code_.AddPc(pc, root);
  for (int32_t pc = 0; pc < 1000; ++pc) {
    ASSERT_EQ(At(pc).size(), pc >= 16 && pc < 900 && pc % 4 == 0 ? 1u : 0u) << pc;
  }
  EXPECT_TRUE(At(-1).empty()) << "the sentinel has no scope";
  EXPECT_TRUE(At(INT32_MAX).empty());
}

TEST_P(DebugInfoTest, ReadsNumbersOfEveryLength) {
  for (const int32_t bci : {0, 189, 190, 191, 192, 193, 254, 255, 256, 4000, 12478, 12479, 12480,
                            12481, 30000, 65533}) {
    code_.code_of(0).code_size = 65535;
    code_.AddPc(100 + bci, code_.AddScope(0, 1, bci));
  }
  for (const int32_t bci : {0, 189, 190, 191, 192, 193, 254, 255, 256, 4000, 12478, 12479, 12480,
                            12481, 30000, 65533}) {
    EXPECT_EQ(At(100 + bci), (Scopes{{code_.method(0), bci}})) << bci;
  }
}

TEST_P(DebugInfoTest, ScopesFarIntoTheDataAreFound) {
  const int32_t root = code_.AddScope(0, 1, 7);
  while (code_.data_size() < 1'000'000) code_.AddByte(0x33);
  code_.AddPc(64, code_.AddScope(root, 2, 8));
  const int32_t far = code_.AddScope(0, 1, 9);
  code_.AddPc(80, code_.AddScope(far, 2, 8));
  EXPECT_EQ(At(64), (Scopes{{code_.method(1), 8}, {code_.method(0), 7}}));
  EXPECT_EQ(At(80), (Scopes{{code_.method(1), 8}, {code_.method(0), 9}}));
}

TEST_P(DebugInfoTest, WhatMakesNoSenseIsNothing) {
  code_.AddPc(1, code_.AddScope(0, 2, 10));    // The last scope is not the compiled method's.
  code_.AddPc(2, code_.AddScope(0, 0, 10));    // No method.
  code_.AddPc(3, code_.AddScope(0, 9, 10));    // Beyond the metadata.
  code_.AddPc(4, code_.AddScope(0, 1, 5000));  // Beyond the bytecode.
  code_.AddPc(5, 100'000);                     // Beyond the data.
  code_.AddPc(6, code_.AddScope(100'000, 1, 10));
  const auto own = static_cast<int32_t>(code_.data_size());
  code_.AddPc(7, code_.AddScope(own, 1, 10));  // Its own sender.
  code_.AddPc(8, -5);
  for (int32_t pc = 1; pc <= 8; ++pc) EXPECT_TRUE(At(pc).empty()) << pc;
  for (int i = 0; i < 3; ++i) code_.AddByte(0xff);
  code_.AddPc(9, static_cast<int32_t>(code_.data_size()) - 2);  // Cut off.
  EXPECT_TRUE(At(9).empty());
}

TEST_P(DebugInfoTest, ChainsThatAreLongerThanTheRoomAreNothing) {
  int32_t scope = code_.AddScope(0, 1, 1);
  for (int i = 0; i < 5; ++i) scope = code_.AddScope(scope, 2, 2);
  code_.AddPc(64, scope);
  EXPECT_EQ(At(64, 6).size(), 6u);
  EXPECT_TRUE(At(64, 5).empty());
  EXPECT_TRUE(At(64, 0).empty());
}

TEST_P(DebugInfoTest, TheTreeHasEachInlinedMethodOnceHoweverItIsRecorded) {
  const int32_t root = code_.AddScope(0, 1, 10);
  const int32_t middle = code_.AddScope(root, 3, 8);
  code_.AddPc(20, code_.AddScope(0, 1, 4));
  code_.AddPc(40, code_.AddScope(middle, 8, 1));
  code_.AddPc(44, code_.AddScope(middle, 8, 2));  // One sender of two scopes.
  code_.AddPc(48, code_.AddScope(root, 3, 9));
  const int32_t root_again = code_.AddScope(0, 1, 10);
  code_.AddPc(60, code_.AddScope(code_.AddScope(root_again, 3, 8), 8, 3));
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}, Node{0, 10, 2}, Node{1, 8, 7}));
}

TEST_P(DebugInfoTest, WithoutAddressesTheTreeIsTheCompiledMethod) {
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}));
  EXPECT_THAT(Calls(), IsEmpty());
}

TEST_P(DebugInfoTest, ARecursiveMethodIsInTheTreeOnEachLevel) {
  const int32_t outer = code_.AddScope(0, 1, 5);
  const int32_t inner = code_.AddScope(outer, 1, 5);
  code_.AddPc(40, code_.AddScope(inner, 1, 7));
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}, Node{0, 5, 0}, Node{1, 5, 0}));
}

TEST_P(DebugInfoTest, ACallSiteMayHaveSeveralCallees) {
  const int32_t root = code_.AddScope(0, 1, 5);
  code_.AddPc(40, code_.AddScope(root, 2, 0));
  code_.AddPc(44, code_.AddScope(root, 3, 0));
  code_.AddPc(48, code_.AddScope(code_.AddScope(0, 1, 6), 2, 0));
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}, Node{0, 5, 1}, Node{0, 5, 2}, Node{0, 6, 1}));
}

TEST_P(DebugInfoTest, CallsAreWhereACallInstructionReturnsAndTheBytecodeIsNotExecutedAgain) {
  const int32_t root = code_.AddScope(0, 1, 10);
  const int32_t inlined = code_.AddScope(root, 2, 30);
  code_.AddPc(3, code_.AddScope(0, 1, 1));  // No room for a call before it.
  code_.AddPc(40, inlined);
  code_.AddPc(60, code_.AddScope(0, 1, 12));  // A poll.
  code_.AddPc(80, code_.AddScope(0, 1, 14), kReexecute);
  code_.AddPc(100, code_.AddScope(0, 1, 16));
  code_.AddPc(120, code_.AddScope(0, 1, 16));  // The compiler's copy of it.
  code_.AddPc(140, code_.AddScope(0, 1, 11));
  for (const int32_t pc : {40, 80, 100, 120, 140}) code_.AddCallBefore(pc);
  EXPECT_THAT(Calls(), ElementsAre(Pair(0, 11), Pair(0, 16), Pair(1, 30)));
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}, Node{0, 10, 1}));
}

TEST_P(DebugInfoTest, UncommonTrapsAreNoCalls) {
  const int32_t root = code_.AddScope(0, 1, 10);
  const int32_t other = code_.AddScope(0, 1, 20);
  const int32_t inlined = code_.AddScope(root, 2, 30);
  code_.AddPc(40, root);
  code_.AddPc(60, inlined);
  code_.AddPc(80, other);
  code_.AddPc(100, other);
  code_.AddCallBefore(40, kTrap);
  code_.AddCallBefore(60, 16);
  code_.AddCallBefore(80, kTrap);  // Beside a call that is left at the same bytecode.
  code_.AddCallBefore(100, kTrap + 1);
  EXPECT_THAT(Calls(), ElementsAre(Pair(0, 20), Pair(1, 30)));
  EXPECT_THAT(Nodes(), ElementsAre(Node{0, -1, 0}, Node{0, 10, 1}));
}

TEST_P(DebugInfoTest, ATreeThatMakesNoSenseHasNoNodes) {
  const std::function<int32_t(FakeCompilation&)> nonsense[] = {
      [](auto& code) { return code.AddScope(0, 2, 10); },  // Not the compiled method's.
      [](auto& code) { return code.AddScope(0, 0, 10); },  // No method.
      [](auto& code) { return code.AddScope(0, 9, 10); },  // Beyond the metadata.
      [](auto& code) { return code.AddScope(0, 1, 5000); },
      [](auto&) { return 100'000; },  // Beyond the data.
      [](auto&) { return -5; },
      [](auto& code) { return code.AddScope(code.AddScope(0, 2, 10), 1, 10); },
      [](auto& code) { return code.AddScope(static_cast<int32_t>(code.data_size()), 1, 10); },
      [](auto& code) {  // Two that are each other's senders.
        const auto next = static_cast<int32_t>(code.data_size()) + 3;
        return code.AddScope(code.AddScope(next, 1, 10), 1, 11);
      },
  };
  for (size_t i = 0; i < std::size(nonsense); ++i) {
    FakeCompilation code(GetParam());
    code.AddPc(40, code.AddScope(0, 1, 3));
    code.AddPc(44, nonsense[i](code));
    code.AddCallBefore(40);
    const Result<DebugInfo> info = code.Create();
    ASSERT_TRUE(info.ok()) << info.message();
    const DebugInfo::InlineTree tree = info->TreeOf(code.Build(), [](uintptr_t) { return false; });
    EXPECT_TRUE(tree.nodes.empty()) << i;
    EXPECT_TRUE(tree.calls.empty()) << i;
  }
}

TEST_P(DebugInfoTest, WhatIsMissingFromTheTablesIsRefusedByName) {
  for (const auto& [type, field] :
       {std::pair("nmethod", "_scopes_pcs_offset"), std::pair("PcDesc", "_pc_offset"),
        std::pair("PcDesc", "_scope_decode_offset"), std::pair("PcDesc", "_flags"),
        std::pair("Method", "_constMethod"), std::pair("ConstMethod", "_code_size")}) {
    FakeCompilation code(GetParam());
    code.tables.RemoveField(type, field);
    EXPECT_THAT(std::string(code.Create().message()),
                HasSubstr("lack " + std::string(type) + "::" + field));
  }
}

}  // namespace
}  // namespace yp::hotspot
