// Rewrites every class of java.base, and of the jars in /usr/share/java, and lets JVMs verify them.
// A class that links before must link after, and one that does not must fail in the same way.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/sanitizer.h"
#include "classfile/bytes.h"
#include "classfile/check.h"
#include "classfile/class_file.h"
#include "classfile/instructions.h"
#include "classfile/invokes.h"
#include "classfile/rename.h"
#include "classfile/rewriter.h"

namespace yp::classfile {
namespace {

namespace fs = std::filesystem;

constexpr char kJars[] = "/usr/share/java";

// Sanitizers slow the rewriting down thirtyfold, so under them only every so many-th class is
// rewritten.
constexpr size_t kStride = kIsSanitized ? 32 : 1;

struct BundledClass {
  std::string name;
  std::vector<uint8_t> bytes;
};

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The home of a JDK, by its feature version; empty when none is installed.
std::string FindJdk(int version) {
  const fs::path all = "/usr/lib/jvm";
  if (!fs::exists(all)) return "";
  for (const fs::directory_entry& entry : fs::directory_iterator(all)) {
    const std::string release = ReadAll(entry.path() / "release");
    const std::string line = "JAVA_VERSION=\"" + std::to_string(version);
    const size_t at = release.find(line);
    if (at == std::string::npos || std::isdigit(release[at + line.size()]) != 0) continue;
    if (fs::exists(entry.path() / "bin" / "javac")) return entry.path();
  }
  return "";
}

int NewestJdk() { return FindJdk(25).empty() ? 17 : 25; }

// The format is described in testdata/ClassBundle.java.
std::vector<BundledClass> ReadBundle(const fs::path& path) {
  const std::string content = ReadAll(path);
  ByteReader reader({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
  std::vector<BundledClass> classes(reader.U4());
  for (BundledClass& c : classes) {
    c.name = AsText(reader.Read(reader.U2()));
    const Bytes bytes = reader.Read(reader.U4());
    c.bytes.assign(bytes.begin(), bytes.end());
  }
  EXPECT_FALSE(reader.failed());
  return classes;
}

void WriteBundle(const fs::path& path, const std::vector<BundledClass>& classes) {
  std::vector<uint8_t> out;
  AppendU4(out, static_cast<uint32_t>(classes.size()));
  for (const BundledClass& c : classes) {
    AppendU2(out, static_cast<uint32_t>(c.name.size()));
    out.insert(out.end(), c.name.begin(), c.name.end());
    AppendU4(out, static_cast<uint32_t>(c.bytes.size()));
    AppendBytes(out, c.bytes);
  }
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size()));
}

enum class Probes { kEntries, kEntriesAndSites, kMixed, kContexts };

// What happened to the methods of a set of classes.
using Outcomes = std::map<ProbeOutcome, uint32_t>;

// Every invoke of the original must be found again where the map says, and lead back.
void ExpectInvokesKept(const ClassFile& before, const ClassFile& after,
                       const MethodOutcome& outcome, uint32_t probe_calls) {
  const Method& old_method = before.methods()[outcome.method];
  const Method& new_method = after.methods()[outcome.method];
  std::map<uint32_t, Invoke> new_invokes;
  InvokeCursor new_cursor(after, new_method);
  for (Invoke invoke; new_cursor.Next(invoke);) {
    new_invokes[invoke.bci] = invoke;
  }
  uint32_t old_invokes = 0;
  InvokeCursor old_cursor(before, old_method);
  for (Invoke invoke; old_cursor.Next(invoke);) {
    ++old_invokes;
    const auto moved = new_invokes.find(outcome.map.Moved(invoke.bci));
    ASSERT_NE(moved, new_invokes.end());
    ASSERT_EQ(moved->second.opcode, invoke.opcode);
    ASSERT_EQ(moved->second.name, invoke.name);
    ASSERT_EQ(moved->second.owner, invoke.owner);
    ASSERT_EQ(outcome.map.OriginalBci(static_cast<int32_t>(moved->first)),
              static_cast<int32_t>(invoke.bci));
  }
  ASSERT_EQ(new_invokes.size(), old_invokes + probe_calls);
}

// Returns the number of calls.
uint32_t AddProbes(const ClassFile& file, uint32_t m, Probes probes, Rewriter& rewriter) {
  uint32_t calls = 1;
  // Every third id needs a constant.
  const int32_t method_id = m % 3 == 0 ? 100'000 + static_cast<int32_t>(m) : 7;
  std::vector<ContextSite> sites;
  InvokeCursor cursor(file, file.methods()[m]);
  for (Invoke invoke; probes != Probes::kEntries && cursor.Next(invoke);) {
    const int32_t id = invoke.bci % 3 == 0 ? 200'000 : 8;
    sites.push_back({invoke.bci, id});
    ++calls;
    if (probes == Probes::kContexts) continue;
    const bool has_receiver_call =
        invoke.IsVirtual() && rewriter.AddReceiverCall(m, invoke.bci, invoke.descriptor, id);
    if (!has_receiver_call) rewriter.AddSiteCall(m, invoke.bci, id);
  }
  if (probes != Probes::kContexts) {
    rewriter.AddEntryCall(m, method_id);
    return calls;
  }
  rewriter.AddContextCalls(m, method_id, sites);
  if (!file.methods()[m].code) return 0;
  const Bytes code = file.methods()[m].code->bytecode;
  uint32_t bci = 0;
  for (std::optional<Instruction> at; (at = DecodeInstruction(code, bci)); bci += at->length) {
    calls += IsReturn(at->opcode) ? 1 : 0;
  }
  return calls;
}

void RewriteClass(BundledClass& c, Probes probes, const std::string& owner, Outcomes& outcomes) {
  SCOPED_TRACE(c.name);
  Result<ClassFile> file = ClassFile::Parse(c.bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  const Status input_ok = CheckClass(*file);
  ASSERT_TRUE(input_ok.ok()) << input_ok.message();
  Rewriter rewriter(
      *file,
      {{owner, "check", "site", {}, "receive", "enterContext", "siteContext", "leaveContext"},
       kHotSpotHugeMethodLimit});
  std::vector<uint32_t> calls;
  for (uint32_t m = 0; m < file->methods().size(); ++m) {
    calls.push_back(AddProbes(*file, m, probes, rewriter));
  }
  const RewriteResult result = rewriter.Finish();
  Result<ClassFile> after = ClassFile::Parse(result.bytes);
  ASSERT_TRUE(after.ok()) << after.message();
  const Status output_ok = CheckClass(*after);
  ASSERT_TRUE(output_ok.ok()) << output_ok.message();
  for (const MethodOutcome& outcome : result.methods) {
    ++outcomes[outcome.outcome];
    if (outcome.outcome == ProbeOutcome::kProbed) {
      ASSERT_NO_FATAL_FAILURE(ExpectInvokesKept(*file, *after, outcome, calls[outcome.method]));
    }
  }
  c.bytes = result.bytes;
}

class Roundtrip : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    home_ = FindJdk(GetParam());
    if (home_.empty()) {
      GTEST_SKIP() << "NOT TESTED: there is no JDK " << GetParam() << " in /usr/lib/jvm";
    }
    std::string name = testing::TempDir() + "yp_roundtrip_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dir_ = name;
    Run(home_ + "/bin/javac --release 17 -d " + dir_.string() +
        " testdata/ClassBundle.java testdata/ProbeOwner.java");
  }
  void TearDown() override {
    if (!dir_.empty()) {
      fs::remove_all(dir_);
    }
  }

