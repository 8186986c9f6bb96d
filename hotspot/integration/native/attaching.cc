// attaching LIBJVM OPTION...: a program in C++ that starts a JVM and calls programs.Ends.leaf from
// a thread that attaches to the JVM, detaches and attaches again, 3 times 1000 times. Prints the
// sum.

#include <dlfcn.h>
#include <jni.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int kAttachments = 3;
constexpr jint kCalls = 1000;

int Fail(const char* what) {
  std::fprintf(stderr, "attaching: %s\n", what);
  return 1;
}

// -1 when something is not there.
long CallWhileAttached(JavaVM* vm) {
  JNIEnv* jni = nullptr;
  if (vm->AttachCurrentThread(reinterpret_cast<void**>(&jni), nullptr) != JNI_OK) return -1;
  const jclass type = jni->FindClass("programs/Ends");
  const jmethodID leaf = type == nullptr ? nullptr : jni->GetStaticMethodID(type, "leaf", "(I)I");
  long sum = leaf == nullptr ? -1 : 0;
  for (jint i = 0; leaf != nullptr && i < kCalls; ++i) {
    sum += jni->CallStaticIntMethod(type, leaf, i);
  }
  return vm->DetachCurrentThread() == JNI_OK ? sum : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return Fail("usage: attaching LIBJVM OPTION...");
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return Fail(dlerror());
  const auto create =
      reinterpret_cast<jint (*)(JavaVM**, void**, void*)>(dlsym(library, "JNI_CreateJavaVM"));
  if (create == nullptr) return Fail("no JNI_CreateJavaVM");
  std::vector<JavaVMOption> options;
  for (int i = 2; i < argc; ++i) options.push_back({argv[i], nullptr});
  JavaVMInitArgs arguments{JNI_VERSION_10, static_cast<jint>(options.size()), options.data(),
                           JNI_FALSE};
  JavaVM* vm = nullptr;
  JNIEnv* jni = nullptr;
  if (create(&vm, reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) {
    return Fail("the JVM did not start");
  }
  long sum = 0;
  std::thread([&] {
    for (int i = 0; i < kAttachments; ++i) {
      const long part = CallWhileAttached(vm);
      sum = part < 0 || sum < 0 ? -1 : sum + part;
    }
  }).join();
  std::printf("%ld\n", sum);
  vm->DestroyJavaVM();
  return sum < 0 ? 1 : 0;
}
