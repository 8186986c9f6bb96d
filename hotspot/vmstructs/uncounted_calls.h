#ifndef YP_HOTSPOT_VMSTRUCTS_UNCOUNTED_CALLS_H_
#define YP_HOTSPOT_VMSTRUCTS_UNCOUNTED_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hotspot/vmstructs/profile_records.h"

namespace yp::hotspot {

// Calls that C1's code does not count: at an invokevirtual, invokeinterface or invokestatic whose
// class was not loaded when the code was made (GraphBuilder::invoke in c1_GraphBuilder.cpp, JDK 11
// to 25). The site's count stays at what the interpreter has counted. A program whose main method
// is compiled in its first loop (on-stack replacement) has such sites in all loops behind that.
//
// C1 counts branches everywhere. What goes into a part of the code without branches, by the branch
// before it and by those that lead there, has to leave it by the branch behind it. Where both
// counts are the same, each call in between was made as often. Where they differ, there may be a
// return, an exception handler or code in the making: nothing is said then.
class UncountedCalls {
 public:
  explicit UncountedCalls(const ProfileLayout& layout) : layout_(layout) {}

  // Raises the counts of sites that were not counted. `words`: ReadRecords made the profile of
  // them. The receivers that were seen before stand for those that were not: theirs are raised
  // alike.
  void Add(std::span<const uint64_t> words, MethodProfile& profile);

 private:
  // A record, and how often the VM came along there.
  struct Step {
    ProfileRecord record;
    size_t position = 0;  // Of the first word.
    int64_t joining = 0;  // By branches that lead here.
  };

  // False: there is no branch.
  bool ReadSteps(std::span<const uint64_t> words);
  void Join(const Step& from, uint64_t displacement, int64_t count);
  void JoinAll();

  const ProfileLayout& layout_;
  // Kept from one method to the next for their room.
  std::vector<Step> steps_;
  std::vector<int64_t> flows_;  // Of each call site.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_UNCOUNTED_CALLS_H_
