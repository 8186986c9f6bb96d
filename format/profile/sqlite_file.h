#ifndef YP_FORMAT_PROFILE_SQLITE_FILE_H_
#define YP_FORMAT_PROFILE_SQLITE_FILE_H_

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// A prepared statement. Errors are sticky: bind and read freely, then ask status() once.
class SqliteStatement {
 public:
  // Bind the parameters in order, from the first.
  SqliteStatement& Bind(int64_t value);
  SqliteStatement& Bind(double value);
  SqliteStatement& Bind(std::string_view text);
  SqliteStatement& BindNull();
  // Numbers above the range of SQLite's integers are bound as the largest.
  SqliteStatement& BindUnsigned(uint64_t value);
  // Executes once and makes ready for the next set of parameters.
  void Run();

  // The next row; false at the end and on an error.
  bool Step();
  // Columns of the row, in order from the first. A column of another type than asked for, or out of
  // range, is an error.
  int64_t Integer(int64_t min = INT64_MIN, int64_t max = INT64_MAX);
  // Finite and not negative.
  double NonNegative();
  std::string Text();
  std::optional<int64_t> IntegerOrNull(int64_t min, int64_t max);

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  friend class SqliteFile;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void Check(int code);
  void Fail(std::string error);

  sqlite3* database_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  int parameter_ = 0;
  int column_ = 0;
  std::string error_;
};

// A SQLite database file. Errors are SQLite's or the kernel's own words, without file name and
// advice, which the caller knows better.
class SqliteFile {
 public:
  // Opens for reading. Prepared for files from strangers: no functions from the schema, all checks.
  static Result<SqliteFile> OpenForReading(const std::string& path);
  // Opens an empty or missing file for writing it once: no journal and no syncing.
  static Result<SqliteFile> OpenForWriting(const std::string& path);

  Status Execute(const char* sql);
  // A statement that does not compile is told by the statement's error().
  SqliteStatement Prepare(std::string_view sql);
  // The first column of the first row.
  Result<int64_t> IntegerOf(std::string_view sql);
  Result<std::string> TextOf(std::string_view sql);

 private:
  struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  static Result<SqliteFile> Open(const std::string& path, int flags);
  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SQLITE_FILE_H_
