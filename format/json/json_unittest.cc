#include "format/json/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace yp {
namespace {

using nlohmann::ordered_json;

Json Sample() {
  Json json{{"text", "a \"quoted\" line\n\x01 größe"},
            {"view", std::string_view("view")},
            {"yes", true},
            {"nothing", nullptr},
            {"small", -7},
            {"large", std::numeric_limits<uint64_t>::max()},
            {"words", std::vector<std::string>{"b", "a"}},
            {"counts", std::map<std::string, uint64_t>{{"y", 2}, {"x", 1}}},
            {"empty", Json::Array()},
            {"none", Json::Object()},
            {"inner", {{"deep", {{"deeper", 1}}}}}};
  Json& numbers = json["numbers"] = Json::Array();
  for (const double number : {0.0, 1.0, 0.1, 1.0 / 3, 1e15, 1e16, 1e-5, 1e-4, 1e300, -2.5}) {
    numbers.Append(number);
  }
  return json;
}

TEST(JsonTest, IsWrittenAsNlohmannWritesIt) {
  for (const int indent : {-1, 0, 1, 2}) {
    const std::string text = Sample().Dump(indent);
    EXPECT_EQ(text, ordered_json::parse(text).dump(indent));
  }
  EXPECT_EQ(Json().Dump(2), "null");
  EXPECT_EQ((Json{{"b", 1}, {"a", Json::Array()}}.Dump(2)), "{\n  \"b\": 1,\n  \"a\": []\n}");
}

TEST(JsonTest, WhatIsNoNumberIsNullAndWhatIsNoUtf8Replaced) {
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).Dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).Dump(), "null");
  EXPECT_EQ(Json("a\xff").Dump(), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ((Json{{"\xff", 1}}.Dump()), "{\"\xef\xbf\xbd\":1}");
}

TEST(JsonTest, FieldsAreAddedReplacedAndRemoved) {
  Json json;
  json["b"] = 1;
  json["a"] = 2;
  json["b"] = "new";
  EXPECT_EQ(json.Dump(), R"({"b":"new","a":2})");
  Json copy = json;
  copy.Remove("b");
  EXPECT_EQ(copy.Dump(), R"({"a":2})");
  EXPECT_EQ(json.Dump(), R"({"b":"new","a":2})");
  EXPECT_TRUE(json.IsObject());
  EXPECT_FALSE(Json::Array().IsObject());
}

TEST(JsonTest, CountsAreWholeWhereADoubleHoldsThem) {
  EXPECT_EQ(JsonNumber(3).Dump(), "3");
  EXPECT_EQ(JsonNumber(-0x1p53).Dump(), "-9007199254740992");
  EXPECT_EQ(JsonNumber(0x1p60).Dump(), "1.152921504606847e+18");
  EXPECT_EQ(JsonNumber(2.5).Dump(), "2.5");
}

}  // namespace
}  // namespace yp
