#ifndef YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_
#define YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_

#include <sstream>
#include <string>

#include "format/profile/profile.h"

namespace yp {

// A sampled profile with names that formats like to get wrong: "<init>", "$", spaces, quotes,
// backslashes, braces, letters outside ASCII, a method without a source file and one without lines.
inline Profile OddProfile() {
  Profile profile;
  profile.config = {{"command", "java -jar \"my app\".jar"},
                    {"jvm.version", "17.0.1"},
                    {"mode", "cbs"},
                    {"stride", "7"}};
  const MethodId main = profile.methods.Intern({"com.example.App",
                                                "main",
                                                "([Ljava/lang/String;)V",
                                                "App.java",
                                                Method::kStatic,
                                                {{0, 10}, {5, 11}, {12, 14}}});
  const MethodId init = profile.methods.Intern(
      {"com.example.Größe$Inner", "<init>", "(I)V", "Größe.java", 0, {{0, 7}, {4, 8}}});
  const MethodId odd = profile.methods.Intern(
      {"we\"ird", "a b\\c{d|e}\t'é日本𝄞", "()I", "we\"ird \\.kt", 0, {{0, 3}}});
  const MethodId native =
      profile.methods.Intern({"java.lang.System", "nanoTime", "()J", "", Method::kNative, {}});
  const auto edge = [&profile](MethodId caller, int32_t bci, MethodId callee, uint64_t samples,
                               double calls) {
    EdgeStats stats;
    stats.edge = {caller, bci, callee};
    stats.samples = samples;
    stats.calls = calls;
    stats.uncorrected = calls * 1.5;
    stats.low = calls * 0.75;
    stats.high = calls * 1.25;
    stats.variance = calls / 4;
    stats.flags = kEdgeSampled;
    profile.edges.push_back(stats);
  };
  edge(kNoMethod, kNoBci, main, 1, 1);
  edge(main, 5, init, 60, 600.5);
  edge(main, 12, init, 20, 200.25);
  edge(init, 4, odd, 15, 150);
  edge(odd, 9, odd, 3, 30);
  edge(odd, 11, native, 1, 10);
  profile.edges.back().flags |= kEdgeNoInterval;
  spool::Window window;
  window.tick = 1;
  window.thread = ThreadId{1};
  window.start_ns = 10'000'000;
  window.latency_ns = 1200;
  window.duration_ns = 50'000;
  window.interval_ns = 10'000'000;
  window.near_calls = 77'000;
  window.calls = 100;
  window.samples = {{EdgeId{0}, 1}, {EdgeId{1}, 60}, {EdgeId{2}, 20}, {EdgeId{3}, 15}};
  profile.windows.push_back(window);
  window.tick = 2;
  window.start_ns = 20'000'000;
  window.samples = {{EdgeId{4}, 3}, {EdgeId{5}, 1}};
  profile.windows.push_back(window);
  const ContextId in_main = profile.contexts.Child(kRootContext, kNoBci, main);
  profile.contexts.Add(profile.contexts.Child(in_main, 5, init), 7);
  profile.contexts.Add(in_main, 2);
  profile.threads = {{ThreadId{1}, "main"}, {ThreadId{7}, "pool \"1\""}};
  profile.drops = {{"ring full", 3}, {"no frame", 0}};
  profile.complete = true;
  profile.damage = "damaged in 1 place, 5 bytes ignored";
  profile.duration_ns = 30'000'000;
  profile.agent_cpu_ns = 77;
  return profile;
}

// Everything in a profile, a line each.
inline std::string Describe(const Profile& profile) {
  std::ostringstream out;
  out.precision(17);
  for (const auto& [key, value] : profile.config) out << "config " << key << "=" << value << "\n";
  for (const Method& method : profile.methods.methods()) {
    out << "method " << method.FullName() << " in " << method.source_file << " flags "
        << method.flags << " lines";
    for (const auto& line : method.lines) out << " " << line.bci << ":" << line.line;
    out << "\n";
  }
  for (const EdgeStats& e : profile.edges) {
    out << "edge " << profile.NameOf(e.edge.caller) << " @" << e.edge.bci << " line "
        << profile.LineOf(e.edge) << " -> " << profile.NameOf(e.edge.callee) << " samples "
        << e.samples << " calls " << e.calls << " uncorrected " << e.uncorrected << " [" << e.low
        << ", " << e.high << "] variance " << e.variance << " flags " << e.flags << "\n";
  }
  for (const spool::Window& w : profile.windows) {
    out << "window " << w.tick << " thread " << ToIndex(w.thread) << " start " << w.start_ns
        << " latency " << w.latency_ns << " duration " << w.duration_ns << " interval "
        << w.interval_ns << " calls " << w.calls << " near " << w.near_calls << " samples";
    for (const auto& [edge, samples] : w.samples) out << " " << ToIndex(edge) << ":" << samples;
    out << "\n";
  }
  for (const CallingContextTree::Node& node : profile.contexts.nodes()) {
    out << "context of " << ToIndex(node.parent) << " @" << node.bci << " "
        << profile.NameOf(node.method) << " samples " << node.weight << "\n";
  }
  for (const auto& t : profile.threads) out << "thread " << ToIndex(t.id) << " " << t.name << "\n";
  for (const auto& [reason, total] : profile.drops)
    out << "drop " << reason << " " << total << "\n";
  out << "complete " << profile.complete << " damage " << profile.damage << " duration "
      << profile.duration_ns << " agent " << profile.agent_cpu_ns << "\n";
  return out.str();
}

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_
