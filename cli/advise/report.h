#ifndef YP_CLI_ADVISE_REPORT_H_
#define YP_CLI_ADVISE_REPORT_H_

#include <string>
#include <vector>

#include "cli/advise/advisor.h"
#include "format/json/json.h"

// What the user is told of an advice.
namespace yp {

struct AdviceContext {
  std::vector<std::string> command;
  Metric metric = Metric::kWall;
  bool is_launcher = false;  // The command is a java launcher; else its JVMs read the environment.
  std::string tool_options;  // What $JAVA_TOOL_OPTIONS has already.
  std::string kept_file;     // The file that the recommendation needs, if it was kept.
};

std::string_view NameOf(Metric metric);

// The options to paste; a file that is not kept stands there by its name alone.
std::vector<std::string> RecommendedFlags(const Advice& advice, const AdviceContext& context);

// What is to be run, one command a line: what makes the file, if it was not kept, and the program.
std::vector<std::string> CommandsToRun(const Advice& advice, const AdviceContext& context);

// A table `width` columns wide, and the advice in words.
std::string AdviceText(const Advice& advice, const AdviceContext& context, size_t width);

// The object of yp advise --json; docs/advise.md has its fields.
Json AdviceJson(const Advice& advice, const AdviceContext& context);

// What the recommendation costs besides: "it takes 1.3 times the memory".
std::vector<std::string> SideEffects(const Advice& advice, Metric metric);

}  // namespace yp

#endif  // YP_CLI_ADVISE_REPORT_H_
