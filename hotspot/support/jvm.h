#ifndef YP_HOTSPOT_SUPPORT_JVM_H_
#define YP_HOTSPOT_SUPPORT_JVM_H_

#include <jvmti.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hotspot/support/platform_packages.h"

namespace yp::hotspot {

// A system property as JVMTI gives it; empty when there is none.
std::string SystemProperty(jvmtiEnv* jvmti, const char* name);

// The update of a JDK by java.vm.version: 4 of "11.0.4+11".
int UpdateOf(std::string_view vm_version);
// Whether that JDK may be given other bytecode of methods that are running. Those before 11.0.4 and
// 12.0.2 crash in java.lang.StackWalker when it comes to such a method's frame.
bool MayRewriteRunningMethods(int feature_version, int update);

// The JVM that the agent is in.
class Jvm {
 public:
  static constexpr int kOldestJdk = 11;
  static constexpr const char* kNotAtThisMoment =
      "this JVM does not take agents at this moment, as when it starts or ends; nothing is "
      "recorded, try again";

  // An error, of one line, where it is too old, or takes no agents now.
  static Result<Jvm> Check(JavaVM* vm);

  JavaVM* vm() const { return vm_; }
  jvmtiEnv* jvmti() const { return jvmti_; }
  int feature_version() const { return feature_version_; }
  int update() const { return update_; }
  // Whether the agent came after the VM's start.
  bool is_attached() const { return is_attached_; }
  // Whether code of the program's may be running.
  bool has_program() const { return has_program_; }
  // The agent came with the VM's start; the program begins.
  void SetStarting() { is_attached_ = has_program_ = false; }
  void SetProgramBegins() { has_program_ = true; }

  // Has it call those, and tell of its start and end and of its threads'. An error of one line.
  Status TakeEvents(const jvmtiEventCallbacks& callbacks) const;
  // Before what follows, as soon as Java code can run. An error of one line.
  Status FindPlatformLoader(JNIEnv* jni);
  // A global reference.
  jobject platform_loader() const { return platform_loader_; }
  // Puts a file that lies beside the agent's library at the end of the program's class path, once.
  // An error of one line.
  Status AddToClassPath(const std::string& file_name);
  // Those of the boot and of the platform class loader.
  PackageSet JdkPackages(JNIEnv* jni) const;
  // Makes the calling thread a Java thread meanwhile, if it is none. With null when the VM refuses.
  void AsJavaThread(const std::function<void(JNIEnv*)>& run) const;

 private:
  Jvm(JavaVM* vm, jvmtiEnv* jvmti, int feature_version)
      : vm_(vm),
        jvmti_(jvmti),
        feature_version_(feature_version),
        update_(UpdateOf(SystemProperty(jvmti, "java.vm.version"))) {}

  JavaVM* vm_;
  jvmtiEnv* jvmti_;
  int feature_version_;
  int update_;
  bool is_attached_ = true, has_program_ = true;
  jobject platform_loader_ = nullptr;
  std::set<std::string> on_class_path_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_JVM_H_
