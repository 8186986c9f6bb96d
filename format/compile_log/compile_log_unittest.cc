#include "format/compile_log/compile_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/sanitizer.h"
#include "format/compile_log/compile_log_test_util.h"

namespace yp::compile_log {
namespace {

constexpr std::string_view kHead =
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    "<hotspot_log version='160 1' process='77' time_ms='1795470491878'>\n"
    "<vm_version>\n<name>\nA VM\n</name>\n<release>\n17.0.1+2\n</release>\n</vm_version>\n"
    "<vm_arguments>\n<command>\nMain &lt;x&gt;\n</command>\n</vm_arguments>\n<tty>\n";
constexpr std::string_view kTail = "<hotspot_log_done stamp='9.000'/>\n</hotspot_log>\n";

struct Read {
  Recorder events;
  Summary summary;
};

Read ReadBytes(std::string_view log, size_t piece = 1 << 20) {
  Read read;
  Reader reader(&read.events);
  while (!log.empty()) {
    const size_t size = std::min(piece, log.size());
    const Status status = reader.Take(log.substr(0, size));
    EXPECT_TRUE(status) << status.message();
    log.remove_prefix(size);
  }
  EXPECT_TRUE(reader.EndFile());
  read.summary = reader.summary();
  return read;
}

std::string Tty(std::string_view inside) {
  return std::string(kHead) + std::string(inside) + "</tty>\n" + std::string(kTail);
}

constexpr std::string_view kNames =
    "<type id='1' name='int'/>\n<type id='2' name='void'/>\n"
    "<klass id='3' name='a.Main' flags='1'/>\n<klass id='4' name='[Ljava.lang.String;'/>\n"
    "<method id='10' holder='3' name='root' return='2' arguments='1 4' bytes='9'/>\n"
    "<method id='11' holder='3' name='&lt;init&gt;' return='2'/>\n"
    "<method id='12' holder='3' name='leaf' return='1' arguments='1'/>\n";

// A compiler thread's log with one compilation of a.Main.root.
std::string InTask(std::string_view inside, std::string_view level = "",
                   std::string_view done = "success='1' nmsize='120' count='5'") {
  return std::string(kHead) + "</tty>\n<compilation_log thread='5'>\n" +
         "<start_compile_thread name='Compiler 0' thread='5' process='77' stamp='0.010'/>\n" +
         "<task compile_id='7' method='a.Main root (I[Ljava/lang/String;)V' bytes='9'" +
         std::string(level) + " stamp='1.500'>\n" + std::string(kNames) + std::string(inside) +
         "<task_done " + std::string(done) + " stamp='1.750'/>\n</task>\n</compilation_log>\n" +
         std::string(kTail);
}

TEST(CompileLogTest, TheHeadIsTold) {
  const Read read = ReadBytes(Tty(""));
  EXPECT_EQ(read.summary.vm_name, "A VM");
  EXPECT_EQ(read.summary.vm_version, "17.0.1+2");
  EXPECT_EQ(read.summary.command, "Main <x>");
  EXPECT_EQ(read.summary.vm_start_ms, 1795470491878);
  EXPECT_EQ(read.summary.process_id, 77);
  EXPECT_EQ(read.summary.DescribeDamage(), "");
}

TEST(CompileLogTest, ACompilationHasTheTimesOfItsRequestStartAndEnd) {
  std::string log = InTask("", "", "success='1' nmsize='120' count='5' inlined_bytes='6'");
  log.insert(kHead.size(),
             "<task_queued compile_id='7' method='a.Main root (I)V' stamp='1.001'/>\n"
             "<task_queued compile_id='7' compile_kind='osr' stamp='1.002'/>\n");
  const Read read = ReadBytes(log);
  EXPECT_EQ(read.events.lines,
            "compilation 7 a.Main.root(I[Ljava/lang/String;)V c2 level 4 thread Compiler 0 queued "
            "1001000000 1500000000 to 1750000000 code 120  bytecodes 9  inlined 6 \n");
  EXPECT_EQ(read.summary.queued_only, 1u);
  EXPECT_EQ(read.summary.not_understood, 0u);
}

TEST(CompileLogTest, ALoopsCompilationHasTheRequestOfItsOwn) {
  const std::string log =
      Tty("<task_queued compile_id='7' stamp='1.001'/>\n"
          "<task_queued compile_id='7' compile_kind='osr' stamp='1.002'/>\n"
          "<task compile_id='7' compile_kind='osr' method='a.Main f ()V' osr_bci='4' level='3' "
          "stamp='2.000'>\n<task_done success='1' nmsize='8' stamp='2.001'/>\n</task>\n");
  const Read read = ReadBytes(log);
  ASSERT_EQ(read.events.compilations.size(), 1u);
  const JitCompilation& c = read.events.compilations[0];
  EXPECT_TRUE(c.is_osr);
  EXPECT_EQ(c.osr_bci, 4);
  EXPECT_EQ(c.queued_ns, 1'002'000'000);
  EXPECT_EQ(c.compiler, "c1");
}

TEST(CompileLogTest, ALevelThatIsNotToldIsTheCodes) {
  std::string log = InTask("");
  log.insert(kHead.size(),
             "<task_queued compile_id='7' stamp='1.0'/>\n"
             "<nmethod compile_id='7' compiler='c1' level='1' size='400' stamp='1.7'/>\n");
  EXPECT_EQ(ReadBytes(log).events.compilations.at(0).level, 1);
}

TEST(CompileLogTest, TheLastFailureIsWhyACompilationFailed) {
  const Read failed =
      ReadBytes(InTask("<failure reason='retry without &lt;escape&gt;' phase='x'/>\n<failure "
                       "reason='out of nodes'/>",
                       "", "success='0' nmsize='0' count='1'"));
  EXPECT_FALSE(failed.events.compilations.at(0).succeeded);
  EXPECT_EQ(failed.events.compilations.at(0).failure, "out of nodes");
  EXPECT_FALSE(failed.events.compilations.at(0).code_bytes.has_value());
  const Read retried = ReadBytes(InTask("<failure reason='retry' phase='x'/>\n"));
  EXPECT_TRUE(retried.events.compilations.at(0).succeeded);
  EXPECT_EQ(retried.events.compilations.at(0).failure, "");
}

std::string InliningsOf(const Read& read) {
  Recorder only;
  for (const JitInlining& inlining : read.events.inlinings) only.On(inlining);
  return only.lines;
}

constexpr std::string_view kRoot = "7 a.Main.root(I[Ljava/lang/String;)V";

TEST(CompileLogTest, DecisionsOfC2AreAboutTheLastCall) {
  const Read read = ReadBytes(
      InTask("<parse method='10' stamp='1.5'>\n<bc code='182' bci='3'/>\n<call method='12'/>\n"
             "<call method='11'/>\n<inline_success reason='inline (hot)'/>\n"
             "<parse method='11'>\n<bc code='184' bci='1'/>\n<call method='12'/>\n"
             "<inline_fail reason='too big'/>\n</parse>\n"
             "<bc code='184' bci='8'/>\n<inline_fail reason='no call'/>\n<call method='12'/>\n"
             "<uncommon_trap bci='8' reason='null_check' action='none'/>\n"
             "<intrinsic id='_leaf' nodes='3'/>\n</parse>\n"));
  EXPECT_EQ(InliningsOf(read),
            "inlining " + std::string(kRoot) + " @ 3 a.Main.<init>()V yes: inline (hot)\n" +
                "inlining 7 a.Main.<init>()V @ 1 a.Main.leaf(I)I no: too big\n" + "inlining " +
                std::string(kRoot) + " @ 8 a.Main.leaf(I)I yes: intrinsic\n");
  EXPECT_EQ(read.summary.not_understood, 0u);
}

TEST(CompileLogTest, TheParseWithinTellsWhatC1Inlined) {
  const Read read = ReadBytes(
      InTask("<parse method='10'>\n<bc bci='3'/>\n<call method='12' instr='invokevirtual'/>\n"
             "<inline_success reason='inline'/>\n<parse method='11'>\n</parse>\n"
             "<bc bci='5'/>\n<call method='12'/>\n<inline_success reason='intrinsic'/>\n"
             "<bc bci='6'/>\n<call method='12'/>\n<inline_success reason='intrinsic'/>\n</parse>",
             " level='3'"));
  EXPECT_EQ(InliningsOf(read),
            "inlining " + std::string(kRoot) + " @ 3 a.Main.<init>()V yes: inline\n" + "inlining " +
                std::string(kRoot) + " @ 5 a.Main.leaf(I)I yes: intrinsic\n" + "inlining " +
                std::string(kRoot) + " @ 6 a.Main.leaf(I)I yes: intrinsic\n");
}

TEST(CompileLogTest, LateDecisionsAreAtTheInnermostSite) {
  const Read read = ReadBytes(
      InTask("<parse method='10'>\n</parse>\n<call method='12'/>\n<inline_success reason='late'/>\n"
             "<late_inline method='12' inline_id='1'>\n<jvms bci='4' method='11'/>\n"
             "<jvms bci='2' method='10'/>\n</late_inline>\n<parse method='12'>\n"
             "<bc bci='1'/>\n<call method='11'/>\n<inline_fail reason='deep'/>\n</parse>\n"
             "<late_inline method='11' inline_id='2'>\n<jvms bci='9' method='10'/>\n"
             "</late_inline>\n<inline_fail reason='too late'/>\n"));
  EXPECT_EQ(InliningsOf(read),
            "inlining 7 a.Main.<init>()V @ 4 a.Main.leaf(I)I yes: late\n"
            "inlining 7 a.Main.leaf(I)I @ 1 a.Main.<init>()V no: deep\n"
            "inlining " +
                std::string(kRoot) + " @ 9 a.Main.<init>()V no: too late\n");
  EXPECT_EQ(read.summary.not_understood, 0u);
}

// As JDK 17 writes it: about calls that became direct only then.
TEST(CompileLogTest, LateCallsAreAtTheSiteBeforeThem) {
  const Read read =
      ReadBytes(InTask("<parse method='10'>\n</parse>\n<late_inline method='12' inline_id='0'>\n"
                       "<jvms bci='4' method='11'/>\n</late_inline>\n<call method='12'/>\n"
                       "<predicted_call bci='4'/>\n<direct_call bci='4'/>\n"
                       "<late_inline method='12' inline_id='0'>\n<jvms bci='5' method='11'/>\n"
                       "</late_inline>\n<call method='11'/>\n<inline_success reason='hot'/>\n"
                       "<parse method='11'>\n</parse>\n"));
  EXPECT_EQ(InliningsOf(read), "inlining 7 a.Main.<init>()V @ 5 a.Main.<init>()V yes: hot\n");
  EXPECT_EQ(read.summary.not_understood, 0u);
}

TEST(CompileLogTest, ATrapIsInTheInnermostMethod) {
  const Read read = ReadBytes(
      Tty("<uncommon_trap thread='9' reason='class_check' action='maybe_recompile' debug_id='0' "
          "compile_id='3' compile_kind='osr' compiler='c2' level='4' stamp='0.104'>\n"
          "<jvms bci='3' method='a.In f ()V' bytes='4'/>\n<jvms bci='1' method='a.Out g ()V'/>\n"
          "</uncommon_trap>\n"
          "<deoptimized thread='9' reason='constraint' pc='0x1' compile_id='4' compiler='c1'>\n"
          "<jvms bci='25' method='a.In f ()V'/>\n</deoptimized>\n"));
  EXPECT_EQ(read.events.lines,
            "deoptimization 3% level 4 a.In.f()V @ 3 class_check maybe_recompile thread 9 at "
            "104000000\n");
  EXPECT_EQ(read.summary.not_understood, 0u);
}

TEST(CompileLogTest, EndsOfCodeAreTold) {
  const Read read = ReadBytes(
      Tty("<make_not_entrant thread='9' reason='not used' compile_id='3' stamp='0.1'/>\n"
          "<make_not_entrant thread='9' zombie='1' compile_id='3' stamp='0.2'/>\n"
          "<make_unloaded thread='9' compile_id='4' compile_kind='osr' stamp='0.3'/>\n"
          "<make_not_entrant thread='9' compile_id='5' compile_kind='c2n' stamp='0.1'/>\n"
          "<make_not_compilable thread='9' osr='0' level='3' method='a.B c ()V' stamp='0.4'/>\n"));
  EXPECT_EQ(read.events.lines,
            "code end 3 not entrant (not used) at 100000000\n"
            "code end 3 unloaded () at 200000000\n"
            "code end 4% unloaded () at 300000000\n");
  EXPECT_EQ(read.summary.made_not_compilable, 1u);
}

TEST(CompileLogTest, ACompilationThatWasCutOffInItsFragmentIsCounted) {
  const std::string log =
      std::string(kHead) + "</tty>\n<compilation_log thread='5'>\n<fragment>\n<![CDATA[\n" +
      "<task compile_id='7' method='a.B f ()V' level='3' stamp='1.0'>\n<parse meth]]>\n" +
      "</fragment>\n</compilation_log>\n<compilation_log thread='6'>\n" +
      "<task compile_id='8' method='a.B f ()V' level='3' stamp='1.0'>\n" +
      "<task_done success='1' stamp='1.5'/>\n</task>\n</compilation_log>\n" + std::string(kTail);
  const Read read = ReadBytes(log);
  EXPECT_EQ(read.summary.DescribeDamage(), "1 compilations unfinished");
  ASSERT_EQ(read.events.compilations.size(), 1u);
  EXPECT_EQ(read.events.compilations[0].thread, "6");
}

TEST(CompileLogTest, WhatIsNotUnderstoodIsCounted) {
  const Read read = ReadBytes(InTask(
      "<new_in_some_jdk a='1'/>\n<type id='x' name='int'/>\n<klass id='9'/>\n"
      "<method id='13' holder='99' name='f' return='1'/>\n<call/>\n<bc bci='99999999999'/>\n"
      "<late_inline/>\n<jvms bci='1'/>\n<bro<ken a='1'/>\n<7='7'/>\n<parse method='10'>\n"
      "<inline_success reason='of nothing'/>\n<call method='77'/>\n<inline_fail reason='r'/>\n"
      "</parse>\n"));
  EXPECT_EQ(read.summary.not_understood, 13u);
  EXPECT_EQ(read.events.compilations.size(), 1u);
  const Read outside = ReadBytes(
      Tty("<task compile_id='1' stamp='1'/>\n<task_queued/>\n<nmethod/>\n<make_not_entrant/>\n"
          "<uncommon_trap/>\n<jvms/>\n<thread_logfile/>\n<compilation_log/>\n"));
  EXPECT_EQ(outside.summary.not_understood, 8u);
}

TEST(CompileLogTest, ALogOfAMachineThatDiedNamesTheFilesThatItLacks) {
  Recorder events;
  Reader reader(&events);
  ASSERT_TRUE(reader.Take(std::string(kHead) + "<thread_logfile thread='5' filename='hs_c5.log'/>\n"
                                               "<thread_logfile thread='6' filename='hs_c6.log'/>\n"
                                               "<task_queued compile_id='1' stamp='0.5'/>\n"));
  ASSERT_TRUE(reader.EndFile());
  EXPECT_TRUE(reader.summary().cut_off);
  EXPECT_EQ(reader.summary().missing_thread_logs,
            (std::vector<std::string>{"hs_c5.log", "hs_c6.log"}));
  EXPECT_NE(reader.summary().DescribeDamage(), "");

  ASSERT_TRUE(
      reader.Take("<start_compile_thread name='C1 Thread' thread='6' stamp='0.1'/>\n"
                  "<task compile_id='1' method='a.B f ()V' stamp='1.0'>\n"
                  "<task_done success='1' stamp='1.5'/>\n</task>\n"));
  ASSERT_TRUE(reader.EndFile());
  EXPECT_EQ(reader.summary().missing_thread_logs, std::vector<std::string>{"hs_c5.log"});
  ASSERT_EQ(events.compilations.size(), 1u);
  EXPECT_EQ(events.compilations[0].queued_ns, 500'000'000);
  EXPECT_EQ(events.compilations[0].compiler, "c1");
}

TEST(CompileLogTest, OtherFilesAreRefused) {
  for (const std::string_view bytes : {"PK\3\4", "<html>", "plain text of some length, no log"}) {
    Recorder events;
    Reader reader(&events);
    EXPECT_FALSE(reader.Take(bytes));
    EXPECT_FALSE(reader.EndFile());
  }
  Recorder events;
  EXPECT_FALSE(ReadFiles({"testdata/Compiled.java"}, &events));
  EXPECT_FALSE(ReadFiles({"testdata"}, &events));
  EXPECT_FALSE(ReadFiles({"no such file"}, &events));
}

std::string WholeLog() {
  std::string log = InTask(
      "<parse method='10'>\n<bc bci='3'/>\n<call method='12'/>\n"
      "<inline_success reason='inline'/>\n</parse>\n<late_inline method='12'>\n"
      "<jvms bci='4' method='11'/>\n</late_inline>\n<inline_fail reason='late'/>\n");
  return log.insert(kHead.size(),
                    "<task_queued compile_id='7' stamp='1.001'/>\n<uncommon_trap thread='9' "
                    "compile_id='3' stamp='0.104'>\n<jvms bci='3' method='a.In f ()V'/>\n"
                    "</uncommon_trap>\n<make_not_entrant compile_id='3' stamp='0.1'/>\n");
}

TEST(CompileLogTest, ALogThatIsCutOffAnywhereIsReadUpToThere) {
  const std::string log = WholeLog();
  const std::string whole = ReadBytes(log).events.lines;
  for (size_t n = 0; n < log.size() - 1; ++n) {
    const Read read = ReadBytes(std::string_view(log).substr(0, n));
    EXPECT_TRUE(read.summary.cut_off) << n;
    EXPECT_LE(read.events.lines.size(), whole.size()) << n;
  }
  EXPECT_FALSE(ReadBytes(log).summary.cut_off);
}

TEST(CompileLogTest, PiecesOfAnySizeGiveTheSame) {
  const std::string log = WholeLog();
  const Read whole = ReadBytes(log);
  for (size_t piece = 1; piece < 100; ++piece) {
    const Read read = ReadBytes(log, piece);
    EXPECT_EQ(read.events.lines, whole.events.lines) << piece;
    EXPECT_EQ(read.summary.not_understood, whole.summary.not_understood) << piece;
  }
}

TEST(CompileLogTest, LongTagsAndDeepInliningAreLimited) {
  std::string inside = "<klass id='5' name='" + std::string(1 << 20, 'x') + "'/>\n";
  for (int i = 0; i < 5000; ++i) inside += "<parse method='10'>\n";
  for (int i = 0; i < 5000; ++i) inside += "</parse>\n";
  inside += "<parse method='10'>\n<bc bci='1'/>\n<call method='12'/>\n<inline_fail reason='r'/>\n";
  for (const size_t piece : {size_t{1000}, size_t{1} << 22}) {
    const Read read = ReadBytes(InTask(inside), piece);
    EXPECT_EQ(read.summary.not_understood, 4001u);
    EXPECT_EQ(read.events.inlinings.size(), 1u);
  }
}

constexpr size_t kBigBytes = size_t{kIsSanitized ? 8 : 60} << 20;
// Under a sanitizer what is freed is kept for a while.
constexpr long kMaxGrowthKb = kIsSanitized ? 1 << 20 : 50 << 10;

class Counter : public JitEventSink {
 public:
  void On(JitCompilation) override { ++compilations; }
  void On(JitInlining) override {}
  void On(JitDeoptimization) override {}
  void On(JitCodeEnd) override {}
  size_t compilations = 0;
};

long PeakKb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(CompileLogTest, ABigLogIsReadInLittleMemory) {
  std::string filler;
  for (int i = 0; i < 60; ++i) {
    filler += "<bc code='184' bci='1'/>\n<call method='12' count='5' prof_factor='1.000000'/>\n";
  }
  const long before_kb = PeakKb();
  Counter counter;
  Reader reader(&counter);
  ASSERT_TRUE(reader.Take(kHead));
  const size_t tasks = kBigBytes / (filler.size() + kNames.size());
  for (size_t i = 0; i < tasks; ++i) {
    ASSERT_TRUE(reader.Take("<task_queued compile_id='" + std::to_string(i) + "' stamp='1.0'/>\n"));
  }
  for (size_t i = 0; i < tasks; ++i) {
    ASSERT_TRUE(reader.Take("<task compile_id='" + std::to_string(i) +
                            "' method='a.B f ()V' stamp='1.0'>\n"));
    ASSERT_TRUE(reader.Take(kNames));
    ASSERT_TRUE(reader.Take(filler));
    ASSERT_TRUE(reader.Take("<task_done success='1' stamp='1.5'/>\n</task>\n"));
  }
  ASSERT_TRUE(reader.Take(kTail));
  ASSERT_TRUE(reader.EndFile());
  EXPECT_EQ(counter.compilations, tasks);
  EXPECT_EQ(reader.summary().DescribeDamage(), "");
  EXPECT_LT(PeakKb() - before_kb, kMaxGrowthKb);
}

TEST(CompileLogTest, ClassesWithSpacesInTheirNamesAreToldFromTheirMethods) {
  std::string log = InTask("<klass id='9' name='kt.T$when empty' flags='1'/>\n");
  const std::string method = "method='kt.T$when empty size is zero ()V'";
  const std::string_view plain = "method='a.Main root (I[Ljava/lang/String;)V'";
  log.replace(log.find(plain), plain.size(), method);
  log.insert(kHead.size(),
             "<uncommon_trap thread='5' compile_id='7' reason='null_check' action='none' "
             "stamp='1.9'>\n<jvms bci='3' " +
                 method + "/>\n</uncommon_trap>\n");
  const Read read = ReadBytes(log);
  ASSERT_EQ(read.events.compilations.size(), 1u);
  EXPECT_EQ(read.events.compilations[0].method.full_name, "kt.T$when empty.size is zero()V");
  ASSERT_EQ(read.events.deoptimizations.size(), 1u);
  EXPECT_EQ(read.events.deoptimizations[0].method.full_name, "kt.T$when empty.size is zero()V");
}

TEST(CompileLogTest, CodeThatIsPrintedBetweenIsPassedOver) {
  const Read read =
      ReadBytes(Tty("<print_nmethod compile_id='7' stamp='1.5'>\nCompiled method "
                    "(c1) a.Main::&lt;init&gt; (5 bytes)\n</print_nmethod>\n"
                    "<print_native_nmethod>\n0x1: nop\n</print_native_nmethod>\n"));
  EXPECT_EQ(read.summary.not_understood, 0u);
}

TEST(CompileLogTest, ALogWithoutCompilersDoesNotTellThatNothingWasCompiled) {
  EXPECT_FALSE(ReadBytes(Tty("some output of the VM\n")).summary.tells_compilations);
  EXPECT_TRUE(ReadBytes(InTask("")).summary.tells_compilations);
  EXPECT_TRUE(ReadBytes(Tty("<thread_logfile thread='5' filename='/tmp/hs_c5.log' stamp='0.1'/>\n"))
                  .summary.tells_compilations);
}

// A log of a machine that was killed, and its threads' beside it.
class ThreadLogsTest : public testing::Test {
 protected:
  ThreadLogsTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "yp-logs-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    Write("vm.log", std::string(kHead) +
                        "<thread_logfile thread='5' filename='/nowhere/hs_c5_pid77.log' "
                        "stamp='0.1'/>\n<thread_logfile thread='6' "
                        "filename='/nowhere/hs_c6_pid77.log' stamp='0.1'/>\n");
  }
  ~ThreadLogsTest() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static std::string ThreadLog(int thread, int process) {
    return "<start_compile_thread name='C2' thread='" + std::to_string(thread) + "' process='" +
           std::to_string(process) + "' stamp='0.010'/>\n<task compile_id='" +
           std::to_string(thread) +
           "' method='a.Main root ()V' bytes='9' stamp='1.500'>\n"
           "<task_done success='1' nmsize='120' count='5' stamp='1.750'/>\n</task>\n";
  }
  std::filesystem::path folder_;
};

TEST_F(ThreadLogsTest, AreReadWhereTheyAreBesideTheLog) {
  Write("hs_c5_pid77.log", ThreadLog(5, 77));
  Write("hs_c6_pid77.log", ThreadLog(6, 78));  // Another machine's.
  Recorder events;
  const Result<Summary> summary = ReadWithThreadLogs(folder_ / "vm.log", &events);
  ASSERT_TRUE(summary) << summary.message();
  EXPECT_EQ(events.compilations.size(), 1u);
  EXPECT_TRUE(summary->cut_off);
  EXPECT_EQ(summary->missing_thread_logs, std::vector<std::string>{"/nowhere/hs_c6_pid77.log"});
}

TEST_F(ThreadLogsTest, AreKnownByTheirHead) {
  EXPECT_TRUE(LooksLikeThreadLog(ThreadLog(5, 77)));
  EXPECT_FALSE(LooksLikeThreadLog(kHead));
}

}  // namespace
}  // namespace yp::compile_log