  std::string Java() const { return home_ + "/bin/java"; }

  static void Run(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  // Runs ClassBundle with boot classes verified, too.
  void RunBundle(const std::string& arguments, const std::string& options = "") const {
    Run(Java() + " -Xshare:off -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal" +
        " -XX:TieredStopAtLevel=1 " + options + " -cp " + dir_.string() + " ClassBundle " +
        arguments);
  }
  std::string Path(const std::string& name) const { return (dir_ / name).string(); }

  // The class that the probes call, and one like it that no verifier accepts: without an error for
  // that one, nothing was verified.
  std::vector<BundledClass> Helpers(const std::string& package) const {
    const std::string content = ReadAll(dir_ / "ProbeOwner.class");
    const Bytes bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
    const Result<ClassFile> file = ClassFile::Parse(bytes);
    EXPECT_TRUE(file.ok()) << file.message();
    BundledClass good{package + "ProbeOwner",
                      *RenameUtf8(*file, "ProbeOwner", package + "ProbeOwner")};
    BundledClass bad{package + "Broken", *RenameUtf8(*file, "ProbeOwner", package + "Broken")};
    const Result<ClassFile> parsed = ClassFile::Parse(bad.bytes);
    const Method& last = parsed->methods().back();
    EXPECT_EQ(last.code->bytecode.size(), 1u);
    constexpr uint8_t kIreturn = 172;
    bad.bytes[static_cast<size_t>(last.code->bytecode.data() - bad.bytes.data())] = kIreturn;
    return {good, bad};
  }

  std::set<std::string> Report(const std::string& name) const {
    std::ifstream in(dir_ / name);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      lines.insert(line);
    }
    return lines;
  }

