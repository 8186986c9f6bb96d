// attaching LIBJVM HOW OPTION...: a program in C++ that starts a JVM and calls programs.Ends.leaf
// from threads that attach to it. Prints the sum of the results. HOW is
//
//   again    one thread that attaches, calls it 1000 times and detaches, three times
//   abandon  one thread that calls it, while code is compiled and observed, and ends without
//            detaching; its stack is unmapped; then the first thread calls it as often

#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kAttachments = 3;
constexpr jint kCalls = 1000;
constexpr jint kManyCalls = 10'000'000;
constexpr size_t kStackBytes = size_t{8} << 20;

int Fail(const char* what) {
  std::fprintf(stderr, "attaching: %s\n", what);
  return 1;
}

// -1 when something is not there.
int64_t CallLeaf(JNIEnv* jni, jint calls) {
  const jclass type = jni->FindClass("programs/Ends");
  const jmethodID leaf = type == nullptr ? nullptr : jni->GetStaticMethodID(type, "leaf", "(I)I");
  if (leaf == nullptr) return -1;
  int64_t sum = 0;
  for (jint i = 0; i < calls; ++i) sum += jni->CallStaticIntMethod(type, leaf, i);
  return sum;
}

int64_t Sum(int64_t a, int64_t b) { return a < 0 || b < 0 ? -1 : a + b; }

int64_t CallWhileAttached(JavaVM* vm) {
  JNIEnv* jni = nullptr;
  if (vm->AttachCurrentThread(reinterpret_cast<void**>(&jni), nullptr) != JNI_OK) return -1;
  const int64_t sum = CallLeaf(jni, kCalls);
  return vm->DetachCurrentThread() == JNI_OK ? sum : -1;
}

int64_t AttachAgainAndAgain(JavaVM* vm) {
  int64_t sum = 0;
  std::thread([&] {
    for (int i = 0; i < kAttachments; ++i) sum = Sum(sum, CallWhileAttached(vm));
  }).join();
  return sum;
}

struct Abandoned {
  JavaVM* vm = nullptr;
  int64_t sum = -1;

  static void* Run(void* self) {
    auto* abandoned = static_cast<Abandoned*>(self);
    JNIEnv* jni = nullptr;
    if (abandoned->vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), nullptr) ==
        JNI_OK) {
      abandoned->sum = CallLeaf(jni, kManyCalls);
    }
    return nullptr;
  }
};

int64_t Abandon(JavaVM* vm, JNIEnv* jni) {
  void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return -1;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStackBytes);
  Abandoned abandoned{vm};
  pthread_t thread{};
  const bool has_run = pthread_create(&thread, &attributes, Abandoned::Run, &abandoned) == 0 &&
                       pthread_join(thread, nullptr) == 0;
  pthread_attr_destroy(&attributes);
  munmap(stack, kStackBytes);
  return has_run ? Sum(abandoned.sum, CallLeaf(jni, kManyCalls)) : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return Fail("usage: attaching LIBJVM again|abandon OPTION...");
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return Fail(dlerror());
  const auto create =
      reinterpret_cast<jint (*)(JavaVM**, void**, void*)>(dlsym(library, "JNI_CreateJavaVM"));
  if (create == nullptr) return Fail("no JNI_CreateJavaVM");
  std::vector<JavaVMOption> options;
  for (int i = 3; i < argc; ++i) options.push_back({argv[i], nullptr});
  JavaVMInitArgs arguments{JNI_VERSION_10, static_cast<jint>(options.size()), options.data(),
                           JNI_FALSE};
  JavaVM* vm = nullptr;
  JNIEnv* jni = nullptr;
  if (create(&vm, reinterpret_cast<void**>(&jni), &arguments) != JNI_OK) {
    return Fail("the JVM did not start");
  }
  const bool abandons = std::string_view(argv[2]) == "abandon";
  const int64_t sum = abandons ? Abandon(vm, jni) : AttachAgainAndAgain(vm);
  std::printf("%lld\n", static_cast<long long>(sum));
  vm->DestroyJavaVM();
  return sum < 0 ? 1 : 0;
}
