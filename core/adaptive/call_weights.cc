#include "core/adaptive/call_weights.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace yp {
namespace {

constexpr std::string_view kHead = "yieldpoint call weights 1\n";

// Cuts what stands before `end` off the text; false when there is no such character.
bool Cut(std::string_view& text, char end, std::string_view& part) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return false;
  part = text.substr(0, at);
  text.remove_prefix(at + 1);
  return true;
}

template <typename Number>
bool ToNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string CallWeights::Key(std::string_view caller, int32_t bci) {
  std::string key = std::to_string(bci);
  key += '\t';
  return key += caller;
}

CallWeights CallWeights::Of(const DynamicCallGraph& graph,
                            const std::function<std::string(MethodId)>& full_name_of) {
  CallWeights weights;
  for (const auto& [edge, calls] : graph.edges()) {
    if (edge.caller == kNoMethod || edge.bci == kNoBci) continue;
    weights.Add(full_name_of(edge.caller), edge.bci, full_name_of(edge.callee), calls);
  }
  return weights;
}

void CallWeights::Add(std::string_view caller, int32_t bci, std::string_view callee, double calls) {
  sites_[Key(caller, bci)][std::string(callee)] += calls;
  total_ += calls;
}

std::vector<CallWeights::Target> CallWeights::At(std::string_view caller, int32_t bci) const {
  std::vector<Target> targets;
  const auto site = sites_.find(Key(caller, bci));
  if (site == sites_.end()) return targets;
  double of_site = 0;
  for (const auto& [callee, calls] : site->second) of_site += calls;
  for (const auto& [callee, calls] : site->second) {
    targets.push_back({callee, total_ > 0 ? calls / total_ : 0, of_site > 0 ? calls / of_site : 0});
  }
  std::ranges::sort(targets, [](const Target& a, const Target& b) {
    return std::tie(b.weight, a.callee) < std::tie(a.weight, b.callee);
  });
  return targets;
}

std::string CallWeights::Text() const {
  std::string text(kHead);
  for (const auto& [key, callees] : sites_) {
    for (const auto& [callee, calls] : callees) {
      char number[32];
      const auto end = std::to_chars(number, number + sizeof number, calls).ptr;
      text.append(number, end);
      text += '\t' + key + '\t' + callee + '\n';
    }
  }
  return text;
}

Result<CallWeights> CallWeights::Parse(std::string_view text) {
  if (!text.starts_with(kHead)) return Status::Error("no call weights, or of another version");
  text.remove_prefix(kHead.size());
  CallWeights weights;
  for (std::string_view line; !text.empty();) {
    std::string_view calls_text, bci_text, caller;
    double calls = 0;
    int32_t bci = 0;
    if (!Cut(text, '\n', line) || !Cut(line, '\t', calls_text) || !Cut(line, '\t', bci_text) ||
        !Cut(line, '\t', caller) || !ToNumber(calls_text, calls) || !ToNumber(bci_text, bci) ||
        !(calls >= 0)) {
      return Status::Error("a malformed line of call weights");
    }
    weights.Add(caller, bci, line, calls);
  }
  return weights;
}

}  // namespace yp
