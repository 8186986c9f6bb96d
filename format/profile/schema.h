#ifndef YP_FORMAT_PROFILE_SCHEMA_H_
#define YP_FORMAT_PROFILE_SCHEMA_H_

#include <cstdint>

// The profile's schema. docs/formats.md documents it and keeps its changelog; any change of a table
// or of a column's meaning is a new version, which reads every older one and keeps its fixture.
namespace yp {

inline constexpr int64_t kSchemaVersion = 8;
inline constexpr int64_t kOldestSchemaVersion = 1;
// "Yldp": tells a profile from other SQLite files (PRAGMA application_id).
inline constexpr int64_t kApplicationId = 0x596c6470;

inline constexpr char kCreateSchema[] = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE config(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE methods(
  id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL UNIQUE,
  class_name TEXT NOT NULL,
  name TEXT NOT NULL,
  descriptor TEXT NOT NULL,
  source_file TEXT NOT NULL,
  flags INTEGER NOT NULL);
CREATE TABLE lines(
  method INTEGER NOT NULL REFERENCES methods(id),
  bci INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY(method, bci)) WITHOUT ROWID;
CREATE TABLE edges(
  id INTEGER PRIMARY KEY,
  caller INTEGER REFERENCES methods(id),
  bci INTEGER NOT NULL,
  line INTEGER NOT NULL,
  callee INTEGER NOT NULL REFERENCES methods(id),
  samples INTEGER NOT NULL,
  calls REAL NOT NULL,
  uncorrected REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  share_low REAL NOT NULL,
  share_high REAL NOT NULL,
  variance REAL NOT NULL,
  flags INTEGER NOT NULL,
  replicates TEXT NOT NULL);
CREATE TABLE threads(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE ticks(
  id INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,
  open_ns INTEGER NOT NULL,
  period_ns INTEGER NOT NULL,
  open_cpu_ns INTEGER NOT NULL,
  program_cpu_ns INTEGER NOT NULL);
CREATE TABLE windows(
  id INTEGER PRIMARY KEY,
  tick INTEGER NOT NULL,
  thread INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL,
  interval_ns INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  near_calls INTEGER NOT NULL,
  steps INTEGER NOT NULL);
CREATE TABLE window_samples(
  window INTEGER NOT NULL REFERENCES windows(id),
  edge INTEGER NOT NULL REFERENCES edges(id),
  samples INTEGER NOT NULL,
  PRIMARY KEY(window, edge)) WITHOUT ROWID;
CREATE TABLE contexts(
  id INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES contexts(id),
  bci INTEGER NOT NULL,
  method INTEGER NOT NULL REFERENCES methods(id),
  samples REAL NOT NULL);
CREATE TABLE jit_methods(id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, loader TEXT NOT NULL);
CREATE TABLE compilations(
  id INTEGER PRIMARY KEY,
  compile_id INTEGER NOT NULL,
  method INTEGER NOT NULL REFERENCES jit_methods(id),
  osr INTEGER NOT NULL,
  osr_bci INTEGER,
  level INTEGER NOT NULL,
  compiler TEXT NOT NULL,
  thread TEXT NOT NULL,
  queued_ns INTEGER,
  start_ns INTEGER,
  end_ns INTEGER,
  succeeded INTEGER NOT NULL,
  failure TEXT NOT NULL,
  code_bytes INTEGER,
  bytecode_bytes INTEGER,
  inlined_bytes INTEGER,
  cpu_ns INTEGER);
CREATE TABLE inlining_reasons(id INTEGER PRIMARY KEY, reason TEXT NOT NULL);
CREATE TABLE inlinings(
  id INTEGER PRIMARY KEY,
  compile_id INTEGER NOT NULL,
  osr INTEGER NOT NULL,
  caller INTEGER NOT NULL REFERENCES jit_methods(id),
  bci INTEGER NOT NULL,
  callee INTEGER NOT NULL REFERENCES jit_methods(id),
  succeeded INTEGER NOT NULL,
  reason INTEGER NOT NULL REFERENCES inlining_reasons(id));
CREATE TABLE deoptimizations(
  id INTEGER PRIMARY KEY,
  time_ns INTEGER NOT NULL,
  compile_id INTEGER NOT NULL,
  osr INTEGER NOT NULL,
  level INTEGER NOT NULL,
  method INTEGER NOT NULL REFERENCES jit_methods(id),
  bci INTEGER NOT NULL,
  line INTEGER NOT NULL,
  reason TEXT NOT NULL,
  action TEXT NOT NULL,
  thread TEXT NOT NULL);
CREATE TABLE code_ends(
  id INTEGER PRIMARY KEY,
  time_ns INTEGER NOT NULL,
  compile_id INTEGER NOT NULL,
  osr INTEGER NOT NULL,
  method INTEGER NOT NULL REFERENCES jit_methods(id),
  kind TEXT NOT NULL,
  reason TEXT NOT NULL);
CREATE TABLE jit_lacks(id INTEGER PRIMARY KEY, lack TEXT NOT NULL);
CREATE TABLE code_contexts(
  id INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES code_contexts(id),
  bci INTEGER NOT NULL,
  method INTEGER NOT NULL REFERENCES methods(id),
  compile_id INTEGER,
  level INTEGER NOT NULL,
  osr INTEGER NOT NULL,
  inlined INTEGER NOT NULL,
  samples REAL NOT NULL);
CREATE TABLE code_periods(
  id INTEGER PRIMARY KEY,
  end_ns INTEGER NOT NULL,
  open_samples REAL NOT NULL);
CREATE TABLE code_samples(
  period INTEGER NOT NULL REFERENCES code_periods(id),
  method INTEGER NOT NULL REFERENCES methods(id),
  compile_id INTEGER,
  level INTEGER NOT NULL,
  osr INTEGER NOT NULL,
  samples INTEGER NOT NULL);
CREATE TABLE code_calls(
  period INTEGER NOT NULL REFERENCES code_periods(id),
  method INTEGER NOT NULL REFERENCES methods(id),
  compile_id INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  calls REAL NOT NULL);
CREATE TABLE code_counts(
  period INTEGER NOT NULL REFERENCES code_periods(id),
  method INTEGER NOT NULL REFERENCES methods(id),
  invocations REAL NOT NULL,
  interpreted REAL NOT NULL);
CREATE TABLE drops(reason TEXT PRIMARY KEY NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIEW named_edges AS
  SELECT coalesce(caller.full_name, '(root)') AS caller, edges.bci AS bci, edges.line AS line,
         callee.full_name AS callee, edges.samples AS samples,
         CASE WHEN edges.flags & 8 THEN NULL
              ELSE CAST(max(edges.calls > 0, round(edges.calls)) AS INTEGER) END AS calls,
         CASE WHEN edges.flags & 8 THEN NULL
              ELSE CAST(max(edges.uncorrected > 0, round(edges.uncorrected)) AS INTEGER)
              END AS uncorrected,
         CASE WHEN edges.flags & 8 THEN NULL ELSE CAST(edges.low AS INTEGER) END AS low,
         CASE WHEN edges.flags & 8 THEN NULL
              ELSE CAST(edges.high AS INTEGER) + (edges.high > CAST(edges.high AS INTEGER))
              END AS high,
         CASE WHEN edges.flags & 8 THEN NULL ELSE edges.share_low END AS share_low,
         CASE WHEN edges.flags & 8 THEN NULL ELSE edges.share_high END AS share_high,
         edges.variance AS variance, edges.flags AS flags
  FROM edges LEFT JOIN methods AS caller ON caller.id = edges.caller
             JOIN methods AS callee ON callee.id = edges.callee;
)sql";

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SCHEMA_H_
