#ifndef YP_HOTSPOT_GRAPH_INLINE_TREE_H_
#define YP_HOTSPOT_GRAPH_INLINE_TREE_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "format/spool/records.h"
#include "hotspot/vmstructs/debug_info.h"

namespace yp::hotspot {

// A Method of the VM's, as it was met. Another one may come to its address when its class is
// unloaded; that one's bytecode lies elsewhere, unless its class is laid out alike.
struct VmMethod {
  const void* address = nullptr;
  const void* const_method = nullptr;
  auto operator<=>(const VmMethod&) const = default;
};
struct VmMethodHash {
  size_t operator()(const VmMethod& method) const {
    return std::hash<const void*>()(method.address);
  }
};

// A compilation's inline tree under the registry's names, without the VM's own glue (method
// handles' adapters, lambdas' proxies): what glue calls is called from where the glue is. A
// compiled adapter that has nothing but one method inlined is that method.
class NamedTree {
 public:
  struct Name {
    MethodId id = kNoMethod;  // kNoMethod for glue.
    bool is_observed = false;
    const void* const_method = nullptr;
  };
  using NameOf = std::function<Name(const void* method)>;

  NamedTree() = default;
  NamedTree(DebugInfo::InlineTree tree, const NameOf& name_of);

  // No two children of a node have the same bci and method.
  const std::vector<spool::Compilation::Node>& nodes() const { return nodes_; }
  // The VM's methods of the tree and their ids, each once.
  const std::vector<std::pair<VmMethod, MethodId>>& methods() const { return methods_; }
  // Whether one of the inlined methods, not only the compiled one, is observed.
  bool inlines_observed() const { return inlines_observed_; }
  // Where in nodes() an instruction of the raw tree is.
  spool::Compilation::CallSite PlaceOf(const DebugInfo::Position& position) const;
  // The same, of the innermost of a call's scopes, which are as DebugInfo::ScopesAt writes them.
  // Node 0 with kNoBci when the tree does not have them.
  spool::Compilation::CallSite PlaceOf(std::span<const DebugInfo::Scope> scopes) const;

 private:
  size_t FindRoot(const std::vector<Name>& names) const;
  bool IsGlue(uint32_t raw) const { return index_[raw] == kGlue; }

  static constexpr uint32_t kGlue = 0xffffffff;
  std::vector<DebugInfo::InlinedMethod> raw_;
  std::vector<uint32_t> index_;                          // In nodes_, by raw node.
  std::vector<spool::Compilation::CallSite> called_at_;  // By raw node: of glue.
  std::vector<spool::Compilation::Node> nodes_;
  std::vector<std::pair<VmMethod, MethodId>> methods_;
  bool inlines_observed_ = false;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_GRAPH_INLINE_TREE_H_
