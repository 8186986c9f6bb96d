#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "format/profile/jit_tables.h"
#include "format/profile/profile.h"
#include "format/profile/replicates.h"
#include "format/profile/schema.h"
#include "format/profile/sqlite_file.h"
#include "format/spool/errno_text.h"

namespace yp {
namespace {

Status WriteMeta(const Profile& profile, SqliteFile* file) {
  SqliteStatement meta = file->Prepare("INSERT INTO meta VALUES(?, ?)");
  const auto put = [&meta](std::string_view key, std::string_view value) {
    meta.Bind(key).Bind(value).Run();
  };
  put("schema_version", std::to_string(kSchemaVersion));
  put("complete", profile.complete ? "1" : "0");
  put("damage", profile.damage);
  put("duration_ns", std::to_string(profile.duration_ns));
  put("agent_cpu_ns", std::to_string(profile.agent_cpu_ns));
  if (profile.total_deviation) {
    put("total_deviation", std::to_string(*profile.total_deviation));
  }
  SqliteStatement config = file->Prepare("INSERT INTO config VALUES(?, ?)");
  for (const auto& [key, value] : profile.config) config.Bind(key).Bind(value).Run();
  SqliteStatement drops = file->Prepare("INSERT INTO drops VALUES(?, ?)");
  for (const auto& [reason, total] : profile.drops) drops.Bind(reason).BindUnsigned(total).Run();
  SqliteStatement threads = file->Prepare("INSERT INTO threads VALUES(?, ?)");
  for (const auto& thread : profile.threads) {
    threads.Bind(int64_t{ToIndex(thread.id)}).Bind(thread.name).Run();
  }
  for (const SqliteStatement* statement : {&meta, &config, &drops, &threads}) {
    if (!statement->ok()) return Status::Error(statement->error());
  }
  return Status::Ok();
}

Status WriteMethods(const Profile& profile, SqliteFile* file) {
  SqliteStatement methods = file->Prepare("INSERT INTO methods VALUES(?, ?, ?, ?, ?, ?, ?)");
  // Of two lines for one bci the later one counts, as in Method::LineOf.
  SqliteStatement lines = file->Prepare("INSERT OR REPLACE INTO lines VALUES(?, ?, ?)");
  int64_t id = 0;
  for (const Method& method : profile.methods.methods()) {
    methods.Bind(id)
        .Bind(method.FullName())
        .Bind(method.class_name)
        .Bind(method.name)
        .Bind(method.descriptor)
        .Bind(method.source_file)
        .Bind(int64_t{method.flags})
        .Run();
    for (const Method::Line& line : method.lines) {
      lines.Bind(id).Bind(int64_t{line.bci}).Bind(int64_t{line.line}).Run();
    }
    ++id;
  }
  if (!methods.ok()) return Status::Error(methods.error());
  if (!lines.ok()) return Status::Error(lines.error());
  return Status::Ok();
}

Status WriteEdges(const Profile& profile, SqliteFile* file) {
  SqliteStatement edges =
      file->Prepare("INSERT INTO edges VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int64_t id = 0;
  for (const EdgeStats& stats : profile.edges) {
    edges.Bind(id++);
    if (stats.edge.caller == kNoMethod) {
      edges.BindNull();
    } else {
      edges.Bind(int64_t{ToIndex(stats.edge.caller)});
    }
    edges.Bind(int64_t{stats.edge.bci})
        .Bind(int64_t{profile.LineOf(stats.edge)})
        .Bind(int64_t{ToIndex(stats.edge.callee)})
        .BindUnsigned(stats.samples)
        .Bind(stats.calls)
        .Bind(stats.uncorrected)
        .Bind(stats.low)
        .Bind(stats.high)
        .Bind(stats.share_low)
        .Bind(stats.share_high)
        .Bind(stats.variance)
        .Bind(int64_t{stats.flags})
        .Bind(profile.replicates.empty()
                  ? std::string()
                  : FormatReplicates(profile.replicates[static_cast<size_t>(id - 1)], stats.calls))
        .Run();
  }
  return edges.ok() ? Status::Ok() : Status::Error(edges.error());
}

Status WriteTicks(const Profile& profile, SqliteFile* file) {
  SqliteStatement ticks = file->Prepare("INSERT INTO ticks VALUES(?, ?, ?, ?, ?, ?, ?)");
  int64_t id = 0;
  for (const spool::Tick& tick : profile.ticks) {
    ticks.Bind(id++)
        .BindUnsigned(tick.tick)
        .Bind(tick.begin_ns)
        .Bind(tick.open_ns)
        .Bind(tick.period_ns)
        .Bind(tick.open_cpu_ns)
        .Bind(tick.program_cpu_ns)
        .Run();
  }
  return ticks.ok() ? Status::Ok() : Status::Error(ticks.error());
}

Status WriteWindows(const Profile& profile, SqliteFile* file) {
  SqliteStatement windows =
      file->Prepare("INSERT INTO windows VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  SqliteStatement samples = file->Prepare("INSERT INTO window_samples VALUES(?, ?, ?)");
  int64_t id = 0;
  for (const spool::Window& window : profile.windows) {
    windows.Bind(id)
        .BindUnsigned(window.tick)
        .Bind(int64_t{ToIndex(window.thread)})
        .Bind(window.start_ns)
        .Bind(window.latency_ns)
        .Bind(window.duration_ns)
        .Bind(window.interval_ns)
        .BindUnsigned(window.calls)
        .BindUnsigned(window.near_calls)
        .BindUnsigned(window.steps)
        .Run();
    for (const auto& [edge, count] : window.samples) {
      samples.Bind(id).Bind(int64_t{ToIndex(edge)}).Bind(int64_t{count}).Run();
    }
    ++id;
  }
  if (!windows.ok()) return Status::Error(windows.error());
  if (!samples.ok()) return Status::Error(samples.error());
  return Status::Ok();
}

// Parents before children: a new context's id is larger than its parent's.
Status WriteContexts(const Profile& profile, SqliteFile* file) {
  SqliteStatement contexts = file->Prepare("INSERT INTO contexts VALUES(?, ?, ?, ?, ?)");
  for (size_t i = 1; i < profile.contexts.size(); ++i) {
    const CallingContextTree::Node& node = profile.contexts.nodes()[i];
    contexts.Bind(static_cast<int64_t>(i));
    if (node.parent == kRootContext) {
      contexts.BindNull();
    } else {
      contexts.Bind(int64_t{ToIndex(node.parent)});
    }
    contexts.Bind(int64_t{node.bci}).Bind(int64_t{ToIndex(node.method)}).Bind(node.weight).Run();
  }
  return contexts.ok() ? Status::Ok() : Status::Error(contexts.error());
}

Status WriteDatabase(const Profile& profile, const std::string& path) {
  Result<SqliteFile> file = SqliteFile::OpenForWriting(path);
  if (!file) return file.status();
  const std::string header = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                             "; PRAGMA user_version = " + std::to_string(kSchemaVersion) +
                             "; BEGIN";
  if (Status s = file->Execute(header.c_str()); !s) return s;
  if (Status s = file->Execute(kCreateSchema); !s) return s;
  if (Status s = WriteMeta(profile, &*file); !s) return s;
  if (Status s = WriteMethods(profile, &*file); !s) return s;
  if (Status s = WriteEdges(profile, &*file); !s) return s;
  if (Status s = WriteTicks(profile, &*file); !s) return s;
  if (Status s = WriteWindows(profile, &*file); !s) return s;
  if (Status s = WriteContexts(profile, &*file); !s) return s;
  if (Status s = WriteJit(profile.jit, &*file); !s) return s;
  return file->Execute("COMMIT");
}

Status SyncToDisk(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::Error(spool::ErrnoText(errno));
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return error == 0 ? Status::Ok() : Status::Error(spool::ErrnoText(error));
}

}  // namespace

Status SaveProfile(const Profile& profile, const std::string& path) {
  const std::string partial = path + ".partial-" + std::to_string(getpid());
  const auto fail = [&](std::string_view reason) {
    unlink(partial.c_str());
    return Status::Error("cannot write the profile " + path + ": " + std::string(reason) +
                         "; free some space or choose another place with -o");
  };
  struct stat existing {};
  if (stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)) {
    return fail("it exists and is not a file");
  }
  unlink(partial.c_str());
  // SQLite's own error for a directory that cannot be written says less.
  const int fd = open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return fail(spool::ErrnoText(errno));
  close(fd);
  if (Status s = WriteDatabase(profile, partial); !s) return fail(s.message());
  if (Status s = SyncToDisk(partial); !s) return fail(s.message());
  if (std::rename(partial.c_str(), path.c_str()) != 0) return fail(spool::ErrnoText(errno));
  return Status::Ok();
}

}  // namespace yp
