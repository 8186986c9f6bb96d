#include "compiler/differential/generator.h"

#include "classfile/bytes.h"
#include "classfile/class_builder.h"
#include "compiler/differential/method_generator.h"

namespace yp::compiler {

std::string GeneratedName(uint64_t seed) { return "yieldpoint/generated/G" + std::to_string(seed); }

std::vector<uint8_t> GenerateClass(uint64_t seed) {
  constexpr uint16_t kPublicStatic = 0x0009, kSynchronized = 0x0020, kMajor = 49;
  Xoshiro256 random(seed);
  const std::string name = GeneratedName(seed);
  classfile::ClassBuilder builder(name);
  ClassConstants constants(builder, name);
  for (int i = 0; i < kGeneratedMethods; ++i) {
    MethodGenerator generator(random, builder, constants, i);
    const CodeBuilder code = generator.Generate();
    classfile::ClassBuilder::MethodSpec method;
    method.name = "m" + std::to_string(i);
    method.descriptor = ClassConstants::Descriptor(i);
    method.access_flags = kPublicStatic;
    if (random.UniformFromOneTo(4) == 1) method.access_flags |= kSynchronized;
    method.max_stack = MethodGenerator::kMaxStack;
    method.max_locals = MethodGenerator::kMaxLocals;
    method.code = code.Code();
    method.exceptions = code.Exceptions();
    std::vector<uint8_t> lines;
    classfile::AppendU2(lines, code.size());
    for (uint32_t bci = 0; bci < code.size(); ++bci) {
      classfile::AppendU2(lines, bci);
      classfile::AppendU2(lines, bci);
    }
    method.attributes.push_back({"LineNumberTable", lines});
    builder.AddMethod(method);
  }
  return builder.Build(kMajor);
}

}  // namespace yp::compiler
