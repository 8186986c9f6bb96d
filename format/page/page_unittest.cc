#include "format/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "format/bytes/base64.h"
#include "format/bytes/gzip.h"
#include "format/page/page_data.h"
#include "format/profile/profile_test_util.h"

namespace yp {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr std::string_view kTemplate =
    "<!doctype html><head><script>1</script></head><!--YP_DATA--><body></body>";

TEST(PageTest, HoldsItsDataCompressed) {
  const std::string page = PageWithData(kTemplate, R"({"a":1})").value();
  EXPECT_EQ(page,
            "<!doctype html><head><script>1</script></head>"
            R"(<script type="application/octet-stream" id="yp-data" data-encoding="gzip">)" +
                Base64(Gzip(R"({"a":1})", GzipEffort::kFast).value()) + "</script><body></body>");
}

TEST(PageTest, OfAServerSaysWhereItsDataAre) {
  EXPECT_EQ(PageWithDataAt(kTemplate, "data").value(),
            "<!doctype html><head><script>1</script></head>"
            R"(<script type="application/octet-stream" id="yp-data" data-src="data"></script>)"
            "<body></body>");
}

TEST(PageTest, NeedsATemplateWithOnePlaceForData) {
  EXPECT_THAT(std::string(PageWithData("<p>", "{}").message()), HasSubstr("build yp again"));
  EXPECT_FALSE(PageWithData("<!--YP_DATA--><!--YP_DATA-->", "{}"));
}

TEST(PageTest, NoNameGetsOutOfTheData) {
  Profile profile;
  const std::string hostile = "</script><script>alert(1)</script>\"'&<!--\xed\xa0\x80\n\0";
  const MethodId method = profile.methods.Intern({hostile, hostile, hostile, hostile, 0, {}});
  profile.edges.push_back({.edge = {kNoMethod, kNoBci, method}, .calls = 1});
  profile.config["command"] = hostile;
  profile.threads = {{ThreadId{1}, hostile}};
  const PageProfile named{&profile, hostile};
  const std::string page = PageWithData(kTemplate, PageData({&named, 1}, {})).value();
  EXPECT_THAT(page, MatchesRegex("<!doctype html><head><script>1</script></head>"
                                 "<script type=\"application/octet-stream\" id=\"yp-data\" "
                                 "data-encoding=\"gzip\">[A-Za-z0-9+/=]*</script><body></body>"));
}

}  // namespace
}  // namespace yp
