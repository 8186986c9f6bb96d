#ifndef YP_FORMAT_PROFILE_FOLD_TEST_UTIL_H_
#define YP_FORMAT_PROFILE_FOLD_TEST_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "format/profile/profile.h"
#include "format/spool/spool_test_util.h"

namespace yp {

// Loads the profile of a spool of these records, one frame each, without its last cut_bytes.
inline Result<Profile> Fold(const std::vector<spool::Record>& records, size_t cut_bytes = 0) {
  const spool::TemporaryDirectory directory;
  const std::string path = directory / "a.yp-spool";
  {
    auto writer = spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
    EXPECT_TRUE(writer) << writer.message();
    for (const spool::Record& record : records) {
      EXPECT_TRUE(Append(writer->get(), record));
      EXPECT_TRUE((*writer)->Flush());
    }
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - cut_bytes);
  return LoadProfile(path);
}

inline spool::MethodDefinition DefineMethod(uint32_t id, const std::string& name,
                                            uint32_t flags = 0) {
  return {MethodId{id}, Method{"A", name, "()V", "A.java", flags, {{0, 1}}}};
}

inline spool::EdgeDefinition DefineEdge(uint32_t id, uint32_t caller, int32_t bci,
                                        uint32_t callee) {
  return {EdgeId{id}, Edge{MethodId{caller}, bci, MethodId{callee}}};
}

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_FOLD_TEST_UTIL_H_
