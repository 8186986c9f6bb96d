#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "format/profile/flight_recording.h"
#include "format/profile/jit_tables.h"
#include "format/profile/known_edges.h"
#include "format/profile/profile.h"
#include "format/profile/replicates.h"
#include "format/profile/schema.h"
#include "format/profile/sqlite_file.h"
#include "format/spool/errno_text.h"

namespace yp {
namespace {

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);

// Reads the tables into a profile. Ids of the file are any distinct numbers, as a merge by SQL may
// leave them; the profile's are dense. Every Read function returns the first error, in a few words.
class Loader {
 public:
  Loader(SqliteFile* file, Profile* profile) : file_(*file), profile_(*profile) {}

  Status Load() {
    if (Status s = CheckHeader(); !s) return s;
    if (Status s = ReadMeta(); !s) return s;
    if (Status s = ReadMethods(); !s) return s;
    if (Status s = ReadEdges(); !s) return s;
    if (Status s = ReadTicks(); !s) return s;
    if (Status s = ReadWindows(); !s) return s;
    if (version_ < kVersionWithContexts) return Status::Ok();
    if (Status s = ReadContexts(); !s) return s;
    if (version_ < kVersionWithJit) return Status::Ok();
    return ReadJit(methods_, version_, &file_, &profile_.jit);
  }

 private:
  Status CheckHeader() {
    const Result<int64_t> application = file_.IntegerOf("PRAGMA application_id");
    if (!application) return application.status();
    if (*application != kApplicationId) {
      return Status::Error("it is a SQLite file, but not a Yieldpoint profile");
    }
    const Result<int64_t> version = file_.IntegerOf("PRAGMA user_version");
    if (!version) return version.status();
    version_ = *version;
    if (version_ < kOldestSchemaVersion || version_ > kSchemaVersion) {
      return Status::Error("its format is version " + std::to_string(version_) +
                           ", this program reads versions " + std::to_string(kOldestSchemaVersion) +
                           " to " + std::to_string(kSchemaVersion));
    }
    const Result<std::string> check = file_.TextOf("PRAGMA quick_check(1)");
    if (!check) return check.status();
    if (*check != "ok") return Status::Error("it is damaged");
    return Status::Ok();
  }

  Status ReadMeta() {
    std::unordered_map<std::string, std::string> meta;
    SqliteStatement row = file_.Prepare("SELECT key, value FROM meta");
    while (row.Step()) {
      std::string key = row.Text();
      meta[std::move(key)] = row.Text();
    }
    if (!row.ok()) return Status::Error(row.error());
    profile_.complete = meta["complete"] == "1";
    profile_.damage = meta["damage"];
    for (const auto& [key, field] : {std::pair("duration_ns", &profile_.duration_ns),
                                     std::pair("agent_cpu_ns", &profile_.agent_cpu_ns)}) {
      const std::string& text = meta[key];
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *field);
      if (parsed.ec != std::errc() || *field < 0) {
        return Status::Error(std::string("its ") + key + " is missing or no number");
      }
    }
    if (const auto known = meta.find("total_deviation"); known != meta.end()) {
      profile_.total_deviation = std::strtod(known->second.c_str(), nullptr);
    }
    row = file_.Prepare("SELECT key, value FROM config");
    while (row.Step()) {
      std::string key = row.Text();
      profile_.config[std::move(key)] = row.Text();
    }
    if (!row.ok()) return Status::Error(row.error());
    row = file_.Prepare("SELECT reason, total FROM drops");
    while (row.Step()) {
      std::string reason = row.Text();
      profile_.drops[std::move(reason)] = static_cast<uint64_t>(row.Integer(0));
    }
    if (!row.ok()) return Status::Error(row.error());
    row = file_.Prepare("SELECT id, name FROM threads ORDER BY id");
    while (row.Step()) {
      const ThreadId id{static_cast<uint32_t>(row.Integer(0, UINT32_MAX))};
      profile_.threads.push_back({id, row.Text()});
    }
    return row.ok() ? Status::Ok() : Status::Error(row.error());
  }

  Status ReadMethods() {
    std::unordered_map<int64_t, std::vector<Method::Line>> lines;
    SqliteStatement row = file_.Prepare("SELECT method, bci, line FROM lines ORDER BY method, bci");
    while (row.Step()) {
      const int64_t method = row.Integer();
      const auto bci = static_cast<uint16_t>(row.Integer(0, UINT16_MAX));
      const auto line = static_cast<uint16_t>(row.Integer(0, UINT16_MAX));
      lines[method].push_back({bci, line});
    }
    if (!row.ok()) return Status::Error(row.error());
    row = file_.Prepare(
        "SELECT id, class_name, name, descriptor, source_file, flags FROM methods ORDER BY id");
    while (row.Step()) {
      const int64_t id = row.Integer();
      Method method;
      method.class_name = row.Text();
      method.name = row.Text();
      method.descriptor = row.Text();
      method.source_file = row.Text();
      method.flags = static_cast<uint32_t>(row.Integer(0, UINT32_MAX));
      method.lines = std::move(lines[id]);
      if (row.ok()) methods_[id] = profile_.methods.Intern(method);
    }
    return row.ok() ? Status::Ok() : Status::Error(row.error());
  }

