#include "format/jfr/metadata.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/jfr/jfr_test_util.h"

namespace yp::jfr {
namespace {

std::string ProblemOf(const Bytes& body) {
  Cursor in(body.bytes(), 0, body.size());
  (void)Metadata::Parse(in);
  return in.ok() ? "none" : in.problem();
}

std::string ProblemOf(const std::vector<TestType>& types) { return ProblemOf(MetadataBody(types)); }

TEST(MetadataTest, TypesMayContainThemselvesOnlyAsConstants) {
  const TestType number = {1, "int", {}};
  EXPECT_EQ(ProblemOf({number, {2, "A", {{"a", 2, true}, {"list", 2, true, "1"}}}}), "none");
  EXPECT_EQ(ProblemOf({number, {2, "A", {{"a", 2}}}}), "a type that contains itself");
  EXPECT_EQ(ProblemOf({number, {2, "A", {{"i", 1}, {"a", 2, false, "1"}}}}),
            "a type that contains itself");
  EXPECT_EQ(ProblemOf({{2, "A", {{"b", 3}}}, {3, "B", {{"c", 4}}}, {4, "C", {{"a", 2}}}}),
            "a type that contains itself");
}

TEST(MetadataTest, DeepAndWideTypesAreRefused) {
  for (const char* dimension : {"", "1"}) {
    for (const bool is_leaf_first : {false, true}) {
      std::vector<TestType> chain = {{0, "int", {}}};
      for (int64_t i = 1; i <= 1000; ++i) {
        const int64_t next = is_leaf_first ? i - 1 : (i == 1000 ? 0 : i + 1);
        chain.push_back({i, "T" + std::to_string(i), {{"f", next, false, dimension}}});
      }
      EXPECT_EQ(ProblemOf(chain), "types nested too deeply");
    }
  }
  std::vector<TestType> doubling = {{0, "int", {}}};
  for (int64_t i = 1; i <= 60; ++i) {
    doubling.push_back({i, "T" + std::to_string(i), {{"a", i - 1}, {"b", i - 1}}});
  }
  EXPECT_EQ(ProblemOf(doubling), "types that unfold to too many values");
}

TEST(MetadataTest, EmptyTypesTakeNoTimeHoweverManyThereAre) {
  std::vector<TestType> types = {{0, "Empty", {}}};
  for (int64_t i = 1; i <= 60; ++i) {
    types.push_back({i, "T" + std::to_string(i), {{"a", i - 1}, {"b", i - 1}}});
  }
  types.push_back({99, "List", {{"list", 60, false, "1"}}});
  const Bytes body = MetadataBody(types);
  Cursor in(body.bytes(), 0, body.size());
  const Metadata metadata = Metadata::Parse(in);
  ASSERT_TRUE(in.ok()) << in.problem();
  const Bytes value = Bytes().Varint(3).Byte(0).Byte(0).Byte(0);
  Cursor list(value.bytes(), 0, value.size());
  metadata.SkipValue(static_cast<uint32_t>(metadata.Find(int64_t{99})), list);
  EXPECT_TRUE(list.ok());
  EXPECT_EQ(list.left(), 3u);
}

TEST(MetadataTest, WhatDoesNotFitTogetherIsRefused) {
  EXPECT_EQ(ProblemOf({{1, "int", {}}, {1, "long", {}}}), "two types of one number");
  EXPECT_EQ(ProblemOf({{1, "A", {{"a", 7}}}}), "a field of a type that the metadata does not have");
  EXPECT_EQ(ProblemOf({{1, "int", {}}, {2, "A", {{"a", 1, false, "2"}}}}),
            "a field with more than one dimension");
  EXPECT_EQ(ProblemOf({{1, "int", {}}, {2, "A", {{"a", 1, false, "x"}}}}),
            "an attribute of the metadata that is not a number");
  const auto head = [] { return Bytes().Varint(1).Varint(0).Varint(1); };
  EXPECT_EQ(ProblemOf(head().Varint(int64_t{1} << 40)),
            "a number of elements that the bytes left cannot hold");
  EXPECT_EQ(ProblemOf(head().Varint(1).Utf8("root").Varint(1).Varint(0).Varint(0)),
            "a text's number that the metadata does not have");
  Bytes deep = head().Varint(1).Utf8("root");
  for (int i = 0; i < 100; ++i) deep.Varint(0).Varint(0).Varint(1);
  EXPECT_EQ(ProblemOf(deep), "metadata nested too deeply");
}

}  // namespace
}  // namespace yp::jfr
