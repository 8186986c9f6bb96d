#include "hotspot/jit/earlier_code.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/guarded_memory.h"

namespace yp::hotspot {

Result<std::vector<spool::EarlierCode>> ListCode(const VmStructs& structs,
                                                 const CodeCache& code_cache) {
  const Result<GuardedMemory> memory = GuardedMemory::Create();
  if (!memory) return memory.status();
  GuardedBlocks blocks(*memory);
  const Result<CallResolver> resolver = CallResolver::Create(structs, blocks);
  if (!resolver) return resolver.status();
  std::vector<spool::EarlierCode> listed;
  code_cache.ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (!compilation.is_in_use) return;
    std::optional<ClassReader::MethodNames> names = resolver->NamesOf(compilation.method);
    if (!names) return;
    std::ranges::replace(names->class_name, '/', '.');
    listed.push_back({.compile_id = compilation.compile_id,
                      .level = compilation.level,
                      .is_osr = compilation.is_osr,
                      .class_name = std::move(names->class_name),
                      .name = std::move(names->name),
                      .descriptor = std::move(names->descriptor),
                      .is_of_boot_loader = names->is_of_boot_loader});
  });
  return listed;
}

}  // namespace yp::hotspot
