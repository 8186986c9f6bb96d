#ifndef YP_FORMAT_PROFILE_SQL_TABLE_H_
#define YP_FORMAT_PROFILE_SQL_TABLE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/status.h"
#include "format/profile/sqlite_file.h"

// One description of a table, from which CREATE TABLE, INSERT and SELECT follow. A table has a type
// for its rows, and describes itself in a specialization of SqlTable:
//
//   template <>
//   struct SqlTable<TickRow> {
//     static constexpr std::string_view kName = "ticks";
//     static constexpr std::string_view kOrder = "id";       // The rows' order when they are read.
//     static constexpr int64_t kSince = 6;                   // The first version that has it.
//     static constexpr std::string_view kConstraints = "";   // "PRIMARY KEY(a, b)"; or none.
//     static constexpr std::string_view kOptions = "";       // "WITHOUT ROWID"; or none.
//     static constexpr std::string_view kInsert = "INSERT";  // Or "INSERT OR REPLACE".
//     static constexpr auto kColumns = std::tuple(SqlColumn("id", &TickRow::id).Key(), ...);
//   };
//
// The type of a field decides that of its column: integers, ids and bool are INTEGER, double is
// REAL (finite and not negative), std::string is TEXT. Only an optional field may be NULL.
namespace yp {

template <typename Row>
struct SqlTable;

namespace sql {

template <typename T>
struct Optional : std::false_type {
  using Value = T;
};
template <typename T>
struct Optional<std::optional<T>> : std::true_type {
  using Value = T;
};
// The integer that an id is.
template <typename T, bool = std::is_enum_v<T>>
struct Number {
  using Type = T;
};
template <typename T>
struct Number<T, true> {
  using Type = std::underlying_type_t<T>;
};

template <typename T>
constexpr int64_t Least() {
  if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(std::numeric_limits<T>::min());
  return 0;
}
template <typename T>
constexpr int64_t Most() {
  if constexpr (std::is_same_v<T, uint64_t>) return INT64_MAX;
  if constexpr (std::is_integral_v<T>) return static_cast<int64_t>(std::numeric_limits<T>::max());
  return 0;
}

}  // namespace sql

template <typename Row, typename T>
struct SqlColumn {
  using Value = typename sql::Optional<T>::Value;
  using Number = typename sql::Number<Value>::Type;
  static constexpr bool kMayBeNull = sql::Optional<T>::value;

  constexpr SqlColumn(std::string_view column_name, T Row::*column_field)
      : name(column_name), field(column_field) {}

  // The table's primary key.
  constexpr SqlColumn Key() const {
    SqlColumn column = *this;
    column.is_key = true;
    return column;
  }
  // More that SQL is told of it: "UNIQUE", "REFERENCES methods(id)".
  constexpr SqlColumn With(std::string_view text) const {
    SqlColumn column = *this;
    column.constraint = text;
    return column;
  }
  // An integer outside of this is an error when it is read; by default, one that the field cannot
  // hold.
  constexpr SqlColumn In(int64_t low, int64_t high) const {
    SqlColumn column = *this;
    column.least = low;
    column.most = high;
    return column;
  }
  // The first version that has it, and what SQL reads in files before.
  constexpr SqlColumn Since(int64_t version, std::string_view before_it) const {
    SqlColumn column = *this;
    column.since = version;
    column.before = before_it;
    return column;
  }

  std::string Declaration() const {
    std::string text(name);
    if constexpr (std::is_same_v<Value, std::string>) {
      text += " TEXT";
    } else if constexpr (std::is_same_v<Value, double>) {
      text += " REAL";
    } else {
      static_assert(std::is_integral_v<Number>);
      text += " INTEGER";
    }
    if (is_key) text += " PRIMARY KEY";
    if (!kMayBeNull && (!is_key || std::is_same_v<Value, std::string>)) text += " NOT NULL";
    return constraint.empty() ? text : text + " " + std::string(constraint);
  }

