#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/table.h"
#include "core/options/config_keys.h"
#include "format/profile/test_reach.h"

namespace yp {
namespace {

constexpr const char* kTestsFooter = R"(
A test reaches a method when it takes an edge to it or from it. "only": what no other test reaches.
"shared": edges that were taken while other tests ran as well, one of which may have taken them.
Tests are those of JUnit after yp run --mode edges --tests, and what yp mark has marked; several
profiles are of one suite whose tests ran in several JVMs.

With --method: which tests reach the methods that match. With --unreached: the methods of the
program that nothing called, of the classes that were loaded. With --unexecuted: the calls in
methods that ran which were never executed, the branches that no test takes. In GLOB, * stands for
anything and ? for one character: 'org.example.Cart.*', '*.add'.

Examples:
  yp run --mode edges --tests --include 'shop.*' -o suite.yp -- mvn test
  yp tests suite.yp
  yp tests suite.yp --method 'shop.Cart.add'
  yp tests suite.yp --unreached --json
  yp tests suite.yp --unexecuted
)";

struct TestsOptions {
  std::vector<std::string> paths;
  std::string method;
  bool unreached = false;
  bool unexecuted = false;
  std::string by = "order";
  size_t limit = 0;
  JsonRows json;

  size_t Limit() const { return limit != 0 || json.IsWanted() ? limit : kDefaultRows; }
};

enum class TestOrder { kOrder, kMethods, kEdges, kOnly, kTime };

double OrderKeyOf(const TestReach::Test& test, TestOrder by) {
  if (by == TestOrder::kMethods) return static_cast<double>(test.methods.size());
  if (by == TestOrder::kEdges) return static_cast<double>(test.edges.size());
  if (by == TestOrder::kOnly) return static_cast<double>(test.edges_only);
  return by == TestOrder::kTime ? static_cast<double>(test.duration_ns) : 0;
}

template <typename T>
void CutRows(std::vector<T>* rows, size_t limit) {
  if (limit != 0 && rows->size() > limit) rows->resize(limit);
}

size_t SharedEdges(const TestReach::Test& test) {
  return static_cast<size_t>(std::ranges::count(test.edges, false, &TestReach::Reached::alone));
}

Status ShowTests(const TestsOptions& options, const TestReach& reach, TestOrder by) {
  std::vector<const TestReach::Test*> rows;
  for (const TestReach::Test& test : reach.tests()) rows.push_back(&test);
  std::ranges::stable_sort(
      rows, [by](const auto* a, const auto* b) { return OrderKeyOf(*a, by) > OrderKeyOf(*b, by); });
  CutRows(&rows, options.Limit());
  if (options.json.IsWanted()) {
    Json array = Json::Array();
    for (const TestReach::Test* test : rows) {
      array.Append({{"test", test->name},
                    {"runs", test->runs},
                    {"begin_ns", test->begin_ns},
                    {"duration_ns", test->duration_ns},
                    {"methods", test->methods.size()},
                    {"methods_only", test->methods_only},
                    {"edges", test->edges.size()},
                    {"edges_only", test->edges_only},
                    {"edges_shared", SharedEdges(*test)}});
    }
    return PrintJsonRows(options.json, "tests", std::move(array));
  }
  using Column = Table::Column;
  const bool any_shared = std::ranges::any_of(
      reach.tests(), [](const TestReach::Test& test) { return SharedEdges(test) > 0; });
  std::vector<std::string> titles = {"methods", "only", "edges", "only", "time", "test"};
  if (any_shared) titles.insert(titles.begin() + 4, "shared");
  std::vector<Column> columns(titles.size(), Column::kRight);
  columns.back() = Column::kLeft;
  Table table(titles, columns);
  for (const TestReach::Test* test : rows) {
    std::vector<Table::Cell> cells;
    for (const size_t count :
         {test->methods.size(), test->methods_only, test->edges.size(), test->edges_only}) {
      cells.push_back({WithSeparators(static_cast<double>(count))});
    }
    if (any_shared) cells.push_back({WithSeparators(static_cast<double>(SharedEdges(*test)))});
    cells.push_back({FormatMilliseconds(static_cast<double>(test->duration_ns))});
    cells.push_back(
        {test->runs > 1 ? fmt::format("{} ({} runs)", test->name, test->runs) : test->name});
    table.AddRow(std::move(cells));
  }
  return PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
}

Result<int> ShowTestsOf(const TestsOptions& options, const TestReach& reach) {
  struct Row {
    MethodId method{};
    TestReach::ByTest by;
  };
  std::vector<Row> rows;
  size_t matching = 0, called = 0;
  for (size_t i = 0; i < reach.methods().size(); ++i) {
    const MethodId method{static_cast<uint32_t>(i)};
    if (!reach.IsObserved(method) || !MatchesGlob(options.method, reach.methods()[method]))
      continue;
    ++matching;
    if (reach.IsCalled(method)) ++called;
    for (const TestReach::ByTest& by : reach.TestsOf(method)) rows.push_back({method, by});
  }
  if (matching == 0) {
    return Status::Error(fmt::format(
        "--method {}: no method of the program matches; names are as yp edges prints them",
        options.method));
  }
  if (rows.empty()) {
    Note(called == 0
             ? fmt::format("nothing called {}", options.method)
             : fmt::format("no test reaches {}: it was called while no test ran", options.method));
  }
  CutRows(&rows, options.Limit());
  if (options.json.IsWanted()) {
    Json array = Json::Array();
    for (const Row& row : rows) {
      array.Append({{"test", reach.tests()[row.by.test].name},
                    {"method", NameOf(reach.methods(), row.method)},
                    {"alone", row.by.alone}});
    }
    const Status printed = PrintJsonRows(options.json, "tests", std::move(array));
    return printed ? Result<int>(0) : printed;
  }
  using Column = Table::Column;
  Table table({"method", "test"}, {Column::kName, Column::kLeft});
  for (const Row& row : rows) {
    const std::string& name = reach.tests()[row.by.test].name;
    table.AddRow({NameForms(reach.methods(), row.method),
                  {row.by.alone ? name : name + " (or one beside it)"}});
  }
  const Status printed = PrintOut(rows.empty() ? "" : table.Render(TerminalWidth(STDOUT_FILENO)));
  return printed ? Result<int>(0) : printed;
}

// A table, of whose `all` rows it has so many.
Result<int> PrintCut(const Table& table, size_t rows, size_t all) {
  std::string text = table.Render(TerminalWidth(STDOUT_FILENO));
  if (all > rows) text += fmt::format("... {} more: -n {} or --json shows all\n", all - rows, all);
  const Status printed = PrintOut(text);
  return printed ? Result<int>(0) : printed;
}

Result<int> ShowUnreached(const TestsOptions& options, const TestReach& reach) {
  std::vector<MethodId> rows = reach.Uncalled();
  const size_t all = rows.size();
  const auto name = [&](MethodId method) { return NameOf(reach.methods(), method); };
  std::ranges::sort(rows, {}, name);
  CutRows(&rows, options.Limit());
  if (options.json.IsWanted()) {
    Json array = Json::Array();
    for (const MethodId id : rows) {
      const Method& method = reach.methods()[id];
      array.Append(
          {{"method", name(id)}, {"source", method.SourcePath()}, {"line", method.FirstLine()}});
    }
    const Status printed = PrintJsonRows(options.json, "methods", std::move(array));
    return printed ? Result<int>(0) : printed;
  }
  using Column = Table::Column;
  Table table({"never called", "source"}, {Column::kName, Column::kLeft});
  for (const MethodId id : rows) {
    const Method& method = reach.methods()[id];
    const int line = method.FirstLine();
    table.AddRow(
        {NameForms(reach.methods(), id),
         {line == 0 ? method.source_file : fmt::format("{}:{}", method.source_file, line)}});
  }
  return PrintCut(table, rows.size(), all);
}

Result<int> ShowUnexecuted(const TestsOptions& options, const TestReach& reach) {
  std::vector<UnexecutedCall> rows = reach.UnexecutedCallsInCalled();
  const size_t all = rows.size();
  const auto name = [&](const UnexecutedCall& call) {
    return NameOf(reach.methods(), call.caller);
  };
  std::ranges::stable_sort(rows, {}, name);
  CutRows(&rows, options.Limit());
  const auto line_of = [&](const UnexecutedCall& call) {
    return LineOf(reach.methods(), Edge{call.caller, call.bci, kNoMethod});
  };
  if (options.json.IsWanted()) {
    Json array = Json::Array();
    for (const UnexecutedCall& call : rows) {
      array.Append({{"caller", name(call)},
                    {"bci", call.bci},
                    {"source", reach.methods()[call.caller].SourcePath()},
                    {"line", line_of(call)},
                    {"callee", call.callee}});
    }
    const Status printed = PrintJsonRows(options.json, "calls", std::move(array));
    return printed ? Result<int>(0) : printed;
  }
  using Column = Table::Column;
  CallSites sites(reach.methods());
  for (const Edge& edge : reach.edges()) sites.Add(edge);
  for (const UnexecutedCall& call : rows) sites.Add({call.caller, call.bci, kNoMethod});
  Table table({"caller", "at", "never calls"}, {Column::kName, Column::kLeft, Column::kName});
  for (const UnexecutedCall& call : rows) {
    table.AddRow({NameForms(reach.methods(), call.caller),
                  sites.Forms({call.caller, call.bci, kNoMethod}),
                  NameForms(MethodOfFullName(call.callee))});
  }
  return PrintCut(table, rows.size(), all);
}

Result<int> ShowReach(const TestsOptions& options) {
  const Result<TestOrder> by = Choose<TestOrder>("--by", options.by,
                                                 {{"order", TestOrder::kOrder},
                                                  {"methods", TestOrder::kMethods},
                                                  {"edges", TestOrder::kEdges},
                                                  {"only", TestOrder::kOnly},
                                                  {"time", TestOrder::kTime}});
  if (!by) return by.status();
  std::vector<Profile> profiles;
  size_t runs = 0;
  for (const std::string& path : options.paths) {
    Result<Profile> profile = LoadProfileArgument(path);
    if (!profile) return profile.status();
    runs += profile->tests.size();
    const bool lists_all = profile->ConfigOr(config_key::kProbeMethodsListed, "") == "all";
    if (options.unreached && !lists_all) {
      return Status::Error(fmt::format(
          "--unreached: {} does not say which methods were never called: record it with yp run "
          "--mode edges, or exact",
          path));
    }
    if (options.unexecuted && !profile->lists_unexecuted_calls()) {
      return Status::Error(fmt::format(
          "--unexecuted: {} does not say which calls were never executed: record it with yp run "
          "--mode edges, to its end",
          path));
    }
    const bool is_of_tests = !options.unreached && !options.unexecuted;
    if (!profile->tests.empty() && !profile->finds_edges() && is_of_tests) {
      Note(
          fmt::format("warning: {} has the times of tests and not what they reached: record it "
                      "with --mode edges",
                      path));
    }
    profiles.push_back(std::move(*profile));
  }
  const TestReach reach(profiles);
  if (options.unreached) return ShowUnreached(options, reach);
  if (options.unexecuted) return ShowUnexecuted(options, reach);
  if (runs == 0) {
    return Status::Error(fmt::format(
        "{} has no tests: record them with yp run --mode edges --tests, or mark them with yp mark",
        options.paths.size() == 1 ? options.paths.front() : "none of the profiles"));
  }
  if (!options.method.empty()) return ShowTestsOf(options, reach);
  const Status shown = ShowTests(options, reach, *by);
  return shown ? Result<int>(0) : shown;
}

}  // namespace

void AddTestsCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("tests", "Which test reached what, and what none did");
  command.Footer(kTestsFooter);
  const auto options = std::make_shared<TestsOptions>();
  command.Option("profile", &options->paths, "Profiles that yp run --mode edges wrote")
      .Value("P")
      .Required();
  Flag method =
      command.Option("--method", &options->method, "Which tests reach the methods that match")
          .Value("GLOB");
  Flag unreached =
      command
          .Switch("--unreached", &options->unreached, "The program's methods that nothing called")
          .Excludes(method);
  command
      .Switch("--unexecuted", &options->unexecuted,
              "The calls in methods that ran which were never executed")
      .Excludes(method)
      .Excludes(unreached);
  command.Option("--by", &options->by, "Which tests come first")
      .Value("order|methods|edges|only|time")
      .ShowDefault();
  AddRowsOption(command, &options->limit);
  AddJsonRowsOptions(command, &options->json, "tests");
  command.WhenChosen([=] { invocation->run = [=] { return ShowReach(*options); }; });
}

}  // namespace yp