  Status ReadEdges() {
    std::unordered_set<Edge, EdgeHash> seen;
    SqliteStatement row = file_.Prepare(
        std::string(
            "SELECT id, caller, bci, callee, samples, calls, uncorrected, low, high, variance, "
            "flags, ") +
        (version_ >= kVersionWithShares ? "share_low, share_high, replicates" : "0, 0, ''") +
        " FROM edges ORDER BY id");
    bool all_have_replicates = true;
    while (row.Step()) {
      const int64_t id = row.Integer();
      EdgeStats stats;
      const std::optional<int64_t> caller = row.IntegerOrNull(INT64_MIN, INT64_MAX);
      stats.edge.bci = static_cast<int32_t>(row.Integer(kNoBci, UINT16_MAX));
      const int64_t callee = row.Integer();
      stats.samples = static_cast<uint64_t>(row.Integer(0));
      stats.calls = row.NonNegative();
      stats.uncorrected = row.NonNegative();
      stats.low = row.NonNegative();
      stats.high = row.NonNegative();
      stats.variance = row.NonNegative();
      stats.flags = static_cast<uint32_t>(row.Integer(0, UINT32_MAX));
      stats.share_low = row.NonNegative();
      stats.share_high = row.NonNegative();
      const std::string replicates = row.Text();
      if (!row.ok()) break;
      const auto caller_method = caller ? methods_.find(*caller) : methods_.end();
      const auto callee_method = methods_.find(callee);
      if ((caller && caller_method == methods_.end()) || callee_method == methods_.end()) {
        return Status::Error("edge " + std::to_string(id) + " names a method that is not there");
      }
      stats.edge.caller = caller ? caller_method->second : kNoMethod;
      stats.edge.callee = callee_method->second;
      if (!seen.insert(stats.edge).second) {
        return Status::Error("edge " + std::to_string(id) + " is there twice");
      }
      edges_[id] = EdgeId{static_cast<uint32_t>(profile_.edges.size())};
      profile_.edges.push_back(stats);
      if (replicates.empty()) {
        all_have_replicates = false;
        continue;
      }
      const auto parsed = ParseReplicates(replicates, stats.calls);
      if (!parsed) {
        return Status::Error("edge " + std::to_string(id) + " has replicates that are no numbers");
      }
      profile_.replicates.push_back(*parsed);
    }
    if (!row.ok()) return Status::Error(row.error());
    // Before, the intervals were those of shares, times all calls.
    if (version_ < kVersionWithShares) SetSharesByNumbers(&profile_);
    // As a merge by SQL may leave them.
    if (!all_have_replicates) profile_.replicates.clear();
    return Status::Ok();
  }

  Status ReadTicks() {
    if (version_ < kVersionWithShares) return Status::Ok();
    SqliteStatement row = file_.Prepare(
        "SELECT tick, begin_ns, open_ns, period_ns, open_cpu_ns, program_cpu_ns FROM ticks "
        "ORDER BY id");
    while (row.Step()) {
      spool::Tick tick;
      tick.tick = static_cast<uint64_t>(row.Integer(0));
      tick.begin_ns = row.Integer();
      tick.open_ns = row.Integer();
      tick.period_ns = row.Integer();
      tick.open_cpu_ns = row.Integer();
      tick.program_cpu_ns = row.Integer();
      if (row.ok()) profile_.ticks.push_back(tick);
    }
    return row.ok() ? Status::Ok() : Status::Error(row.error());
  }

  Status ReadWindows() {
    std::unordered_map<int64_t, size_t> index;
    SqliteStatement row = file_.Prepare(
        std::string(
            "SELECT id, tick, thread, start_ns, latency_ns, duration_ns, interval_ns, calls, ") +
        (version_ >= kVersionWithNearCalls ? "near_calls, " : "0, ") +
        (version_ >= kVersionWithSteps ? "steps" : "1") + " FROM windows ORDER BY id");
    while (row.Step()) {
      index[row.Integer()] = profile_.windows.size();
      spool::Window window;
      window.tick = static_cast<uint64_t>(row.Integer(0));
      window.thread = ThreadId{static_cast<uint32_t>(row.Integer(0, UINT32_MAX))};
      window.start_ns = row.Integer();
      window.latency_ns = row.Integer();
      window.duration_ns = row.Integer();
      window.interval_ns = row.Integer();
      window.calls = static_cast<uint64_t>(row.Integer(0));
      window.near_calls = static_cast<uint64_t>(row.Integer(0));
      window.steps = static_cast<uint32_t>(row.Integer(1, UINT32_MAX));
      profile_.windows.push_back(std::move(window));
    }
    if (!row.ok()) return Status::Error(row.error());
    row = file_.Prepare("SELECT window, edge, samples FROM window_samples ORDER BY window, edge");
    while (row.Step()) {
      const auto window = index.find(row.Integer());
      const auto edge = edges_.find(row.Integer());
      const auto samples = static_cast<uint32_t>(row.Integer(0, UINT32_MAX));
      if (!row.ok()) break;
      if (window == index.end() || edge == edges_.end()) {
        return Status::Error("a sample names a window or an edge that is not there");
      }
      profile_.windows[window->second].samples.emplace_back(edge->second, samples);
    }
    return row.ok() ? Status::Ok() : Status::Error(row.error());
  }

