#include "hotspot/walk/jvmti_methods.h"

#include <algorithm>
#include <array>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/entry_call.h"
#include "classfile/modified_utf8.h"
#include "core/graph/class_name.h"
#include "hotspot/support/jvmti_owned.h"

namespace yp::hotspot {
namespace {

// A class that is loaded again, into another loader, has new ids, and those of the unloaded one are
// never told to be gone: instead of keeping them for ever, all are asked for again now and then.
constexpr size_t kMaxResolved = 1 << 12;

// The VM changes classes in one go after it has shown their class files, and does not tell when.
constexpr std::chrono::seconds kRedefinitionTime{10};

}  // namespace

std::string SignatureOf(jvmtiEnv* jvmti, jclass type) {
  JvmtiOwned<char> signature(jvmti);
  if (jvmti->GetClassSignature(type, signature.out(), nullptr) != JVMTI_ERROR_NONE) return "";
  return signature.get();
}

std::string ReportedClassName(std::string_view signature) {
  if (signature.starts_with("L") && signature.ends_with(";")) {
    signature = signature.substr(1, signature.size() - 2);
  }
  return yp::ReportedClassName(signature);
}

bool IsHiddenGlue(std::string_view signature) {
  if (signature.starts_with("Ljava/lang/invoke/")) {
    const std::string_view rest = signature.substr(std::string_view("Ljava/lang/invoke/").size());
    return rest.starts_with("LambdaForm") || rest.starts_with("DirectMethodHandle") ||
           rest.starts_with("DelegatingMethodHandle") || rest.starts_with("Invokers") ||
           rest.starts_with("MethodHandle") || rest.starts_with("VarHandle");
  }
  // A lambda's proxy is a hidden class beside the class that made it.
  return signature.find("$$Lambda") != std::string_view::npos;
}

bool JvmtiMethods::Describe(jmethodID method, Method& described, bool& is_hidden) {
  jclass type = nullptr;
  if (jvmti_->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE) return false;
  const std::string signature = SignatureOf(jvmti_, type);
  if (signature.empty()) return false;
  JvmtiOwned<char> name(jvmti_), descriptor(jvmti_);
  if (jvmti_->GetMethodName(method, name.out(), descriptor.out(), nullptr) != JVMTI_ERROR_NONE) {
    return false;
  }
  described.class_name = classfile::ToUtf8(ReportedClassName(signature));
  described.name = classfile::ToUtf8(name.get());
  described.descriptor = classfile::ToUtf8(descriptor.get());
  is_hidden = IsHiddenGlue(signature);

  jint modifiers = 0;
  if (jvmti_->GetMethodModifiers(method, &modifiers) == JVMTI_ERROR_NONE) {
    if ((modifiers & classfile::kAccNative) != 0) described.flags |= Method::kNative;
    if ((modifiers & classfile::kAccStatic) != 0) described.flags |= Method::kStatic;
  }
  JvmtiOwned<char> source(jvmti_);
  if (jvmti_->GetSourceFileName(type, source.out()) == JVMTI_ERROR_NONE) {
    described.source_file = classfile::ToUtf8(source.get());
  }
  jint line_count = 0;
  JvmtiOwned<jvmtiLineNumberEntry> lines(jvmti_);
  if (jvmti_->GetLineNumberTable(method, &line_count, lines.out()) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < line_count; ++i) {
      described.lines.push_back({static_cast<uint16_t>(lines.get()[i].start_location),
                                 static_cast<uint16_t>(lines.get()[i].line_number)});
    }
    std::stable_sort(described.lines.begin(), described.lines.end(),
                     [](const auto& a, const auto& b) { return a.bci < b.bci; });
  }
  return true;
}

// What was resolved before the last redefinition, or while that may go on, is compared before it is
// used, by its size, as the registry tells versions apart.
std::shared_ptr<const WalkedMethod> JvmtiMethods::Resolve(JNIEnv* jni, jmethodID method) {
  // Read before the clock and before anything is resolved: a redefinition meanwhile raises it.
  // Partner: OnRedefinition's release.
  const uint64_t redefinitions = redefinitions_.load(std::memory_order_acquire);
  Resolved known;
  {
    const std::lock_guard lock(mutex_);
    const auto it = resolved_.find(method);
    if (it != resolved_.end()) known = it->second;
  }
  if (known.settled_in == redefinitions) return known.walked;
  const bool may_change = MayBeRedefining();
  if (known.walked == nullptr || EndOf(method) != known.end) {
    known = ResolveNew(jni, method);
    if (known.walked == nullptr) return nullptr;
  } else if (may_change) {
    return known.walked;
  }
  if (!may_change) known.settled_in = redefinitions;
  const std::lock_guard lock(mutex_);
  if (resolved_.size() >= kMaxResolved) resolved_.clear();
  resolved_.insert_or_assign(method, known);
  return known.walked;
}

