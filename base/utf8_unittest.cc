#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace yp {
namespace {

TEST(Utf8Test, WellFormedTextStays) {
  const std::string text = "a é 日本 𝄞 \x7f";
  EXPECT_EQ(ToValidUtf8(text), text);
}

TEST(Utf8Test, EveryByteOutOfPlaceIsReplaced) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(ToValidUtf8("a\x80z"), "a" + r + "z");
  EXPECT_EQ(ToValidUtf8("\xc3"), r);                          // Cut off.
  EXPECT_EQ(ToValidUtf8("\xc0\x80"), r + r);                  // Overlong, Java's own zero.
  EXPECT_EQ(ToValidUtf8("\xed\xa0\x80"), r + r + r);          // A surrogate.
  EXPECT_EQ(ToValidUtf8("\xf4\x90\x80\x80"), r + r + r + r);  // Beyond U+10FFFF.
  EXPECT_EQ(ToValidUtf8("\xe2\x82"
                        "a"),
            r + r + "a");
}

TEST(Utf8Test, NothingThatATerminalActsOnIsShown) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(ForTerminal("Größe 日本 𝄞…"), "Größe 日本 𝄞…");
  EXPECT_EQ(ForTerminal("a\x1b[2J\n\x7f"), "a" + r + "[2J" + r + r);
  EXPECT_EQ(ForTerminal("\xc2\x9b"
                        "2J"),
            r + "2J")
      << "CSI as one character";
  EXPECT_EQ(ForTerminal("\xe2\x80\xae"
                        "a\xe2\x81\xa6"
                        "b"),
            r + "a" + r + "b")
      << "the other way round";
  EXPECT_EQ(ForTerminal("\x9b"), r);
}

}  // namespace
}  // namespace yp
