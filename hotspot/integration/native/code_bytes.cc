// What programs.CodeBytes asks for: hashes of the code of every compiled method that is in use.

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace {

jlong Hash(uintptr_t begin, uintptr_t end) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a.
  for (uintptr_t at = begin; at < end; ++at) {
    hash = (hash ^ *reinterpret_cast<const volatile uint8_t*>(at)) * 0x100000001b3u;
  }
  return static_cast<jlong>(hash);
}

}  // namespace

extern "C" JNIEXPORT jlongArray JNICALL Java_programs_CodeBytes_read(JNIEnv* jni, jclass) {
  using yp::hotspot::CodeCache;
  using yp::hotspot::VmStructs;
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return nullptr;
  VmStructs::UseLibraryOf(reinterpret_cast<const void*>(vm->functions->GetEnv));
  const yp::Result<VmStructs> structs = VmStructs::Read(&VmStructs::LookupInProcess);
  if (!structs) return nullptr;
  const yp::Result<CodeCache> code_cache = CodeCache::Create(*structs);
  if (!code_cache) return nullptr;
  std::vector<jlong> words;
  code_cache->ForEachCompilation([&](const CodeCache::Compilation& compilation) {
    if (compilation.is_osr || !compilation.is_in_use) return;
    words.push_back(compilation.compile_id);
    words.push_back(Hash(compilation.verified_entry, compilation.verified_entry + 8));
    words.push_back(Hash(compilation.code_begin, compilation.code_end));
  });
  const jlongArray result = jni->NewLongArray(static_cast<jsize>(words.size()));
  if (result != nullptr) {
    jni->SetLongArrayRegion(result, 0, static_cast<jsize>(words.size()), words.data());
  }
  return result;
}
