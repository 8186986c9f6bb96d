// Writes the machine code of a static method, for a disassembler to read; docs/compiler.md shows
// one.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "compiler/baseline/base_compiler.h"
#include "compiler/bytecode/fake_linkage_for_test.h"
#include "compiler/install/test_store_for_test.h"

namespace yp::compiler {
namespace {

int Fail(std::string_view what) {
  std::cerr
      << "show_base_code: " << what
      << "\nusage: show_base_code STORE DESCRIPTOR CODE\n"
         "STORE is a file of compiler/install/testdata, DESCRIPTOR that of the method, such as "
         "([II)I, and CODE its bytecode in hexadecimal digits\n";
  return 2;
}

int Show(const char* store, const char* descriptor, std::string_view code) {
  const auto vm = VmLayout::From(ReadTestStore(store));
  if (!vm) return Fail(vm.message());
  const auto signature = Signature::Parse(descriptor);
  if (!signature) return Fail("no descriptor");
  Method method;
  method.signature = *signature;
  method.is_static = true;
  for (; code.size() >= 2; code.remove_prefix(2)) {
    uint8_t& byte = method.code.emplace_back();
    if (std::from_chars(code.data(), code.data() + 2, byte, 16).ptr != code.data() + 2) break;
  }
  if (!code.empty()) return Fail("no hexadecimal digits");
  method.max_locals = method.max_stack = 4;
  FakeLinkage linkage;
  const auto compiled = CompileBase(method, linkage, *vm, {});
  if (!compiled) return Fail(compiled.message());
  std::fwrite(compiled->code.data(), 1, compiled->code.size(), stdout);
  return 0;
}

}  // namespace
}  // namespace yp::compiler

int main(int argc, char** argv) {
  if (argc != 4) return yp::compiler::Fail("three arguments");
  return yp::compiler::Show(argv[1], argv[2], argv[3]);
}
