#include "compiler/differential/generator.h"

#include <gtest/gtest.h>

#include "classfile/check.h"
#include "classfile/class_file.h"

namespace yp::compiler {
namespace {

TEST(Generator, MakesClassesThatAreWellFormed) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<uint8_t> bytes = GenerateClass(seed);
    const auto file = classfile::ClassFile::Parse(bytes);
    ASSERT_TRUE(file) << seed << ": " << file.message();
    EXPECT_EQ(file->methods().size(), size_t{kGeneratedMethods});
    const Status checked = classfile::CheckClass(*file);
    EXPECT_TRUE(checked) << seed << ": " << checked.message();
  }
}

TEST(Generator, MakesTheSameClassOfTheSameSeed) {
  EXPECT_EQ(GenerateClass(7), GenerateClass(7));
  EXPECT_NE(GenerateClass(7), GenerateClass(8));
}

}  // namespace
}  // namespace yp::compiler