  void WriteRewritten(const std::string& original, const std::string& to, Probes probes,
                      const std::string& owner_package) {
    Outcomes outcomes;
    std::vector<BundledClass> classes = ReadBundle(dir_ / original);
    ASSERT_GT(classes.size(), 1000u);
    for (size_t i = 0; i < classes.size(); i += kStride) {
      constexpr Probes kInTurn[] = {Probes::kEntries, Probes::kEntriesAndSites, Probes::kContexts,
                                    Probes::kEntriesAndSites};
      const Probes here = probes == Probes::kMixed ? kInTurn[i / kStride % 4] : probes;
      ASSERT_NO_FATAL_FAILURE(
          RewriteClass(classes[i], here, owner_package + "ProbeOwner", outcomes));
    }
    for (BundledClass& helper : Helpers(owner_package)) {
      classes.push_back(std::move(helper));
    }
    WriteBundle(dir_ / to, classes);
    for (const auto& [outcome, methods] : outcomes) {
      GTEST_LOG_(INFO) << methods << " methods: " << ToString(outcome);
    }
    EXPECT_GT(outcomes[ProbeOutcome::kProbed], 20'000u / kStride);
    EXPECT_EQ(outcomes[ProbeOutcome::kMalformedCode], 0u);
    EXPECT_EQ(outcomes[ProbeOutcome::kFramesTooLarge], 0u);
    EXPECT_EQ(outcomes[ProbeOutcome::kNoSuchInvoke], 0u);
  }

  std::string home_;  // Of the JDK.
  fs::path dir_;
};

TEST_P(Roundtrip, JavaBaseVerifiesAndRunsWithProbesEverywhere) {
  RunBundle("collect-module " + Path("base") + " java.base");
  RunBundle("link-module " + Path("base") + " " + Path("before"));
  std::set<std::string> expected = Report("before");
  expected.insert("java/lang/Broken\tjava.lang.VerifyError");
  // All kinds of probes in turn for each JDK; in every class those with the most calls for the
  // newest.
  std::vector<Probes> kinds = {Probes::kMixed};
  if (GetParam() == NewestJdk()) {
    kinds = {Probes::kEntriesAndSites, Probes::kContexts};
  }
  for (const Probes probes : kinds) {
    ASSERT_NO_FATAL_FAILURE(WriteRewritten("base", "probed", probes, "java/lang/"));
    RunBundle("jar " + Path("probed") + " " + Path("probed.jar"));
    RunBundle("link-module " + Path("probed") + " " + Path("after"),
              "--patch-module java.base=" + Path("probed.jar"));
    EXPECT_EQ(Report("after"), expected);
  }
}

// One verifier has to look at so many classes; those of java.base are for each.
class RoundtripOfJars : public Roundtrip {};

TEST_P(RoundtripOfJars, VerifyWithProbesEverywhere) {
  std::string jars;
  std::set<std::string> sorted;
  if (!fs::exists(kJars)) {
    GTEST_SKIP() << "NOT TESTED: there is no " << kJars;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(kJars)) {
    // Most jars have a second name, without the version.
    if (entry.path().extension() == ".jar" && fs::exists(entry)) {
      sorted.insert(fs::canonical(entry));
    }
  }
  if (sorted.empty()) {
    GTEST_SKIP() << "NOT TESTED: there are no jars in " << kJars;
  }
  for (const std::string& jar : sorted) {
    jars += " " + jar;
  }
  RunBundle("collect-jars " + Path("jars") + jars);
  RunBundle("link " + Path("jars") + " " + Path("before"));
  std::set<std::string> expected = Report("before");
  expected.insert("Broken\tjava.lang.VerifyError");
  ASSERT_NO_FATAL_FAILURE(WriteRewritten("jars", "probed", Probes::kMixed, ""));
  RunBundle("link " + Path("probed") + " " + Path("after"));
  EXPECT_EQ(Report("after"), expected);
}

// The number behind `key` in what CallCounter printed; 0 when it is not there.
int CountOf(const std::string& output, const std::string& key) {
  const size_t at = output.find("\n" + key + " ");
  return at == std::string::npos ? 0 : std::atoi(output.c_str() + at + key.size() + 2);
}

// Shapes' calls of fib. fib(n) makes 2 * fib(n + 1) - 1 of them. main: fib(10); loopFromZero: 11 of
// fib(3), until 9; callFromZero: fib(2); dense(0), dense(1), dense(3), dense(6): fib of each, and
// fib(0), fib(4); caught: fib(5) once, fib(1) three times; locked: fib(7); lambda: fib(5); locals:
// fib(6).
int FibCalls() {
  const auto calls = [](int n) {
    int a = 1, b = 1;  // fib(1), fib(2)
    for (int i = 1; i < n + 1; ++i) {
      b += a;
      a = b - a;
    }
    return 2 * a - 1;
  };
  return calls(10) + 11 * calls(3) + calls(2) + calls(0) + calls(1) + calls(3) + calls(6) +
         calls(0) + calls(4) + calls(5) + 3 * calls(1) + calls(7) + calls(5) + calls(6);
}
constexpr int kOuterFibCalls = 1 + 11 + 1 + 4 + 2 + 1 + 3 + 1 + 1 + 1;

TEST_P(Roundtrip, AProbedProgramHasTheSameResultsAndItsCallsAreCounted) {
  Run(home_ + "/bin/javac -encoding UTF-8 --release 11 -g -d " + dir_.string() +
      " testdata/Shapes.java testdata/CallCounter.java");
  const std::string run = "LC_ALL=C.UTF-8 " + Java() + " -Xverify:all -cp " + dir_.string() + " ";
  Run(run + "Shapes > " + Path("plain.txt") + " 2>/dev/null");
  const std::string content = ReadAll(dir_ / "Shapes.class");
  const Bytes bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  Rewriter rewriter(*file, {{"CallCounter", "check", "site", {}, "receive"}});
  std::map<std::string, int32_t> ids;
  int32_t fib_sites_begin = 0;
  int32_t next_site = 0;
  for (uint32_t m = 0; m < file->methods().size(); ++m) {
    const Method& method = file->methods()[m];
    ids[std::string(method.name) + std::string(method.descriptor)] =
        32'760 + static_cast<int32_t>(m);
    rewriter.AddEntryCall(m, 32'760 + static_cast<int32_t>(m));
    if (method.name == "fib") {
      fib_sites_begin = next_site;
    }
    InvokeCursor cursor(*file, method);
    for (Invoke invoke; cursor.Next(invoke);) {
      const int32_t site = next_site++;
      const bool has_receiver_call =
          invoke.IsVirtual() && rewriter.AddReceiverCall(m, invoke.bci, invoke.descriptor, site);
      if (!has_receiver_call) rewriter.AddSiteCall(m, invoke.bci, site);
    }
  }
  const RewriteResult result = rewriter.Finish();
  std::ofstream(dir_ / "Shapes.class", std::ios::binary)
      .write(reinterpret_cast<const char*>(result.bytes.data()),
             static_cast<std::streamsize>(result.bytes.size()));
  Run(run + "CallCounter > " + Path("probed.txt") + " 2>/dev/null");

  const std::string plain = ReadAll(dir_ / "plain.txt");
  const std::string probed = ReadAll(dir_ / "probed.txt");
  ASSERT_FALSE(plain.empty());
  EXPECT_EQ(probed.substr(0, plain.size()), plain);
  const auto entries = [&](const std::string& method) {
    return CountOf(probed, "entry " + std::to_string(ids.at(method)));
  };
  EXPECT_EQ(entries("main([Ljava/lang/String;)V"), 1);
  // new Shapes(true) and new Shapes(false); the latter makes a third by the other constructor,
  // which they both also call, and so does main.
  EXPECT_EQ(entries("<init>(Z)V"), 2);
  EXPECT_EQ(entries("<init>(I)V"), 4);
  // From 31 down to 9 in steps of 2: the loop's head is bytecode 0, but is no entry.
  EXPECT_EQ(entries("loopFromZero(I)I"), 1);
  EXPECT_EQ(entries("callFromZero()I"), 1);
  EXPECT_EQ(entries("dense(I)I"), 4);
  EXPECT_EQ(entries("caught(Ljava/lang/Object;)I"), 3);
  EXPECT_EQ(entries("fib(I)I"), FibCalls());
  // Both call sites of fib run once in every call that does not return n itself, so each runs
  // (calls - 1) / 2 times for each call from elsewhere.
  for (const int32_t site : {fib_sites_begin, fib_sites_begin + 1}) {
    EXPECT_EQ(CountOf(probed, "site " + std::to_string(site)), (FibCalls() - kOuterFibCalls) / 2);
  }
}

// A method with more locals than an iload without `wide` reaches, and frames.
void WriteManyLocals(const fs::path& path) {
  std::ofstream out(path);
  out << "final class ManyLocals {\n  static int sum(int n) {\n    int sum = 0;\n";
  for (int i = 0; i < 300; ++i) out << "    int a" << i << " = n + " << i << ";\n";
  for (int i = 0; i < 300; ++i) out << "    if (n > " << i << ") sum += a" << i << ";\n";
  out << "    return Contexts.after(sum);\n  }\n}\n";
}

TEST_P(Roundtrip, AProgramWithContextCallsHasTheSameResultsAndTellsWhoCalledWhom) {
  WriteManyLocals(dir_ / "ManyLocals.java");
  Run(home_ + "/bin/javac -encoding UTF-8 --release 11 -g -d " + dir_.string() +
      " testdata/Shapes.java testdata/Contexts.java testdata/ContextCounter.java " +
      Path("ManyLocals.java"));
  const std::string run = "LC_ALL=C.UTF-8 " + Java() + " -Xverify:all -cp " + dir_.string() + " ";
  Run(run + "Contexts > " + Path("plain.txt"));
  std::map<std::string, std::string> ids;
  int32_t next_id = 1;
  for (const std::string name : {"Shapes", "Contexts", "ManyLocals"}) {
    const std::string content = ReadAll(dir_ / (name + ".class"));
    const Bytes bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
    const Result<ClassFile> file = ClassFile::Parse(bytes);
    ASSERT_TRUE(file.ok()) << file.message();
    Rewriter rewriter(*file, {{"ContextCounter", "", "", {}, {}, "enter", "site", "leave"}});
    for (uint32_t m = 0; m < file->methods().size(); ++m) {
      const Method& method = file->methods()[m];
      const int32_t id = next_id++;
      ids[name + "." + std::string(method.name) + std::string(method.descriptor)] =
          std::to_string(id);
      std::vector<ContextSite> sites;
      InvokeCursor cursor(*file, method);
      // ContextCounter tells from a site which method it is in.
      for (Invoke invoke; cursor.Next(invoke);) {
        sites.push_back({invoke.bci, id * 1000 + static_cast<int32_t>(sites.size())});
      }
      rewriter.AddContextCalls(m, id, sites);
    }
    const RewriteResult result = rewriter.Finish();
    EXPECT_EQ(result.probed, file->methods().size());
    std::ofstream(dir_ / (name + ".class"), std::ios::binary)
        .write(reinterpret_cast<const char*>(result.bytes.data()),
               static_cast<std::streamsize>(result.bytes.size()));
  }
  Run(run + "ContextCounter > " + Path("probed.txt"));

  const std::string plain = ReadAll(dir_ / "plain.txt");
  const std::string probed = ReadAll(dir_ / "probed.txt");
  ASSERT_FALSE(plain.empty());
  EXPECT_EQ(probed.substr(0, plain.size()), plain);
  EXPECT_NE(probed.find("\nwrong 0\n"), std::string::npos);
  const auto edge = [&](const std::string& caller, const std::string& callee) {
    return CountOf(probed, "edge " + ids.at(caller) + " " + ids.at(callee));
  };
  const auto entered = [&](const std::string& method) {
    return CountOf(probed, "entered " + ids.at(method));
  };
  const auto left = [&](const std::string& method) {
    return CountOf(probed, "left " + ids.at(method));
  };
  const std::string main = "Contexts.main([Ljava/lang/String;)V";
  EXPECT_EQ(CountOf(probed, "edge 0 " + ids.at(main)), 1);
  const std::string fib = "Shapes.fib(I)I";
  EXPECT_EQ(entered(fib), FibCalls());
  EXPECT_EQ(left(fib), FibCalls());
  EXPECT_EQ(edge(fib, fib), FibCalls() - kOuterFibCalls);
  EXPECT_EQ(edge("Shapes.main([Ljava/lang/String;)V", fib), 1);
  EXPECT_EQ(edge("Shapes.loopFromZero(I)I", fib), 11);
  EXPECT_EQ(edge("Shapes.callFromZero()I", fib), 1);
  EXPECT_EQ(edge("Shapes.dense(I)I", fib), 6);
  EXPECT_EQ(edge("Shapes.caught(Ljava/lang/Object;)I", fib), 4);
  EXPECT_EQ(edge("Shapes.locked(I)I", fib), 1);
  EXPECT_EQ(edge("Shapes.locals(JDI)J", fib), 1);
  // In the arguments of this(...), where `this` is uninitialised, and this(...) itself.
  EXPECT_EQ(edge("Shapes.<init>(Z)V", "Shapes.<init>(I)V"), 3);

  // Exceptions leave five calls of deep, and are caught by a caller that goes on calling.
  const std::string deep = "Contexts.deep(I)I";
  EXPECT_EQ(edge("Contexts.catches()I", deep), 1);
  EXPECT_EQ(edge(deep, deep), 4);
  EXPECT_EQ(entered(deep), 5);
  EXPECT_EQ(left(deep), 0);
  EXPECT_EQ(edge("Contexts.catches()I", "Contexts.after(I)I"), 2);
  EXPECT_EQ(left("Contexts.catches()I"), 1);
  EXPECT_EQ(edge("Contexts.returnsInTry(I)I", "Contexts.after(I)I"), 3 + 1);
  EXPECT_EQ(left("Contexts.returnsInTry(I)I"), 3);
  EXPECT_EQ(edge("Contexts.returnsInLock(I)J", "Contexts.after(I)I"), 1);
  EXPECT_EQ(left("Contexts.returnsInLock(I)J"), 2);
  for (const std::string method : {"anInt(I)I", "aLong(I)J", "aFloat(I)F", "aDouble(I)D",
                                   "anObject(I)Ljava/lang/Object;", "nothing(I)V"}) {
    EXPECT_EQ(edge(main, "Contexts." + method), 2) << method;
    EXPECT_EQ(left("Contexts." + method), 2) << method;
  }
  EXPECT_EQ(edge("ManyLocals.sum(I)I", "Contexts.after(I)I"), 1);
}

INSTANTIATE_TEST_SUITE_P(Jdk, Roundtrip, testing::Values(17, 25),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(NewestJdk, RoundtripOfJars, testing::Values(NewestJdk()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace yp::classfile