int64_t JvmtiMethods::EndOf(jmethodID method) const {
  jlocation begin = 0, end = 0;
  return jvmti_->GetMethodLocation(method, &begin, &end) == JVMTI_ERROR_NONE ? end : -1;
}

JvmtiMethods::Resolved JvmtiMethods::ResolveNew(JNIEnv* jni, jmethodID method) {
  if (jni->PushLocalFrame(8) != 0) {
    jni->ExceptionClear();
    return {};
  }
  auto walked = std::make_shared<WalkedMethod>();
  Method described;
  const bool ok = Describe(method, described, walked->is_hidden);
  jni->PopLocalFrame(nullptr);
  if (!ok) return {};

  // The running version tells by its own bytecode whether it has the probe.
  jint size = 0;
  JvmtiOwned<unsigned char> code(jvmti_);
  const bool has_code = (described.flags & Method::kNative) == 0 &&
                        jvmti_->GetBytecodes(method, &size, code.out()) == JVMTI_ERROR_NONE;
  if (has_code && classfile::StartsWithEntryCall({code.get(), static_cast<size_t>(size)})) {
    // Known from its class file: the lines that the VM tells are those of the rewritten code.
    described.lines.clear();
    walked->id = registry_.Intern(described);
    walked->map = registry_.FindVersion(walked->id, static_cast<uint32_t>(size));
  } else {
    walked->id = registry_.Intern(described);
  }
  walked->is_probe = described.class_name == "java.lang.YieldpointProbe";
  return {std::move(walked), has_code ? int64_t{size} - 1 : -1};
}

void JvmtiMethods::OnRedefinition() {
  redefining_until_.store(
      (std::chrono::steady_clock::now() + kRedefinitionTime).time_since_epoch().count(),
      std::memory_order_relaxed);
  redefinitions_.fetch_add(1, std::memory_order_release);  // Partner: Resolve's acquire.
}

bool JvmtiMethods::MayBeRedefining() const {
  return std::chrono::steady_clock::now().time_since_epoch().count() <
         redefining_until_.load(std::memory_order_relaxed);
}

bool JvmtiMethods::IsJdkClass(JNIEnv* jni, jclass type) {
  jobject loader = nullptr;
  if (jvmti_->GetClassLoader(type, &loader) != JVMTI_ERROR_NONE) return true;
  if (loader == nullptr) return true;
  // The platform loader is told by its class.
  const std::string signature = SignatureOf(jvmti_, jni->GetObjectClass(loader));
  return signature.empty() || signature == "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;";
}

bool JvmtiMethods::Declares(jclass type, std::string_view selector) {
  jint count = 0;
  JvmtiOwned<jmethodID> methods(jvmti_);
  if (jvmti_->GetClassMethods(type, &count, methods.out()) != JVMTI_ERROR_NONE) return true;
  for (jint i = 0; i < count; ++i) {
    JvmtiOwned<char> name(jvmti_), descriptor(jvmti_);
    if (jvmti_->GetMethodName(methods.get()[i], name.out(), descriptor.out(), nullptr) !=
        JVMTI_ERROR_NONE) {
      return true;
    }
    if (std::string(name.get()) + descriptor.get() == selector) return true;
  }
  return false;
}

bool JvmtiMethods::DeclaredInJdkSupertype(JNIEnv* jni, jclass type, std::string_view selector,
                                          int depth) {
  constexpr int kMaxDepth = 64;
  if (depth > kMaxDepth || jni->PushLocalFrame(64) != 0) {
    jni->ExceptionClear();
    return true;
  }
  bool found = depth > 0 && IsJdkClass(jni, type) && Declares(type, selector);
  if (!found) {
    const jclass super = jni->GetSuperclass(type);
    found = super != nullptr && DeclaredInJdkSupertype(jni, super, selector, depth + 1);
  }
  if (!found) {
    jint count = 0;
    JvmtiOwned<jclass> interfaces(jvmti_);
    if (jvmti_->GetImplementedInterfaces(type, &count, interfaces.out()) != JVMTI_ERROR_NONE) {
      found = true;
    }
    for (jint i = 0; i < count && !found; ++i) {
      found = DeclaredInJdkSupertype(jni, interfaces.get()[i], selector, depth + 1);
    }
  }
  jni->PopLocalFrame(nullptr);
  return found;
}

bool JvmtiMethods::MayBeCalledByJdk(JNIEnv* jni, jmethodID method) {
  JvmtiOwned<char> name(jvmti_), descriptor(jvmti_);
  jclass type = nullptr;
  if (jvmti_->GetMethodName(method, name.out(), descriptor.out(), nullptr) != JVMTI_ERROR_NONE ||
      jvmti_->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE) {
    return true;
  }
  const bool result =
      DeclaredInJdkSupertype(jni, type, std::string(name.get()) + descriptor.get(), 0);
  jni->DeleteLocalRef(type);
  return result;
}

}  // namespace yp::hotspot