  // A merge by SQL may leave children with smaller ids than their parents: those are told after
  // them.
  Status ReadContexts() {
    struct Row {
      std::optional<int64_t> parent;
      int32_t bci;
      MethodId method;
      double samples;
    };
    std::map<int64_t, Row> rows;
    SqliteStatement row = file_.Prepare("SELECT id, parent, bci, method, samples FROM contexts");
    while (row.Step()) {
      const int64_t id = row.Integer();
      Row context{};
      context.parent = row.IntegerOrNull(INT64_MIN, INT64_MAX);
      context.bci = static_cast<int32_t>(row.Integer(kNoBci, UINT16_MAX));
      const auto method = methods_.find(row.Integer());
      context.samples = row.NonNegative();
      if (!row.ok()) break;
      if (method == methods_.end()) {
        return Status::Error("context " + std::to_string(id) + " names a method that is not there");
      }
      context.method = method->second;
      rows.emplace(id, context);
    }
    if (!row.ok()) return Status::Error(row.error());
    std::unordered_map<int64_t, ContextId> contexts;
    std::vector<int64_t> chain;
    for (const auto& [id, ignored] : rows) {
      // What is above it and not yet there, innermost first.
      ContextId parent = kRootContext;
      chain.clear();
      for (std::optional<int64_t> at = id; at; at = rows.at(*at).parent) {
        if (const auto known = contexts.find(*at); known != contexts.end()) {
          parent = known->second;
          break;
        }
        if (!rows.contains(*at) || chain.size() > rows.size()) {
          return Status::Error("context " + std::to_string(id) + " has no way to the root");
        }
        chain.push_back(*at);
      }
      for (; !chain.empty(); chain.pop_back()) {
        const Row& context = rows.at(chain.back());
        parent = profile_.contexts.Child(parent, context.bci, context.method);
        profile_.contexts.Add(parent, context.samples);
        contexts.emplace(chain.back(), parent);
      }
    }
    return Status::Ok();
  }

  static constexpr int64_t kVersionWithContexts = 2;
  static constexpr int64_t kVersionWithNearCalls = 3;
  static constexpr int64_t kVersionWithJit = 4;
  static constexpr int64_t kVersionWithShares = 6;
  static constexpr int64_t kVersionWithSteps = 8;

  SqliteFile& file_;
  Profile& profile_;
  int64_t version_ = 0;
  std::unordered_map<int64_t, MethodId> methods_;
  std::unordered_map<int64_t, EdgeId> edges_;
};

Result<Profile> LoadDatabase(const std::string& path) {
  Profile profile;
  const auto error = [&path](std::string_view reason) {
    return Status::Error("cannot read the profile " + path + ": " + std::string(reason) +
                         "; record it again, or use the version of Yieldpoint that wrote it");
  };
  Result<SqliteFile> file = SqliteFile::OpenForReading(path);
  if (!file) return error(file.message());
  if (const Status status = Loader(&*file, &profile).Load(); !status) {
    return error(status.message());
  }
  // Of versions of Yieldpoint that knew no better.
  KeepKnownEdges(&profile);
  return profile;
}

// The first bytes of a file.
Result<std::string> HeadOf(const std::string& path) {
  const auto error = [&path](int code) {
    return Status::Error("cannot read " + path + ": " + spool::ErrnoText(code) +
                         "; give a profile that `yp run -o` wrote");
  };
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error(errno);
  std::array<char, kSqliteMagic.size()> head{};
  const ssize_t size = read(fd, head.data(), head.size());
  const int code = errno;
  close(fd);
  if (size < 0) return error(code);
  return std::string(head.data(), static_cast<size_t>(size));
}

}  // namespace

Result<Profile> LoadProfile(const std::string& path) {
  const Result<std::string> head = HeadOf(path);
  if (!head) return head.status();
  if (*head == kSqliteMagic) return LoadDatabase(path);
  if (spool::LooksLikeSpool({reinterpret_cast<const uint8_t*>(head->data()), head->size()})) {
    Result<std::unique_ptr<spool::SpoolReader>> reader = spool::SpoolReader::Open(path);
    if (!reader) return reader.status();
    Result<Profile> profile = FoldSpool(**reader);
    if (!profile) return Status::Error(path + ": " + std::string(profile.message()));
    AddFlightRecording(path, &*profile);
    return profile;
  }
  return Status::Error(path + (head->empty() ? " is empty" : " is no Yieldpoint profile") +
                       "; give a profile that `yp run -o` wrote");
}

}  // namespace yp
