#include "cli/dumped_spool.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/attach/shared_directory.h"
#include "core/options/reply_keys.h"
#include "format/spool/frame.h"
#include "format/spool/spool_writer.h"

namespace yp {
namespace {

namespace fs = std::filesystem;

// So many bytes of the file, and all behind the header of the other one.
Status Copy(const std::string& from, uint64_t bytes, const std::string& end,
            const std::string& to) {
  std::error_code error;
  if (!fs::copy_file(from, to, error)) {
    return Status::Error(
        fmt::format("cannot copy the spool {}: {}; try again", from, error.message()));
  }
  if (fs::file_size(to, error) < bytes) {
    return Status::Error(fmt::format("the spool {} is not as long as the agent says", from));
  }
  fs::resize_file(to, bytes, error);
  std::ifstream tail(end, std::ios::binary);
  tail.seekg(spool::kFileHeaderBytes);
  std::ofstream out(to, std::ios::binary | std::ios::app);
  out << tail.rdbuf();
  out.flush();
  return out ? Status::Ok() : Status::Error(fmt::format("cannot write {}: is the disk full?", to));
}

Status WriteRest(const std::vector<spool::Record>& records, const std::string& path) {
  Result<std::unique_ptr<spool::SpoolWriter>> writer =
      spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
  if (!writer) return writer.status();
  for (const spool::Record& record : records) {
    const Status written =
        std::visit([&](const auto& each) { return (*writer)->Append(each); }, record);
    if (!written) return written;
  }
  return (*writer)->Flush();
}

}  // namespace

Result<MergedProfile> MergeDumped(const AgentReply& reply, uint32_t last) {
  const Result<std::unique_ptr<SharedDirectory>> directory =
      SharedDirectory::Create("yp-dump", geteuid(), getegid());
  if (!directory) return directory.status();
  const std::string copy = (*directory)->path() + "/spool", end = (*directory)->path() + "/end";
  const std::string spool = reply.Text(reply_key::kSpool);
  const auto bytes = static_cast<uint64_t>(reply.Number(reply_key::kSpoolBytes).value_or(0));
  Result<MergedProfile> merged = [&]() -> Result<MergedProfile> {
    if (Status s = WriteRest(reply.rest, end); !s) return s;
    if (Status s = Copy(spool, bytes, end, copy); !s) return s;
    std::vector<std::string> paths = reply.part_files;
    std::erase(paths, spool);
    paths.push_back(copy);
    if (last > 0 && paths.size() > last) {
      paths.erase(paths.begin(), paths.end() - static_cast<std::ptrdiff_t>(last));
    }
    return MergeSpools(paths);
  }();
  std::error_code ignored;
  fs::remove(copy, ignored);
  fs::remove(end, ignored);
  return merged;
}

}  // namespace yp
