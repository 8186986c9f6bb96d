#include "hotspot/support/loaded_copies.h"

#include <gtest/gtest.h>

#include <string>

namespace yp::hotspot {
namespace {

constexpr char kOne[] =
    "7f00-7f01 r--p 00000000 fe:01 42                         /opt/a b/libx.so\n"
    "7f01-7f02 r-xp 00001000 fe:01 42                         /opt/a b/libx.so\n"
    "7f02-7f03 rw-p 00000000 00:00 0                          [heap]\n"
    "7f03-7f04 r-xp 00001000 fe:01 43                         /opt/libxx.so\n"
    "7f04-7f05 rw-p 00000000 00:00 0 \n";

TEST(LoadedCopiesTest, MappingsOfOneFileAreOneCopy) {
  EXPECT_EQ(CopiesIn(kOne, "libx.so"), 1u);
  EXPECT_EQ(CopiesIn(kOne, "liby.so"), 0u);
  EXPECT_EQ(CopiesIn("", "libx.so"), 0u);
}

TEST(LoadedCopiesTest, AFileThatHasTakenAnothersPlaceIsAnother) {
  std::string two(kOne);
  two += "7f05-7f06 r-xp 0 fe:01 44    /opt/a b/libx.so (deleted)";
  EXPECT_EQ(CopiesIn(two, "libx.so"), 2u);
}

TEST(LoadedCopiesTest, TheProcesssOwnMapsCanBeRead) { EXPECT_EQ(LoadedCopiesOf("libc.so.6"), 1u); }

}  // namespace
}  // namespace yp::hotspot
