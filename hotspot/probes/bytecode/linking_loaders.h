#ifndef YP_HOTSPOT_PROBES_BYTECODE_LINKING_LOADERS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_LINKING_LOADERS_H_

#include <jvmti.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace yp::hotspot {

// Which class loaders hand out the probe's class, java.lang.YieldpointProbe. A rewritten class of
// another one would not link: its program would end with a NoClassDefFoundError. Such loaders are
// those of plugin systems and sandboxes that give their code a list of the JDK's classes.
// - Loaders that find classes by the JDK's own code, as do their parents up to the boot loader, are
//   known to. No code runs to find that out.
// - Any other is asked once, by Class.forName, as the VM would ask it when the first rewritten
//   method runs. The VM remembers the answer, and links without asking again.
// - From any Java thread, also while that one defines a class. What a loader defines on a thread
//   that is asking one there and then counts as not linked.
class LinkingLoaders {
 public:
  explicit LinkingLoaders(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // `probe`: a global reference to the class. `loader` is null for the boot loader.
  bool Links(JNIEnv* jni, jobject loader, jclass probe);

 private:
  struct Known {
    jweak loader;
    bool links;
  };
  using ByHash = std::unordered_multimap<jint, Known>;

  std::optional<bool> Find(JNIEnv* jni, jobject loader, jint hash);
  void Remember(JNIEnv* jni, jobject loader, jint hash, bool links);
  // Those of loaders that are gone.
  void Forget(JNIEnv* jni);

  jvmtiEnv* const jvmti_;
  std::mutex mutex_;
  ByHash known_;
  size_t forget_at_ = 1024;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_LINKING_LOADERS_H_
