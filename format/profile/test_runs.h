#ifndef YP_FORMAT_PROFILE_TEST_RUNS_H_
#define YP_FORMAT_PROFILE_TEST_RUNS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "format/profile/profile.h"
#include "format/spool/records.h"

namespace yp {

// Takes what a spool tells of tests. Of foreign bytes, which may name tests that there are not.
class TestRunsBuilder {
 public:
  void Take(const spool::TestBegin& record);
  void Take(const spool::TestEnd& record);
  // `edge_of`: the profile's edge for one of the spool; nothing for one that is not known.
  void Take(const spool::Reached& record,
            const std::function<std::optional<EdgeId>(EdgeId)>& edge_of);
  // By their begin.
  std::vector<TestRun> Finish();

 private:
  std::map<uint32_t, TestRun> tests_;  // By number.
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_TEST_RUNS_H_
