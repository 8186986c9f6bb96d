#include "format/profile/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "format/profile/sql_table.h"
#include "format/profile/sqlite_file.h"
#include "format/profile/tables.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using ::testing::HasSubstr;

// What SQLite knows of all columns of a file.
std::string ColumnsOf(SqliteFile* file) {
  const Result<std::string> columns = file->TextOf(
      "SELECT group_concat(line, char(10)) FROM (SELECT tables.name || '.' || columns.name || ' ' "
      "|| columns.type || ' ' || columns.\"notnull\" || ' ' || columns.pk AS line "
      "FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns "
      "WHERE tables.type = 'table' ORDER BY tables.name, columns.cid)");
  EXPECT_TRUE(columns) << columns.message();
  return columns ? *columns : "";
}

TEST(SchemaTest, TheTablesAreThoseOfTheVersionsFixture) {
  const spool::TemporaryDirectory directory;
  Result<SqliteFile> made = SqliteFile::OpenForWriting(directory / "made.yp");
  ASSERT_TRUE(made) << made.message();
  const Status status = made->Execute(CreateSchema().c_str());
  ASSERT_TRUE(status) << status.message();
  Result<SqliteFile> fixture =
      SqliteFile::OpenForReading("testdata/v" + std::to_string(kSchemaVersion) + ".profile");
  ASSERT_TRUE(fixture) << fixture.message();
  const std::string columns = ColumnsOf(&*made);
  EXPECT_THAT(columns, HasSubstr("edges.replicates TEXT 1 0"));
  EXPECT_EQ(columns, ColumnsOf(&*fixture)) << "another table is another version";
}

// The chapter of docs/formats.md on profiles.
std::string DocumentedProfile() {
  std::ostringstream text;
  text << std::ifstream("../../docs/formats.md").rdbuf();
  const std::string all = text.str();
  const size_t begin = all.find("\n## Profile, version " + std::to_string(kSchemaVersion) + "\n");
  if (begin == std::string::npos) return "";
  return all.substr(begin, all.find("\n## ", begin + 1) - begin);
}

template <typename Row>
void ExpectDocumented(const std::string& text) {
  const std::string table(SqlTable<Row>::kName);
  EXPECT_THAT(text, HasSubstr("`" + table + "`"));
  ForEachColumn<Row>([&](const auto& column) {
    EXPECT_THAT(text, HasSubstr("`" + std::string(column.name) + "`")) << "of " << table;
  });
}
template <typename... Rows>
void ExpectAllDocumented(const std::string& text, const std::tuple<Rows...>*) {
  (ExpectDocumented<Rows>(text), ...);
}

TEST(SchemaTest, EveryTableAndColumnIsDocumented) {
  const std::string text = DocumentedProfile();
  ASSERT_NE(text, "") << "docs/formats.md tells of another version";
  ExpectAllDocumented(text, static_cast<const table::AllTables*>(nullptr));
}

struct Fruit : table::Numbered {
  std::string name;
  std::optional<int32_t> seeds;
  double grams = 0;
  bool is_ripe = false;
};

}  // namespace

template <>
struct SqlTable<Fruit> : SqlTableDefaults {
  static constexpr std::string_view kName = "fruits", kOrder = "name";
  static constexpr int64_t kSince = 2;
  static constexpr auto kColumns =
      std::tuple(Id(), SqlColumn("name", &Fruit::name).With("UNIQUE"),
                 SqlColumn("seeds", &Fruit::seeds).In(1, 99), SqlColumn("grams", &Fruit::grams),
                 SqlColumn("ripe", &Fruit::is_ripe).Since(3, "grams > 100"));
};

namespace {

class SqlTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_) << file_.message();
    ASSERT_TRUE(file_->Execute(CreateStatement<Fruit>().c_str()));
  }
  // Each row's columns, with spaces between them.
  Result<std::string> Read(int64_t version) {
    std::ostringstream text;
    const Status status = ReadRows<Fruit>(version, &*file_, [&](const Fruit& fruit) {
      text << fruit.id << " " << fruit.name << " " << fruit.seeds.value_or(-1) << " " << fruit.grams
           << " " << fruit.is_ripe << "\n";
      return fruit.name == "stone" ? Status::Error("no fruit") : Status::Ok();
    });
    if (!status) return status;
    return text.str();
  }

  spool::TemporaryDirectory directory_;
  Result<SqliteFile> file_ = SqliteFile::OpenForWriting(directory_ / "fruits.db");
};

TEST_F(SqlTableTest, RowsAreReadAsTheyWereWritten) {
  SqlWriter<Fruit> rows(&*file_);
  rows.Write({{7}, "pear", 5, 180.5, true});
  rows.Write({{3}, "apple", std::nullopt, 90, false});
  ASSERT_TRUE(rows.status());
  EXPECT_EQ(*Read(3), "3 apple -1 90 0\n7 pear 5 180.5 1\n");
}

TEST_F(SqlTableTest, AnOlderFileHasWhatWasThereBefore) {
  ASSERT_TRUE(
      file_->Execute("ALTER TABLE fruits DROP COLUMN ripe; INSERT INTO fruits VALUES"
                     "(1, 'plum', 1, 40), (2, 'quince', 9, 300)"));
  EXPECT_EQ(*Read(2), "1 plum 1 40 0\n2 quince 9 300 1\n");
  EXPECT_EQ(*Read(1), "");
  EXPECT_FALSE(Read(3));
}

TEST_F(SqlTableTest, WhatAFieldCannotHoldIsAnErrorThatNamesTheColumn) {
  for (const auto& [values, column] :
       {std::pair("1, 'x', 0, 1, 0", "seeds"), std::pair("1, 'x', 100, 1, 0", "seeds"),
        std::pair("1, 'x', 1, -1, 0", "grams"), std::pair("1, 'x', 1, 1, 2", "ripe"),
        std::pair("1, x'00', 1, 1, 1", "name")}) {
    const std::string sql =
        "DELETE FROM fruits; INSERT INTO fruits VALUES(" + std::string(values) + ")";
    ASSERT_TRUE(file_->Execute(sql.c_str()));
    const Result<std::string> read = Read(3);
    ASSERT_FALSE(read) << values;
    EXPECT_THAT(std::string(read.message()), HasSubstr(column));
  }
}

TEST_F(SqlTableTest, ErrorsOfWhoTakesRowsAndOfTheDatabaseAreReported) {
  SqlWriter<Fruit> rows(&*file_);
  rows.Write({{1}, "stone", 1, 1, false});
  EXPECT_EQ(std::string(Read(3).message()), "no fruit");
  rows.Write({{2}, "stone", 1, 1, false});
  EXPECT_THAT(std::string(rows.status().message()), HasSubstr("UNIQUE"));
}

}  // namespace
}  // namespace yp
