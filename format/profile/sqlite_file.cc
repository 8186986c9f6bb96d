#include "format/profile/sqlite_file.h"

#include <cmath>
#include <utility>

#include "format/spool/errno_text.h"

namespace yp {
namespace {

std::string ErrorOf(sqlite3* database) {
  const int code = sqlite3_errcode(database);
  int system_error = sqlite3_system_errno(database);
  // After a failed write sqlite3_system_errno() is 0 (3.40), while the file knows.
  if (system_error == 0) {
    sqlite3_file_control(database, nullptr, SQLITE_FCNTL_LAST_ERRNO, &system_error);
  }
  if (system_error != 0 && (code == SQLITE_CANTOPEN || code == SQLITE_FULL ||
                            code == SQLITE_IOERR || code == SQLITE_READONLY)) {
    return spool::ErrnoText(system_error);
  }
  // A malformed schema is quoted with its line ends.
  const std::string_view message = sqlite3_errmsg(database);
  return std::string(message.substr(0, message.find('\n')));
}

}  // namespace

void SqliteStatement::Fail(std::string error) {
  if (error_.empty()) error_ = std::move(error);
}

void SqliteStatement::Check(int code) {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) Fail(ErrorOf(database_));
}

SqliteStatement& SqliteStatement::Bind(int64_t value) {
  if (ok()) Check(sqlite3_bind_int64(statement_.get(), ++parameter_, value));
  return *this;
}

SqliteStatement& SqliteStatement::Bind(double value) {
  if (ok()) Check(sqlite3_bind_double(statement_.get(), ++parameter_, value));
  return *this;
}

SqliteStatement& SqliteStatement::Bind(std::string_view text) {
  if (ok()) {
    // An empty view may have no address, which SQLite would take for NULL.
    const char* const data = text.empty() ? "" : text.data();
    Check(sqlite3_bind_text64(statement_.get(), ++parameter_, data, text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
  }
  return *this;
}

SqliteStatement& SqliteStatement::BindNull() {
  if (ok()) Check(sqlite3_bind_null(statement_.get(), ++parameter_));
  return *this;
}

SqliteStatement& SqliteStatement::BindUnsigned(uint64_t value) {
  return Bind(value > uint64_t{INT64_MAX} ? INT64_MAX : static_cast<int64_t>(value));
}

void SqliteStatement::Run() {
  while (Step()) {
  }
  if (!ok()) return;
  Check(sqlite3_reset(statement_.get()));
  parameter_ = 0;
}

bool SqliteStatement::Step() {
  if (!ok()) return false;
  column_ = 0;
  const int code = sqlite3_step(statement_.get());
  Check(code);
  return code == SQLITE_ROW;
}

int64_t SqliteStatement::Integer(int64_t min, int64_t max) {
  const int column = column_++;
  if (!ok()) return 0;
  const bool is_integer = sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
  const int64_t value = sqlite3_column_int64(statement_.get(), column);
  if (!is_integer || value < min || value > max) {
    Fail(std::string("column ") + sqlite3_column_name(statement_.get(), column) +
         " holds a value that it cannot have");
    return 0;
  }
  return value;
}

std::optional<int64_t> SqliteStatement::IntegerOrNull(int64_t min, int64_t max) {
  if (ok() && sqlite3_column_type(statement_.get(), column_) == SQLITE_NULL) {
    ++column_;
    return std::nullopt;
  }
  return Integer(min, max);
}

double SqliteStatement::NonNegative() {
  const int column = column_++;
  if (!ok()) return 0;
  const int type = sqlite3_column_type(statement_.get(), column);
  const double value = sqlite3_column_double(statement_.get(), column);
  if ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !std::isfinite(value) || value < 0) {
    Fail(std::string("column ") + sqlite3_column_name(statement_.get(), column) +
         " holds a value that it cannot have");
    return 0;
  }
  return value;
}

std::string SqliteStatement::Text() {
  const int column = column_++;
  if (!ok()) return "";
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) {
    Fail(std::string("column ") + sqlite3_column_name(statement_.get(), column) + " holds no text");
    return "";
  }
  const auto* const data =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (data == nullptr) {
    Fail(ErrorOf(database_));
    return "";
  }
  return std::string(data, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

Result<SqliteFile> SqliteFile::Open(const std::string& path, int flags) {
  SqliteFile file;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  file.database_.reset(database);
  if (database == nullptr) return Status::Error("out of memory");
  if (code != SQLITE_OK) return Status::Error(ErrorOf(database));
  sqlite3_extended_result_codes(database, 0);
  return file;
}

Result<SqliteFile> SqliteFile::OpenForReading(const std::string& path) {
  Result<SqliteFile> file = Open(path, SQLITE_OPEN_READONLY);
  if (!file) return file;
  sqlite3* const database = file->database_.get();
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (Status status = file->Execute("PRAGMA cell_size_check = ON"); !status) return status;
  return file;
}

Result<SqliteFile> SqliteFile::OpenForWriting(const std::string& path) {
  Result<SqliteFile> file = Open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!file) return file;
  if (Status status = file->Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
      !status) {
    return status;
  }
  return file;
}

Status SqliteFile::Execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return Status::Error(ErrorOf(database_.get()));
  }
  return Status::Ok();
}

SqliteStatement SqliteFile::Prepare(std::string_view sql) {
  SqliteStatement statement;
  statement.database_ = database_.get();
  sqlite3_stmt* prepared = nullptr;
  statement.Check(sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                     &prepared, nullptr));
  statement.statement_.reset(prepared);
  return statement;
}

Result<int64_t> SqliteFile::IntegerOf(std::string_view sql) {
  SqliteStatement statement = Prepare(sql);
  if (!statement.Step()) return Status::Error(statement.ok() ? "no row" : statement.error());
  const int64_t value = statement.Integer();
  if (!statement.ok()) return Status::Error(statement.error());
  return value;
}

Result<std::string> SqliteFile::TextOf(std::string_view sql) {
  SqliteStatement statement = Prepare(sql);
  if (!statement.Step()) return Status::Error(statement.ok() ? "no row" : statement.error());
  std::string value = statement.Text();
  if (!statement.ok()) return Status::Error(statement.error());
  return value;
}

}  // namespace yp
