#include "hotspot/probes/bytecode/boot_class.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rename.h"

namespace yp::hotspot {

Result<jclass> DefineBootClass(JNIEnv* jni, const std::string& name, std::span<const uint8_t> bytes,
                               int jdk_feature_version) {
  std::vector<uint8_t> content(bytes.begin(), bytes.end());
  if (jdk_feature_version >= 21) {
    Result<classfile::ClassFile> file = classfile::ClassFile::Parse(content);
    if (!file) return file.status();
    Result<std::vector<uint8_t>> renamed =
        classfile::RenameUtf8(*file, "currentThread", "currentCarrierThread");
    if (!renamed) return renamed.status();
    content = std::move(renamed).value();
  }
  const jclass defined =
      jni->DefineClass(name.c_str(), nullptr, reinterpret_cast<const jbyte*>(content.data()),
                       static_cast<jsize>(content.size()));
  if (defined == nullptr) return BootClassFailed(jni, "defining", name);
  const auto kept = static_cast<jclass>(jni->NewGlobalRef(defined));
  jni->DeleteLocalRef(defined);
  if (kept == nullptr) return BootClassFailed(jni, "keeping", name);
  return kept;
}

Status BootClassFailed(JNIEnv* jni, const std::string& what, const std::string& name) {
  jni->ExceptionClear();
  std::string qualified = name;
  std::replace(qualified.begin(), qualified.end(), '/', '.');
  return Status::Error(what + " " + qualified + " failed");
}

}  // namespace yp::hotspot
