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
#include "format/profile/sql_table.h"
#include "format/profile/sqlite_file.h"
#include "format/profile/tables.h"
#include "format/spool/errno_text.h"

namespace yp {
namespace {

Status WriteMeta(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::Meta> meta(file);
  meta.Write({"schema_version", std::to_string(kSchemaVersion)});
  meta.Write({"complete", profile.complete ? "1" : "0"});
  meta.Write({"damage", profile.damage});
  meta.Write({"duration_ns", std::to_string(profile.duration_ns)});
  meta.Write({"agent_cpu_ns", std::to_string(profile.agent_cpu_ns)});
  if (profile.stack_times.part_ns > 0) {
    meta.Write({"stack_part_ns", std::to_string(profile.stack_times.part_ns)});
  }
  if (profile.total_deviation) {
    meta.Write({"total_deviation", std::to_string(*profile.total_deviation)});
  }
  SqlWriter<table::Config> config(file);
  for (const auto& [key, value] : profile.config) config.Write({key, value});
  SqlWriter<table::Drop> drops(file);
  for (const auto& [reason, total] : profile.drops) drops.Write({reason, total});
  SqlWriter<table::Thread> threads(file);
  for (const auto& thread : profile.threads) {
    const auto& groups = profile.stack_times.threads.group;
    const auto group = groups.find(thread.id);
    threads.Write({thread.id, thread.name,
                   group == groups.end() ? std::nullopt : std::optional(group->second)});
  }
  for (Status status : {meta.status(), config.status(), drops.status(), threads.status()}) {
    if (!status) return status;
  }
  return Status::Ok();
}

Status WriteMethods(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::MethodRow> methods(file);
  SqlWriter<table::Line> lines(file);
  int64_t id = 0;
  for (const Method& method : profile.methods.methods()) {
    methods.Write({{id},
                   method.FullName(),
                   method.class_name,
                   method.name,
                   method.descriptor,
                   method.source_file,
                   method.flags});
    for (const Method::Line& line : method.lines) lines.Write({id, line.bci, line.line});
    ++id;
  }
  if (Status s = methods.status(); !s) return s;
  return lines.status();
}

Status WriteEdges(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::EdgeRow> edges(file);
  for (size_t i = 0; i < profile.edges.size(); ++i) {
    const EdgeStats& stats = profile.edges[i];
    table::EdgeRow row;
    row.id = static_cast<int64_t>(i);
    if (stats.edge.caller != kNoMethod) row.caller = ToIndex(stats.edge.caller);
    row.bci = stats.edge.bci;
    row.line = profile.LineOf(stats.edge);
    row.callee = ToIndex(stats.edge.callee);
    row.samples = stats.samples;
    row.calls = stats.calls;
    row.uncorrected = stats.uncorrected;
    row.low = stats.low;
    row.high = stats.high;
    row.share_low = stats.share_low;
    row.share_high = stats.share_high;
    row.variance = stats.variance;
    row.flags = stats.flags;
    row.counted = stats.counted;
    if (!profile.replicates.empty()) {
      row.replicates = FormatReplicates(profile.replicates[i], stats.calls);
    }
    edges.Write(row);
  }
  return edges.status();
}

Status WriteTicks(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::TickRow> ticks(file);
  int64_t id = 0;
  for (const spool::Tick& tick : profile.ticks) ticks.Write({{id++}, tick});
  return ticks.status();
}

Status WriteWindows(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::WindowRow> windows(file);
  SqlWriter<table::WindowSample> samples(file);
  int64_t id = 0;
  for (const spool::Window& window : profile.windows) {
    windows.Write({{id}, window});
    for (const auto& [edge, count] : window.samples) samples.Write({id, ToIndex(edge), count});
    ++id;
  }
  if (Status s = windows.status(); !s) return s;
  return samples.status();
}

// Parents before children: a new context's id is larger than its parent's.
Status WriteContexts(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::Context> contexts(file);
  for (size_t i = 1; i < profile.contexts.size(); ++i) {
    const CallingContextTree::Node& node = profile.contexts.nodes()[i];
    table::Context row{{static_cast<int64_t>(i)}, {}, node.bci, ToIndex(node.method), node.weight};
    if (node.parent != kRootContext) row.parent = ToIndex(node.parent);
    contexts.Write(row);
  }
  return contexts.status();
}

Status WriteStackTimes(const StackTimes& times, SqliteFile* file) {
  SqlWriter<table::StackGroup> groups(file);
  SqlWriter<table::StackSamples> samples(file);
  int64_t id = 0;
  for (const std::string& name : times.threads.names) groups.Write({{id++}, name});
  for (const StackTimes::Samples& row : times.samples) {
    samples.Write({row.part, row.group, ToIndex(row.context), row.samples});
  }
  if (Status s = groups.status(); !s) return s;
  return samples.status();
}

Status WriteTests(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::Test> tests(file);
  SqlWriter<table::TestEdge> edges(file);
  int64_t id = 0;
  for (const TestRun& test : profile.tests) {
    tests.Write({{id}, test.name, test.begin_ns, test.end_ns});
    for (const auto& [edge, alone] : test.reached) edges.Write({id, ToIndex(edge), alone});
    ++id;
  }
  if (Status s = tests.status(); !s) return s;
  return edges.status();
}

Status WriteUnexecutedCalls(const Profile& profile, SqliteFile* file) {
  SqlWriter<table::UnexecutedCallRow> calls(file);
  for (const UnexecutedCall& call : profile.unexecuted_calls) {
    const Edge site{call.caller, call.bci, kNoMethod};
    calls.Write({ToIndex(call.caller), call.bci, profile.LineOf(site), call.callee});
  }
  return calls.status();
}

Status WriteDatabase(const Profile& profile, const std::string& path) {
  Result<SqliteFile> file = SqliteFile::OpenForWriting(path);
  if (!file) return file.status();
  const std::string header = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                             "; PRAGMA user_version = " + std::to_string(kSchemaVersion) +
                             "; BEGIN";
  if (Status s = file->Execute(header.c_str()); !s) return s;
  if (Status s = file->Execute(CreateSchema().c_str()); !s) return s;
  if (Status s = WriteMeta(profile, &*file); !s) return s;
  if (Status s = WriteMethods(profile, &*file); !s) return s;
  if (Status s = WriteEdges(profile, &*file); !s) return s;
  if (Status s = WriteTicks(profile, &*file); !s) return s;
  if (Status s = WriteWindows(profile, &*file); !s) return s;
  if (Status s = WriteContexts(profile, &*file); !s) return s;
  if (Status s = WriteTests(profile, &*file); !s) return s;
  if (Status s = WriteUnexecutedCalls(profile, &*file); !s) return s;
  if (Status s = WriteStackTimes(profile.stack_times, &*file); !s) return s;
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
