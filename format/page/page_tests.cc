#include "format/page/page_tests.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "format/profile/test_reach.h"

namespace yp {
namespace {

// Of all tests together: beyond, a page has the numbers alone.
constexpr size_t kMostReached = 1'000'000;
// A page of more unexecuted calls says how many it leaves out.
constexpr size_t kMostUnexecuted = 200'000;

using Test = TestReach::Test;

void WriteReached(const TestReach& reach, const std::vector<MethodId>& ids, JsonWriter& json) {
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

void WriteUnexecuted(const Profile& profile, const TestReach& reach,
                     const std::vector<MethodId>& ids, PageNames* names, JsonWriter& json) {
  std::vector<UnexecutedCall> calls = reach.UnexecutedCallsInCalled();
  const size_t all = calls.size();
  calls.resize(std::min(all, kMostUnexecuted));
  json.BeginObject();
  json.Column("caller", calls,
              [&](const auto& call) { return ToIndex(ids[ToIndex(call.caller)]); });
  json.Column("bci", calls, [](const auto& call) { return call.bci; });
  json.Column("line", calls, [&](const auto& call) {
    return LineOf(profile.methods, Edge{call.caller, call.bci, kNoMethod});
  });
  json.Column("callee", calls, [&](const auto& call) { return names->String(call.callee); });
  json.Field("left_out", all - calls.size());
  json.EndObject();
}

}  // namespace

void WriteTests(const Profile& profile, const std::vector<MethodId>& ids, PageNames* names,
                JsonWriter& json) {
  std::optional<TestReach> reach;  // Of one profile the methods have its numbers.
  if (!profile.tests.empty() || profile.lists_unexecuted_calls()) {
    reach.emplace(std::span(&profile, 1));
  }
  json.Key("tests");
  if (profile.tests.empty()) {
    json.Value(nullptr);
  } else {
    WriteReached(*reach, ids, json);
  }
  json.Key("unexecuted");
  if (profile.lists_unexecuted_calls()) {
    WriteUnexecuted(profile, *reach, ids, names, json);
  } else {
    json.Value(nullptr);
  }
}

}  // namespace yp
