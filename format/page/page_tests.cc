#include "format/page/page_tests.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "format/page/page_names.h"
#include "format/profile/test_reach.h"

namespace yp {
namespace {

// Of all tests together: beyond, a page has the numbers alone.
constexpr size_t kMostReached = 1'000'000;

}  // namespace

void WriteTests(const Profile& profile, const std::vector<MethodId>& ids, JsonWriter& json) {
  if (profile.tests.empty()) return json.Value(nullptr);
  // Of one profile the methods have its numbers.
  const TestReach reach(std::span(&profile, 1));
  using Test = TestReach::Test;
  json.BeginObject();
  json.Column("name", reach.tests(), [](const Test& test) { return std::string_view(test.name); });
  json.Column("duration_ns", reach.tests(), [](const Test& test) { return test.duration_ns; });
  json.Column("methods", reach.tests(), [](const Test& test) { return test.methods.size(); });
  json.Column("methods_only", reach.tests(), [](const Test& test) { return test.methods_only; });
  json.Column("edges", reach.tests(), [](const Test& test) { return test.edges.size(); });
  json.Column("edges_only", reach.tests(), [](const Test& test) { return test.edges_only; });
  size_t all = 0;
  for (const Test& test : reach.tests()) all += test.methods.size();
  json.Key("reached");
  if (all > kMostReached) {
    json.Value(nullptr);
  } else {
    json.BeginArray();
    for (const Test& test : reach.tests()) {
      json.BeginArray();
      for (const TestReach::Reached& method : test.methods) {
        json.Value(PageNames::Number(ids[method.id]));
      }
      json.EndArray();
    }
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace yp
