#ifndef YP_HOTSPOT_GRAPH_COMPILATIONS_H_
#define YP_HOTSPOT_GRAPH_COMPILATIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "format/spool/records.h"
#include "hotspot/graph/inline_tree.h"

namespace yp::hotspot {

// The compilations that sampled calls came from or went to, with what was inlined into them, and
// the ways by which edges were taken between them.
//
// - Ids start at 1, one after the other, and never change meaning.
// - Thread-safe, by one mutex: everything here happens once per compilation or way.
class Compilations {
 public:
  struct Key {
    const char* nmethod = nullptr;
    int32_t compile_id = 0;  // Never comes again with the same nmethod.
    uint32_t epoch = 0;      // The recording: another one may observe other methods.
    bool operator==(const Key&) const = default;
  };
  struct Known {
    spool::Compilation told;
    NamedTree tree;
  };

  // Null when it is not known.
  const Known* Find(const Key& key) const;
  // Takes it, unless another thread was faster. What is returned stays until Forget.
  const Known* Add(const Key& key, Known known);
  CompiledCallId InternCall(const spool::CompiledCall& call);

  struct Updates {
    std::vector<const Known*> compilations;
    std::vector<spool::CompiledCall> calls;
  };
  Updates TakeUpdates();
  // All of the recording is new again: it goes on in another spool. The methods that they consist
  // of, each once.
  std::vector<MethodId> Retell();
  // The VM's methods that any of them consists of, since Forget, and their ids, each pair once, by
  // address: those of a class lie side by side.
  std::vector<std::pair<VmMethod, MethodId>> Methods() const;
  // How many there are.
  size_t method_count() const;
  // The recording's compilations that calls enter, by the VM's number of them.
  std::unordered_map<int32_t, CompilationId> ByCompileId() const;
  // Another recording begins, with compilations of its own. `is_in_use`: somebody may still use
  // what Add or Find returned, so that it stays once more.
  void Forget(bool is_in_use);

 private:
  struct Way {
    EdgeId edge{};
    CompilationId caller{};
    uint32_t caller_node = 0;
    CompilationId callee{};
    bool is_caller_profiled = false;
    bool operator==(const Way&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
    size_t operator()(const Way& way) const;
    size_t operator()(const std::pair<VmMethod, MethodId>& method) const;
  };

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Known>> compilations_;
  std::unordered_map<Key, const Known*, Hash> by_key_;
  std::vector<spool::CompiledCall> calls_;
  std::unordered_map<Way, CompiledCallId, Hash> call_ids_;
  size_t told_compilations_ = 0, told_calls_ = 0;
  size_t first_compilation_ = 0, first_call_ = 0;  // Of the recording.
  uint32_t next_compilation_ = 1, next_call_ = 1;
  std::unordered_set<std::pair<VmMethod, MethodId>, Hash> known_methods_;
  std::vector<std::pair<VmMethod, MethodId>> methods_;  // The same, for a fast copy.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_GRAPH_COMPILATIONS_H_
