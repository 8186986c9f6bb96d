// What programs.CodeBytes asks for: the first bytes of every compiled method that is in use.

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"

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
    const jlong word = *reinterpret_cast<const volatile jlong*>(compilation.verified_entry);
    words.push_back(word);
  });
  const jlongArray result = jni->NewLongArray(static_cast<jsize>(words.size()));
  if (result != nullptr) {
    jni->SetLongArrayRegion(result, 0, static_cast<jsize>(words.size()), words.data());
  }
  return result;
}
