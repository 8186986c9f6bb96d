#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
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
#include "format/profile/sql_table.h"
#include "format/profile/sqlite_file.h"
#include "format/profile/tables.h"
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
    if (Status s = ReadTests(); !s) return s;
    if (Status s = ReadUnexecutedCalls(); !s) return s;
    if (Status s = ReadContexts(); !s) return s;
    if (Status s = ReadJit(methods_, version_, &file_, &profile_.jit); !s) return s;
    return ReadStackTimes();
  }

 private:
  // Calls take(Row&&) for each row of a table.
  template <typename Row, typename Take>
  Status ForEach(Take take) {
    return ReadRows<Row>(version_, &file_, [&take](Row row) {
      take(std::move(row));
      return Status::Ok();
    });
  }

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
    if (Status s = ForEach<table::Meta>(
            [&](table::Meta row) { meta[std::move(row.key)] = std::move(row.value); });
        !s) {
      return s;
    }
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
    if (const auto known = meta.find("stack_part_ns"); known != meta.end()) {
      profile_.stack_times.part_ns =
          std::clamp<int64_t>(std::strtoll(known->second.c_str(), nullptr, 10), 0, table::kLatest);
    }
    if (const auto known = meta.find("total_deviation"); known != meta.end()) {
      profile_.total_deviation = std::strtod(known->second.c_str(), nullptr);
    }
    if (Status s = ForEach<table::Config>(
            [&](table::Config row) { profile_.config[std::move(row.key)] = std::move(row.value); });
        !s) {
      return s;
    }
    if (Status s = ForEach<table::Drop>(
            [&](table::Drop row) { profile_.drops[std::move(row.reason)] = row.total; });
        !s) {
      return s;
    }
    return ForEach<table::Thread>([&](table::Thread row) {
      if (row.stack_group) profile_.stack_times.threads.group[row.id] = *row.stack_group;
      profile_.threads.push_back({row.id, std::move(row.name)});
    });
  }

  Status ReadMethods() {
    std::unordered_map<int64_t, std::vector<Method::Line>> lines;
    if (Status s = ForEach<table::Line>([&](const table::Line& row) {
          lines[row.method].push_back({row.bci, row.line});
        });
        !s) {
      return s;
    }
    return ForEach<table::MethodRow>([&](table::MethodRow row) {
      Method method;
      method.class_name = std::move(row.class_name);
      method.name = std::move(row.name);
      method.descriptor = std::move(row.descriptor);
      method.source_file = std::move(row.source_file);
      method.flags = row.flags;
      method.lines = std::move(lines[row.id]);
      methods_[row.id] = profile_.methods.Intern(method);
    });
  }

  Status ReadEdges() {
    std::unordered_set<Edge, EdgeHash> seen;
    bool all_have_replicates = true;
    const Status read = ReadRows<table::EdgeRow>(version_, &file_, [&](const table::EdgeRow& row) {
      const auto error = [&row](std::string_view what) {
        return Status::Error("edge " + std::to_string(row.id) + " " + std::string(what));
      };
      const auto caller = row.caller ? methods_.find(*row.caller) : methods_.end();
      const auto callee = methods_.find(row.callee);
      if ((row.caller && caller == methods_.end()) || callee == methods_.end()) {
        return error("names a method that is not there");
      }
      EdgeStats stats;
      stats.edge = {row.caller ? caller->second : kNoMethod, row.bci, callee->second};
      stats.samples = row.samples;
      stats.calls = row.calls;
      stats.uncorrected = row.uncorrected;
      stats.low = row.low;
      stats.high = row.high;
      stats.variance = row.variance;
      stats.flags = row.flags;
      stats.share_low = row.share_low;
      stats.share_high = row.share_high;
      stats.counted = row.counted;
      if (!seen.insert(stats.edge).second) return error("is there twice");
      edges_[row.id] = EdgeId{static_cast<uint32_t>(profile_.edges.size())};
      profile_.edges.push_back(stats);
      if (row.replicates.empty()) {
        all_have_replicates = false;
        return Status::Ok();
      }
      const auto parsed = ParseReplicates(row.replicates, stats.calls);
      if (!parsed) return error("has replicates that are no numbers");
      profile_.replicates.push_back(*parsed);
      return Status::Ok();
    });
    if (!read) return read;
    // Before, the intervals were those of shares, times all calls.
    if (version_ < kVersionWithShares) SetSharesByNumbers(&profile_);
    // As a merge by SQL may leave them.
    if (!all_have_replicates) profile_.replicates.clear();
    return Status::Ok();
  }

  Status ReadTicks() {
    return ForEach<table::TickRow>(
        [&](table::TickRow row) { profile_.ticks.push_back(std::move(row)); });
  }

  Status ReadWindows() {
    std::unordered_map<int64_t, size_t> index;
    if (Status s = ForEach<table::WindowRow>([&](table::WindowRow row) {
          index[row.id] = profile_.windows.size();
          profile_.windows.push_back(std::move(row));
        });
        !s) {
      return s;
    }
    return ReadRows<table::WindowSample>(version_, &file_, [&](const table::WindowSample& row) {
      const auto window = index.find(row.window);
      const auto edge = edges_.find(row.edge);
      if (window == index.end() || edge == edges_.end()) {
        return Status::Error("a sample names a window or an edge that is not there");
      }
      profile_.windows[window->second].samples.emplace_back(edge->second, row.samples);
      return Status::Ok();
    });
  }

  Status ReadTests() {
    std::unordered_map<int64_t, size_t> index;
    if (Status s = ForEach<table::Test>([&](table::Test row) {
          index[row.id] = profile_.tests.size();
          profile_.tests.push_back({std::move(row.name), row.begin_ns, row.end_ns, {}});
        });
        !s) {
      return s;
    }
    Status read = ReadRows<table::TestEdge>(version_, &file_, [&](const table::TestEdge& row) {
      const auto test = index.find(row.test);
      const auto edge = edges_.find(row.edge);
      if (test == index.end() || edge == edges_.end()) {
        return Status::Error("a test, or an edge that it reached, is not there");
      }
      profile_.tests[test->second].reached.push_back({edge->second, row.alone});
      return Status::Ok();
    });
    // The profile's numbers of edges may be in another order than the file's.
    for (TestRun& test : profile_.tests) {
      std::ranges::sort(test.reached, {}, &TestRun::Reached::edge);
    }
    return read;
  }

  Status ReadUnexecutedCalls() {
    using Row = table::UnexecutedCallRow;
    const Status read = ReadRows<Row>(version_, &file_, [&](const Row& row) {
      const auto caller = methods_.find(row.caller);
      if (caller == methods_.end()) {
        return Status::Error("an unexecuted call is of a method that is not there");
      }
      profile_.unexecuted_calls.push_back({caller->second, row.bci, row.callee});
      return Status::Ok();
    });
    // The profile's numbers of methods may be in another order than the file's.
    std::ranges::sort(profile_.unexecuted_calls);
    return read;
  }

  // Where the samples are not those of the contexts, as a merge by SQL may leave them, nothing is
  // known of their times.
  Status ReadStackTimes() {
    StackTimes& times = profile_.stack_times;
    if (Status s = ForEach<table::StackGroup>(
            [&](table::StackGroup row) { times.threads.names.push_back(std::move(row.name)); });
        !s) {
      return s;
    }
    const bool have_code = profile_.jit.contexts.total() > 0;
    const CallingContextTree& tree = have_code ? profile_.jit.contexts : profile_.contexts;
    std::vector<double> sums(tree.size());
    bool fits = times.part_ns > 0;
    if (Status s = ForEach<table::StackSamples>([&](const table::StackSamples& row) {
          const auto context = static_cast<uint64_t>(row.context);
          const auto group = static_cast<uint64_t>(row.stack_group);
          fits = fits && context < sums.size() && group < times.threads.names.size();
          if (!fits) return;
          sums[context] += static_cast<double>(row.samples);
          times.samples.push_back({static_cast<uint32_t>(row.part), static_cast<uint32_t>(group),
                                   ContextId{static_cast<uint32_t>(context)}, row.samples});
        });
        !s) {
      return s;
    }
    for (size_t i = 0; fits && i < sums.size(); ++i) fits = sums[i] == tree.nodes()[i].weight;
    for (const auto& [thread, group] : times.threads.group) {
      fits = fits && group < times.threads.names.size();
    }
    if (!fits) times = {};
    return Status::Ok();
  }

  // A merge by SQL may leave children with smaller ids than their parents: those are told after
  // them.
  Status ReadContexts() {
    std::map<int64_t, table::Context> rows;
    if (Status s =
            ForEach<table::Context>([&](const table::Context& row) { rows.emplace(row.id, row); });
        !s) {
      return s;
    }
    for (const auto& [id, row] : rows) {
      if (!methods_.contains(row.method)) {
        return Status::Error("context " + std::to_string(id) + " names a method that is not there");
      }
    }
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
        const table::Context& context = rows.at(chain.back());
        parent = profile_.contexts.Child(parent, context.bci, methods_.at(context.method));
        profile_.contexts.Add(parent, context.samples);
        contexts.emplace(chain.back(), parent);
      }
    }
    return Status::Ok();
  }

  static constexpr int64_t kVersionWithShares = 6;

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