  void Bind(const Value& value, SqliteStatement* statement) const {
    if constexpr (std::is_same_v<Number, uint64_t>) {
      statement->BindUnsigned(static_cast<uint64_t>(value));
    } else if constexpr (std::is_integral_v<Number>) {
      statement->Bind(static_cast<int64_t>(value));
    } else {
      statement->Bind(value);
    }
  }
  void Bind(const std::optional<Value>& value,
            SqliteStatement* statement) const requires kMayBeNull {
    if (value) {
      Bind(*value, statement);
    } else {
      statement->BindNull();
    }
  }

  void Read(SqliteStatement* statement, T* value) const {
    if constexpr (kMayBeNull) {
      static_assert(std::is_integral_v<Number>);
      const std::optional<int64_t> read = statement->IntegerOrNull(least, most);
      *value = read ? T(static_cast<Value>(*read)) : T();
    } else if constexpr (std::is_same_v<T, std::string>) {
      *value = statement->Text();
    } else if constexpr (std::is_same_v<T, double>) {
      *value = statement->NonNegative();
    } else {
      *value = static_cast<T>(statement->Integer(least, most));
    }
  }

  std::string_view name;
  T Row::*field;
  std::string_view constraint;
  bool is_key = false;
  int64_t least = sql::Least<Number>();
  int64_t most = sql::Most<Number>();
  int64_t since = 1;
  std::string_view before;
};

// Calls each(column) for every column, in the table's order.
template <typename Row, typename Each>
constexpr void ForEachColumn(Each each) {
  std::apply([&](const auto&... column) { (each(column), ...); }, SqlTable<Row>::kColumns);
}

template <typename Row>
std::string CreateStatement() {
  std::string list;
  ForEachColumn<Row>([&](const auto& column) {
    list += (list.empty() ? "\n  " : ",\n  ") + column.Declaration();
  });
  using Table = SqlTable<Row>;
  if (!Table::kConstraints.empty()) list += ",\n  " + std::string(Table::kConstraints);
  std::string text = "CREATE TABLE " + std::string(Table::kName) + "(" + list + ")";
  return Table::kOptions.empty() ? text + ";\n" : text + " " + std::string(Table::kOptions) + ";\n";
}

// Writes rows of a table. Errors are sticky: ask status() once, after the last row.
template <typename Row>
class SqlWriter {
 public:
  explicit SqlWriter(SqliteFile* file) {
    std::string names, places;
    ForEachColumn<Row>([&](const auto& column) {
      names += (names.empty() ? "" : ", ") + std::string(column.name);
      places += places.empty() ? "?" : ", ?";
    });
    statement_ =
        file->Prepare(std::string(SqlTable<Row>::kInsert) + " INTO " +
                      std::string(SqlTable<Row>::kName) + "(" + names + ") VALUES(" + places + ")");
  }
  void Write(const Row& row) {
    ForEachColumn<Row>([&](const auto& column) { column.Bind(row.*column.field, &statement_); });
    statement_.Run();
  }
  Status status() const {
    return statement_.ok() ? Status::Ok() : Status::Error(statement_.error());
  }

 private:
  SqliteStatement statement_;
};

// Calls take(Row&&), which gives a Status, for each row of the table in a file of that version, in
// the table's order. Ends at the first error. A file from before the table has no rows of it.
template <typename Row, typename Take>
Status ReadRows(int64_t version, SqliteFile* file, Take take) {
  using Table = SqlTable<Row>;
  if (version < Table::kSince) return Status::Ok();
  std::string columns;
  ForEachColumn<Row>([&](const auto& column) {
    const bool is_there = version >= column.since;
    if (!columns.empty()) columns += ", ";
    columns += is_there ? column.name : column.before;
    if (!is_there) columns += " AS " + std::string(column.name);
  });
  SqliteStatement statement =
      file->Prepare("SELECT " + columns + " FROM " + std::string(Table::kName) + " ORDER BY " +
                    std::string(Table::kOrder));
  while (statement.Step()) {
    Row row;
    ForEachColumn<Row>([&](const auto& column) { column.Read(&statement, &(row.*column.field)); });
    if (!statement.ok()) break;
    if (Status s = take(std::move(row)); !s) return s;
  }
  return statement.ok() ? Status::Ok() : Status::Error(statement.error());
}

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SQL_TABLE_H_
