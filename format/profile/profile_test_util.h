#ifndef YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_
#define YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_

#include <optional>
#include <sstream>
#include <string>

#include "format/profile/profile.h"

namespace yp {

// What compilers did to a method that is there in two class loaders, and what was seen of it.
inline JitProfile OddJit(MethodId main, MethodId init) {
  JitProfile jit;
  const JitMethod app{"com.example.App.main([Ljava/lang/String;)V", "app"};
  const JitMethod inner{"com.example.Größe$Inner.<init>(I)V", "it's \"mine\""};
  JitCompilation first;
  first.compile_id = 17;
  first.method = app;
  first.is_osr = true;
  first.osr_bci = 5;
  first.level = 3;
  first.compiler = "c1";
  first.thread = "C1 CompilerThread0";
  first.start_ns = 1'000;
  first.end_ns = 2'500;
  first.code_bytes = 800;
  jit.log.On(first);
  JitCompilation second;
  second.compile_id = 18;
  second.method = {app.full_name, "other"};
  second.level = 4;
  second.queued_ns = -7;
  second.start_ns = 3'000;
  second.end_ns = 9'000;
  second.cpu_ns = 4'321;
  second.succeeded = false;
  second.failure = "out of nodes";
  second.bytecode_bytes = 44;
  second.inlined_bytes = 12;
  jit.log.On(second);
  jit.log.On(JitInlining{17, true, app, 5, inner, true, "inline (hot)"});
  jit.log.On(JitInlining{17, true, app, 12, inner, false, "too big"});
  jit.log.On(JitInlining{18, false, inner, 4, app, true, "inline (hot)"});
  jit.log.On(JitDeoptimization{9'500, 17, true, 3, inner, 4, 8, "class_check", "reinterpret", "t"});
  jit.log.On(JitCodeEnd{9'600, 17, true, app, JitCodeEndKind::kUnloaded, "cold"});
  jit.log.On(JitCodeEnd{9'700, 18, false, app, JitCodeEndKind::kNotEntrant, ""});
  jit.lacks = {"the first second", "and \"more\""};
  jit.decisions = {{.time_ns = 9'800,
                    .method = jit.log.Intern(app),
                    .reason = "a higher \"level\"",
                    .recompiles = true,
                    .from = 0,
                    .to = 2,
                    .past_ns = 40'000'000,
                    .compile_ns = 4'300'000,
                    .future_ns = 6'800'000,
                    .bytes = 80,
                    .samples = 2.125},
                   {.method = jit.log.Intern(inner), .reason = "no higher level"}};
  const CodeLabel osr{.compile_id = 17, .level = 3, .is_osr = true};
  const CodeLabel inlined{.compile_id = 17, .level = 3, .is_osr = true, .is_inlined = true};
  const ContextId in_main = jit.contexts.Child(kRootContext, kNoBci, main, osr);
  jit.contexts.Add(jit.contexts.Child(in_main, 5, init, inlined), 4);
  jit.contexts.Add(jit.contexts.Child(in_main, 5, init), 2);
  jit.contexts.Add(jit.contexts.Child(in_main, 5, init, CodeLabel::Unknown()), 1);
  jit.periods.resize(2);
  jit.periods[0].end_ns = 100;
  jit.periods[0].samples = {{main, osr, 4}, {init, {}, 2}, {init, CodeLabel::Unknown(), 1}};
  jit.periods[1].end_ns = 300;
  jit.periods[1].open_samples = 2.5;
  jit.periods[1].calls = {{init, 18, 3, 3027.5}, {init, 0, 1, 1009}};
  jit.periods[1].counted = {{main, 512}};
  return jit;
}

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
    stats.share_low = calls / 1024;
    stats.share_high = calls / 768;
    stats.variance = calls / 4;
    stats.flags = kEdgeSampled;
    profile.edges.push_back(stats);
  };
  edge(kNoMethod, kNoBci, main, 1, 1);
  edge(main, 5, init, 60, 600.5);
  edge(main, 12, init, 20, 200.25);
  profile.edges.back().counted = 50.25;
  edge(init, 4, odd, 15, 150);
  edge(odd, 9, odd, 3, 30);
  edge(odd, 11, native, 1, 10);
  profile.edges.back().flags |= kEdgeNoInterval;
  profile.ticks = {{1, 9'000'000, 2'000'000, 10'000'000, 1'500'000, 8'000'000},
                   {2, 19'000'000, 2'000'000, 10'000'000, 1'700'000, 17'000'000}};
  profile.total_deviation = 0.125;
  for (const EdgeStats& stats : profile.edges) {
    auto& replicates = profile.replicates.emplace_back();
    for (size_t group = 0; group < kReplicates; ++group) {
      replicates[group] = static_cast<float>(stats.calls * static_cast<double>(group) / 8);
    }
  }
  spool::Window window;
  window.tick = 1;
  window.thread = ThreadId{1};
  window.start_ns = 10'000'000;
  window.latency_ns = 1200;
  window.duration_ns = 50'000;
  window.interval_ns = 10'000'000;
  window.weight = 1027.5;
  window.near_calls = 77'000;
  window.calls = 100;
  window.samples = {{EdgeId{0}, 1}, {EdgeId{1}, 60}, {EdgeId{2}, 20}, {EdgeId{3}, 15}};
  profile.windows.push_back(window);
  window.tick = 2;
  window.start_ns = 20'000'000;
  window.samples = {{EdgeId{4}, 3}, {EdgeId{5}, 1}};
  window.steps = 64;
  profile.windows.push_back(window);
  const ContextId in_main = profile.contexts.Child(kRootContext, kNoBci, main);
  profile.contexts.Add(profile.contexts.Child(in_main, 5, init), 7);
  profile.contexts.Add(in_main, 2);
  profile.jit = OddJit(main, init);
  profile.stack_times = {.part_ns = 10'000'000,
                         .threads = {{"main", "pool \"1\""}, {{ThreadId{1}, 0}, {ThreadId{7}, 1}}},
                         .samples = {{0, 0, ContextId{2}, 3},
                                     {1, 0, ContextId{2}, 1},
                                     {1, 1, ContextId{3}, 2},
                                     {1, 1, ContextId{4}, 1}}};
  profile.tests = {{"shop.CartTest.add()", 1'000, 2'000, {{EdgeId{0}, true}, {EdgeId{3}, false}}},
                   {"a \"b\", ü", 1'500, std::nullopt, {{EdgeId{3}, false}}},
                   {"shop.CartTest.add()", 3'000, 3'000, {}}};
  profile.unexecuted_calls = {{main, 40, "com.example.Größe$Inner.<init>(I)V"},
                              {init, 65535, "it's.\"odd\"()V"}};
  profile.threads = {{ThreadId{1}, "main"}, {ThreadId{7}, "pool \"1\""}};
  profile.drops = {{"ring full", 3}, {"no frame", 0}};
  profile.complete = true;
  profile.damage = "damaged in 1 place, 5 bytes ignored";
  profile.duration_ns = 30'000'000;
  profile.agent_cpu_ns = 77;
  return profile;
}

template <typename T>
std::string InWords(const std::optional<T>& value) {
  return value ? std::to_string(*value) : "none";
}

// Everything in it, a line each. Methods by their names.
inline std::string Describe(const JitProfile& jit, const MethodTable& methods) {
  std::ostringstream out;
  out.precision(17);
  const JitLog& log = jit.log;
  const auto name = [&log](JitMethodId id) { return log[id].full_name + " of " + log[id].loader; };
  for (const auto& c : log.compilations) {
    out << "compilation " << c.compile_id << " " << name(c.method) << " osr " << c.is_osr << " "
        << InWords(c.osr_bci) << " level " << c.level << " " << c.compiler << " " << c.thread << " "
        << InWords(c.queued_ns) << " " << c.start_ns << " " << c.end_ns << " " << c.succeeded << " "
        << c.failure << " " << InWords(c.code_bytes) << " " << InWords(c.bytecode_bytes) << " "
        << InWords(c.inlined_bytes) << " cpu " << InWords(c.cpu_ns) << "\n";
  }
  for (const auto& i : log.inlinings) {
    out << "inlining " << i.compile_id << " " << i.is_osr << " " << name(i.caller) << " @" << i.bci
        << " " << name(i.callee) << " " << i.succeeded << " " << i.reason << "\n";
  }
  for (const auto& d : log.deoptimizations) {
    out << "deoptimization " << d.time_ns << " " << d.compile_id << " " << d.is_osr << " "
        << d.level << " " << name(d.method) << " @" << d.bci << " " << d.line << " " << d.reason
        << " " << d.action << " " << d.thread << "\n";
  }
  for (const auto& e : log.code_ends) {
    out << "end " << e.time_ns << " " << e.compile_id << " " << e.is_osr << " " << name(e.method)
        << " " << static_cast<int>(e.kind) << " " << e.reason << "\n";
  }
  for (const auto& d : jit.decisions) {
    out << "decision " << d.time_ns << " " << name(d.method) << " " << d.reason << " "
        << d.recompiles << " " << d.from << " to " << d.to << " past " << d.past_ns << " compile "
        << d.compile_ns << " future " << d.future_ns << " bytes " << d.bytes << " samples "
        << d.samples << "\n";
  }
  for (const std::string& lack : jit.lacks) out << "lack " << lack << "\n";
  for (const CallingContextTree::Node& node : jit.contexts.nodes()) {
    out << "context of " << ToIndex(node.parent) << " @" << node.bci << " "
        << NameOf(methods, node.method) << " code " << node.code.Packed() << " samples "
        << node.weight << "\n";
  }
  for (const CodePeriod& period : jit.periods) {
    out << "period to " << period.end_ns << " open " << period.open_samples << "\n";
    for (const auto& s : period.samples) {
      out << "samples " << NameOf(methods, s.method) << " code " << s.code.Packed() << " "
          << s.samples << "\n";
    }
    for (const auto& c : period.calls) {
      out << "calls " << NameOf(methods, c.method) << " " << c.compile_id << " " << c.samples << " "
          << c.calls << "\n";
    }
    for (const auto& c : period.counted) {
      out << "counted " << NameOf(methods, c.method) << " " << c.invocations << "\n";
    }
  }
  return out.str();
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
        << ", " << e.high << "] share [" << e.share_low << ", " << e.share_high << "] variance "
        << e.variance << " counted " << e.counted << " flags " << e.flags << "\n";
  }
  for (const spool::Tick& t : profile.ticks) {
    out << "tick " << t.tick << " begin " << t.begin_ns << " open " << t.open_ns << " period "
        << t.period_ns << " cpu " << t.open_cpu_ns << " of " << t.program_cpu_ns << "\n";
  }
  if (profile.total_deviation) out << "deviation " << *profile.total_deviation << "\n";
  for (const auto& replicates : profile.replicates) {
    out << "replicates";
    for (const float replicate : replicates) out << " " << replicate;
    out << "\n";
  }
  for (const spool::Window& w : profile.windows) {
    out << "window " << w.tick << " thread " << ToIndex(w.thread) << " start " << w.start_ns
        << " latency " << w.latency_ns << " duration " << w.duration_ns << " interval "
        << w.interval_ns << " calls " << w.calls << " near " << w.near_calls << " weight "
        << w.weight << " samples";
    for (const auto& [edge, samples] : w.samples) out << " " << ToIndex(edge) << ":" << samples;
    out << "\n";
  }
  for (const CallingContextTree::Node& node : profile.contexts.nodes()) {
    out << "context of " << ToIndex(node.parent) << " @" << node.bci << " "
        << profile.NameOf(node.method) << " samples " << node.weight << "\n";
  }
  out << Describe(profile.jit, profile.methods);
  out << "stacks by " << profile.stack_times.part_ns << "\n";
  for (const StackTimes::Samples& s : profile.stack_times.samples) {
    out << "stacks " << s.part << " " << profile.stack_times.threads.names[s.group] << " "
        << ToIndex(s.context) << ": " << s.samples << "\n";
  }
  for (const TestRun& test : profile.tests) {
    out << "test " << test.name << " from " << test.begin_ns << " to " << InWords(test.end_ns);
    for (const auto& [edge, alone] : test.reached) {
      out << " " << ToIndex(edge) << (alone ? " alone" : "");
    }
    out << "\n";
  }
  for (const UnexecutedCall& call : profile.unexecuted_calls) {
    out << "unexecuted in " << profile.NameOf(call.caller) << " @" << call.bci << " " << call.callee
        << "\n";
  }
  for (const auto& t : profile.threads) {
    const auto& groups = profile.stack_times.threads.group;
    const auto group = groups.find(t.id);
    out << "thread " << ToIndex(t.id) << " " << t.name << " group "
        << (group == groups.end() ? "none" : std::to_string(group->second)) << "\n";
  }
  for (const auto& [reason, total] : profile.drops)
    out << "drop " << reason << " " << total << "\n";
  out << "complete " << profile.complete << " damage " << profile.damage << " duration "
      << profile.duration_ns << " agent " << profile.agent_cpu_ns << "\n";
  return out.str();
}

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_PROFILE_TEST_UTIL_H_
