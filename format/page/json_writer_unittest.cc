#include "format/page/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace yp {
namespace {

template <typename T>
std::string Written(const T& value) {
  JsonWriter json;
  json.Value(value);
  return json.Take();
}

TEST(JsonWriterTest, NestsObjectsAndArrays) {
  JsonWriter json;
  json.BeginObject();
  json.Field("a", 1);
  json.Key("b");
  json.BeginArray();
  json.BeginObject();
  json.EndObject();
  json.Value(true);
  json.Value(nullptr);
  json.BeginArray();
  json.EndArray();
  json.EndArray();
  json.Column("c", std::vector<int>{1, 2}, [](int i) { return 10 * i; });
  json.Field("d", "x");
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({"a":1,"b":[{},true,null,[]],"c":[10,20],"d":"x"})");
}

TEST(JsonWriterTest, EstimatesHaveSixDigitsAndCountsAll) {
  EXPECT_EQ(Written(1234567.0), "1.23457e+06");
  EXPECT_EQ(Written(0.12345678), "0.123457");
  EXPECT_EQ(Written(999999.0), "999999");
  EXPECT_EQ(Written(-3.0), "-3");
  EXPECT_EQ(Written(ExactNumber{1234567}), "1234567");
  EXPECT_EQ(Written(ExactNumber{0x1p53}), "9007199254740992");
  EXPECT_EQ(Written(ExactNumber{0.5}), "0.5");
  EXPECT_EQ(nlohmann::json::parse(Written(ExactNumber{1e300})).get<double>(), 1e300);
  EXPECT_EQ(Written(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(Written(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
}

TEST(JsonWriterTest, WhatIsNoNumberIsNull) {
  for (const double odd : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(Written(odd), "null");
    EXPECT_EQ(Written(ExactNumber{odd}), "null");
  }
  EXPECT_EQ(Written(std::optional<double>()), "null");
  EXPECT_EQ(Written(std::optional<double>(2)), "2");
}

TEST(JsonWriterTest, AnyTextComesBackAndCannotEndAScript) {
  const std::string text("</script><!--\"\\\n\t\0\x7f é 日本 𝄞", 35);
  const std::string written = Written(text);
  EXPECT_EQ(written.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(written).get<std::string>(), text);
}

TEST(JsonWriterTest, WhatIsNoUtf8IsReplaced) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(Written(std::string("a\xed\xa0\x80z")), "\"a" + r + r + r + "z\"");  // A surrogate.
  EXPECT_EQ(Written(std::string("\xc3")), "\"" + r + "\"");
}

}  // namespace
}  // namespace yp
