// yp-t-test: reads {"test": "paired" or "welch", "a": [numbers], "b": [numbers]} from stdin and
// writes the test as one line of JSON. Errors are one line on stderr and exit code 2.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/t_test/t_test.h"

namespace yp {
namespace {

using Json = nlohmann::json;

constexpr const char* kForm =
    "write {\"test\": \"paired\" or \"welch\", \"a\": [numbers], \"b\": [numbers]} to stdin";

Result<std::vector<double>> Sample(const Json& request, const char* name) {
  const auto found = request.find(name);
  const bool numbers =
      found != request.end() && found->is_array() &&
      std::all_of(found->begin(), found->end(), [](const Json& v) { return v.is_number(); });
  if (!numbers) return Status::Error(std::string(name) + " is not a list of numbers; " + kForm);
  return found->get<std::vector<double>>();
}

Result<TTest> Answer(const Json& request) {
  if (!request.is_object()) return Status::Error(std::string("not a JSON object; ") + kForm);
  const auto a = Sample(request, "a");
  if (!a) return a.status();
  const auto b = Sample(request, "b");
  if (!b) return b.status();
  const Json test = request.value("test", Json());
  if (test == "paired") return PairedTTest(*a, *b);
  if (test == "welch") return WelchTTest(*a, *b);
  return Status::Error("no such test: " + test.dump() + "; " + kForm);
}

int Main() {
  const auto result = Answer(Json::parse(std::cin, nullptr, /*allow_exceptions=*/false));
  if (!result) {
    std::cerr << "yp-t-test: " << result.message() << '\n';
    return 2;
  }
  const Json answer = {{"t", result->t},     {"degrees_of_freedom", result->degrees_of_freedom},
                       {"p", result->p},     {"difference", result->difference},
                       {"low", result->low}, {"high", result->high}};
  std::cout << answer.dump() << '\n';
  return std::cout.flush() ? 0 : 2;
}

}  // namespace
}  // namespace yp

int main() { return yp::Main(); }
