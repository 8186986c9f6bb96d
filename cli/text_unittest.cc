// duration.h, names.h and table.h: what people read and write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/duration.h"
#include "cli/factor.h"
#include "cli/names.h"
#include "cli/table.h"

namespace yp {
namespace {

using testing::ElementsAre;

TEST(ParseDurationTest, ReadsNumbersWithUnits) {
  EXPECT_EQ(*ParseDurationNs("10ms"), 10'000'000);
  EXPECT_EQ(*ParseDurationNs("500us"), 500'000);
  EXPECT_EQ(*ParseDurationNs("1.5 s"), 1'500'000'000);
  EXPECT_EQ(*ParseDurationNs("2m"), 120'000'000'000);
  EXPECT_EQ(*ParseDurationNs("30", 1'000'000'000), 30'000'000'000);
}

TEST(ParseDurationTest, RefusesEverythingElse) {
  for (const char* text : {"", "10", "ms", "10 parsecs", "10msx", "-1s", "0s", "nan s", "1e5s",
                           "99999999999h", "0x10s"}) {
    EXPECT_FALSE(ParseDurationNs(text)) << text;
  }
}

TEST(FormatDurationTest, KeepsTwoOrThreeDigits) {
  EXPECT_EQ(FormatDuration(85'000), "85 us");
  EXPECT_EQ(FormatDuration(850'000'000), "850 ms");
  EXPECT_EQ(FormatDuration(12'340'000'000), "12.3 s");
  EXPECT_EQ(FormatDuration(245'000'000'000), "4 min 05 s");
  EXPECT_EQ(FormatDuration(7'500'000'000'000), "2 h 05 min");
}

TEST(NameFormsTest, GoFromTheFullNameToTheShort) {
  Profile profile;
  Method method;
  method.class_name = "org.éa.ArrayList";
  method.name = "add";
  method.descriptor = "(I)V";
  const MethodId id = profile.methods.Intern(method);
  EXPECT_THAT(NameForms(profile.methods, id),
              ElementsAre("org.éa.ArrayList.add(int)", "o.é.ArrayList.add(int)",
                          "ArrayList.add(int)", "ArrayList.add"));
  EXPECT_THAT(NameForms(profile.methods, kNoMethod), ElementsAre("(root)"));
}

TEST(ShortenNameTest, CutsTheClassInItsMiddleAndTheMethodLast) {
  EXPECT_EQ(ShortenName("ArrayList.add", 13), "ArrayList.add");
  EXPECT_EQ(ShortenName("AbstractConfigBuilder.get", 16), "Abstra…ilder.get");
  EXPECT_EQ(ShortenName("  AbstractConfigBuilder.get", 18), "  Abstra…ilder.get");
  EXPECT_EQ(ShortenName("Größenänderungen.berechneDenUnterschied", 24), "Grö…gen.berechne…rschied");
  EXPECT_EQ(ShortenName("abcdefghij", 5), "ab…ij");
  for (size_t width = 0; width < 30; ++width) {
    EXPECT_LE(DisplayWidth(ShortenName("ä.bcdefghijklmnopqrstuvwxyz0123456", width)),
              std::max<size_t>(width, 8));
  }
}

TEST(CallSitesTest, TellSeveralOfOneLineApart) {
  Profile profile;
  Method method;
  method.class_name = "A";
  method.source_file = "A.java";
  method.lines = {{0, 10}, {5, 11}};
  const MethodId a = profile.methods.Intern(method);
  CallSites sites(profile.methods);
  // One site has two receivers.
  for (const Edge& edge : {Edge{a, 1, a}, Edge{a, 3, a}, Edge{a, 7, a}, Edge{a, 7, kNoMethod}}) {
    sites.Add(edge);
  }
  EXPECT_THAT(sites.Forms({a, 1, a}), ElementsAre("A.java:10 bci 1", ":10 bci 1"));
  EXPECT_THAT(sites.Forms({a, 3, a}), ElementsAre("A.java:10 bci 3", ":10 bci 3"));
  EXPECT_THAT(sites.Forms({a, 7, a}), ElementsAre("A.java:11", ":11"));
  EXPECT_THAT(sites.Forms({a, kNoBci, a}), ElementsAre("native"));
  EXPECT_THAT(sites.Forms({kNoMethod, kNoBci, a}), ElementsAre("-"));
}

TEST(CallSiteTest, NamesTheLineElseTheBytecode) {
  Profile profile;
  Method method;
  method.class_name = "A";
  method.source_file = "A.java";
  method.lines = {{0, 10}, {5, 11}};
  const MethodId with_lines = profile.methods.Intern(method);
  method = Method();
  method.class_name = "B";
  const MethodId without = profile.methods.Intern(method);
  EXPECT_EQ(CallSite(profile.methods, {with_lines, 7, without}), "A.java:11");
  EXPECT_EQ(CallSite(profile.methods, {without, 7, with_lines}), "bci 7");
  EXPECT_EQ(CallSite(profile.methods, {without, kNoBci, with_lines}), "native");
  EXPECT_EQ(CallSite(profile.methods, {kNoMethod, kNoBci, with_lines}), "-");
}

TEST(NumbersTest, AreReadable) {
  EXPECT_EQ(WithSeparators(0), "0");
  EXPECT_EQ(WithSeparators(999), "999");
  EXPECT_EQ(WithSeparators(1234567.4), "1,234,567");
  EXPECT_EQ(FormatBytes(999), "999 bytes");
  EXPECT_EQ(FormatBytes(12'345'678), "12.3 MB");
  EXPECT_EQ(FormatBytes(999'999), "1.0 MB");
  EXPECT_EQ(FormatMilliseconds(0), "0 ms");
  EXPECT_EQ(FormatMilliseconds(1'234), "<0.01 ms");
  EXPECT_EQ(FormatMilliseconds(123'456), "0.12 ms");
  EXPECT_EQ(FormatMilliseconds(3'400'000), "3.4 ms");
  EXPECT_EQ(FormatMilliseconds(1'234e6), "1,234 ms");
  EXPECT_EQ(FormatShare(1, 8), "12.5 %");
  EXPECT_EQ(FormatShare(1, 1e6), "<0.1 %");
  EXPECT_EQ(FormatShare(0, 0), "-");
}

TEST(MatchesGlobTest, KnowsStarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("org.*.Map*.get", "org.a.b.MapX.get"));
  EXPECT_TRUE(MatchesGlob("*a*b", "xaxbxb"));
  EXPECT_TRUE(MatchesGlob("a?c", "abc"));
  EXPECT_FALSE(MatchesGlob("org.*.get", "org.a.getX"));
  EXPECT_FALSE(MatchesGlob("a?c", "ac"));
  EXPECT_FALSE(MatchesGlob("", "a"));
}

class TableTest : public testing::Test {
 protected:
  TableTest()
      : table_({"calls", "caller", "callee"},
               {Table::Column::kRight, Table::Column::kName, Table::Column::kName}) {
    table_.AddRow({{"1,234"}, {"org.example.Caller.call", "Caller.call"}, {"A.b"}});
    table_.AddRow({{"5"}, {"Größe.x"}, {"org.example.Long.name", "Long.name"}});
  }
  Table table_;
};

TEST_F(TableTest, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(table_.Render(0),
            "calls  caller                   callee\n"
            "1,234  org.example.Caller.call  A.b\n"
            "    5  Größe.x                  org.example.Long.name\n");
}

TEST_F(TableTest, ShowsControlCharactersAsOneThatIsUnknown) {
  Table table({"name"}, {Table::Column::kName});
  table.AddRow({{"a\x1b[31m\nb"}});
  EXPECT_EQ(table.Render(0), "name\na�[31m�b\n");
}

TEST_F(TableTest, TakesShorterFormsToFitAWidth) {
  EXPECT_EQ(table_.Render(42),
            "calls  caller             callee\n"
            "1,234  Caller.call        A.b\n"
            "    5  Größe.x            Long.name\n");
}

TEST_F(TableTest, NeverCutsAPlace) {
  using Column = Table::Column;
  Table table({"caller", "at", "callee"}, {Column::kName, Column::kPlace, Column::kName});
  table.AddRow(
      {{"org.example.Caller.call", "Caller.call"}, {"Caller.java:1234", ":1234"}, {"A.b"}});
  table.AddRow({{"X.y"}, {"X.java:9", ":9"}, {"org.example.Long.name", "Long.name"}});
  EXPECT_EQ(table.Render(58),
            "caller                   at     callee\n"
            "org.example.Caller.call  :1234  A.b\n"
            "X.y                      :9     org.example.Long.name\n");
  EXPECT_THAT(table.Render(20), testing::HasSubstr("  :1234  "));
}

TEST_F(TableTest, CutsTheMiddleOfWhatHasNoShorterForm) {
  Table table({"n", "name"}, {Table::Column::kRight, Table::Column::kName});
  table.AddRow({{"1"}, {"äbcdefghijklmnopqrstuvwxyz"}});
  EXPECT_EQ(table.Render(19), "n  name\n1  äbcdefgh…tuvwxyz\n");
}

TEST(FactorTest, IsReadByAPersonAndHasNoPowerOfTen) {
  EXPECT_EQ(FactorOf(0, 3), "new");
  EXPECT_EQ(FactorOf(3, 0), "gone");
  EXPECT_EQ(FactorOf(0, 0), "");
  EXPECT_EQ(FactorOf(4, 1), "÷ 4");
  EXPECT_EQ(FactorOf(5, 9), "× 1.8");
  EXPECT_EQ(FactorOf(1, 2), "× 2");
  EXPECT_EQ(FactorOf(2, 300), "× 150");
  EXPECT_EQ(FactorOf(1, 12'345'678), "× 12,345,678");
  EXPECT_EQ(FactorOf(1, 1.33e-5), "÷ 75,188");
  EXPECT_EQ(FactorOf(1000, 1.5), "÷ 667");
  EXPECT_EQ(FactorOf(1, 99.97), "× 100");
}

TEST(ShortNumberTest, HasThreeDigitsOrAllBeforeThePoint) {
  EXPECT_EQ(ShortNumber(0), "0");
  EXPECT_EQ(ShortNumber(0.0012345), "0.00123");
  EXPECT_EQ(ShortNumber(1.5), "1.5");
  EXPECT_EQ(ShortNumber(1234567.8), "1,234,568");
  EXPECT_EQ(ShortNumber(1e-9), "<0.000001");
}

}  // namespace
}  // namespace yp
