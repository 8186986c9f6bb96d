#ifndef YP_FORMAT_PROFILE_TEST_REACH_H_
#define YP_FORMAT_PROFILE_TEST_REACH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"
#include "core/graph/method.h"
#include "format/profile/profile.h"

namespace yp {

// What the tests of one or several JVMs reached. A method is reached by a test that took an edge to
// it or from it; runs of one name are one test.
class TestReach {
 public:
  struct Reached {
    uint32_t id = 0;     // Of an edge or a method: as below.
    bool alone = false;  // In a run, while no other test ran.
    bool operator==(const Reached&) const = default;
  };
  struct Test {
    std::string name;
    size_t runs = 0;
    int64_t begin_ns = 0;     // Of the first run, since its JVM's recording began.
    int64_t duration_ns = 0;  // Of all runs; of one without an end, until its recording's.
    std::vector<Reached> edges, methods;  // By ascending id.
    // Of these, what no other test reached.
    size_t edges_only = 0, methods_only = 0;
  };
  // Of which tests a method is reached.
  struct ByTest {
    size_t test = 0;  // An index of tests().
    bool alone = false;
    bool operator==(const ByTest&) const = default;
  };

  // `profiles` need not outlive it.
  explicit TestReach(std::span<const Profile> profiles);

  // In the order in which they first ran.
  const std::vector<Test>& tests() const { return tests_; }
  // Of all profiles, by the ids that are used here.
  const MethodTable& methods() const { return methods_; }
  const std::vector<Edge>& edges() const { return edges_; }
  // By index of tests().
  std::vector<ByTest> TestsOf(MethodId method) const;
  // Whether calls of it are looked for in any of the JVMs.
  bool IsObserved(MethodId method) const {
    return ToIndex(method) < observing_.size() && observing_[ToIndex(method)] > 0;
  }
  // Whether it was ever called, by a test or otherwise.
  bool IsCalled(MethodId method) const {
    return ToIndex(method) < called_.size() && called_[ToIndex(method)];
  }
  // Observed, and never called.
  std::vector<MethodId> Uncalled() const;
  // Call sites that no JVM executed of those that loaded their class: by caller and bci. Of
  // profiles that list them (Profile::lists_unexecuted_calls).
  std::vector<UnexecutedCall> UnexecutedCalls() const;
  // Those of them in methods that were called: of the others each is unexecuted.
  std::vector<UnexecutedCall> UnexecutedCallsInCalled() const;

 private:
  void Take(const Profile& profile);
  void CountOnly();

  MethodTable methods_;
  std::vector<uint32_t> observing_;  // By method: how many profiles observe it.
  std::vector<bool> called_;         // By method.
  struct Unexecuted {
    std::string callee;
    uint32_t profiles = 0;  // That list it.
  };
  std::map<std::pair<MethodId, int32_t>, Unexecuted> unexecuted_;
  std::vector<Edge> edges_;
  std::unordered_map<Edge, uint32_t, EdgeHash> edge_ids_;
  std::vector<Test> tests_;
  std::unordered_map<std::string, size_t> test_index_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_TEST_REACH_H_
