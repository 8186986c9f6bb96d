#include "core/options/config_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace yp {
namespace {

TEST(ConfigNumberTest, IsWhatATextBeginsWithAndZeroWhereThatIsNoNumber) {
  const ConfigEntries config = {{"whole", "1000000"}, {"part", "2.5"},   {"unit", "17 ms"},
                                {"empty", ""},        {"word", "many"},  {"endless", "inf"},
                                {"none", "nan"},      {"huge", "1e400"}, {"less", "-3"}};
  EXPECT_EQ(ConfigNumber<int64_t>(config, "whole"), 1'000'000);
  EXPECT_EQ(ConfigNumber<double>(config, "part"), 2.5);
  EXPECT_EQ(ConfigNumber<int64_t>(config, "unit"), 17);
  EXPECT_EQ(ConfigNumber<int64_t>(config, "less"), -3);
  for (const char* key : {"empty", "word", "endless", "none", "huge", "missing"}) {
    EXPECT_EQ(ConfigNumber<double>(config, key), 0) << key;
    EXPECT_EQ(ConfigNumber<int64_t>(config, key), key == std::string_view("huge") ? 1 : 0) << key;
  }
}

}  // namespace
}  // namespace yp
