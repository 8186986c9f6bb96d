#include "compiler/bridge/jni_linkage.h"

#include <memory>
#include <string>
#include <utility>

#include "classfile/instructions.h"

namespace yp::compiler {
namespace {

constexpr int kMostCauses = 8;

// As Task.addValue has it.
ConstantLink ValueOfField(Kind kind, jlong what, jlong value, jlong length) {
  constexpr jlong kNoValue = 0, kNull = 2, kObject = 3;
  ConstantLink constant;
  if (what == kNoValue) return constant;
  constant.kind = kind;
  constant.resolved = true;
  constant.is_null = what == kNull;
  if (what == kObject) {
    constant.object = static_cast<ConstantId>(value);
    constant.length = static_cast<int32_t>(length);
  } else {
    constant.bits = value;
  }
  return constant;
}

std::optional<ConstantId> OptionalConstant(jlong number) {
  if (number < 0) return std::nullopt;
  return static_cast<ConstantId>(number);
}

}  // namespace

Result<TaskMethods> TaskMethods::Find(JNIEnv* env) {
  const jclass task = env->FindClass("yieldpoint/compiler/Task");
  if (task == nullptr) return Status::Error("the compiler's Java part lacks Task");
  TaskMethods methods;
  const auto find = [&](jmethodID& into, const char* name, const char* descriptor) {
    if (!env->ExceptionCheck()) into = env->GetMethodID(task, name, descriptor);
  };
  find(methods.field, "field", "(II)[J");
  find(methods.call, "call", "(II)[J");
  find(methods.type, "type", "(II)[J");
  find(methods.primitive_array, "primitiveArray", "(I)[J");
  find(methods.caught_type, "caughtType", "(I)[J");
  find(methods.constant, "constant", "(I)[J");
  find(methods.holder, "holder", "()J");
  find(methods.holder_class, "holderClass", "()J");
  find(methods.target, "target", "(I)[J");
  find(methods.only_callee, "onlyCallee", "(III)[J");
  find(methods.callee_of, "calleeOf", "(Ljava/lang/String;III)[J");
  find(methods.bind, "bind", "(I)V");
  find(methods.open, "open", "(I)[Ljava/lang/Object;");
  const auto find_text = [&](jfieldID& into, const char* name) {
    if (!env->ExceptionCheck()) into = env->GetFieldID(task, name, "Ljava/lang/String;");
  };
  find_text(methods.call_descriptor, "callDescriptor");
  find_text(methods.callee_name, "calleeName");
  const jclass object = env->ExceptionCheck() ? nullptr : env->FindClass("java/lang/Object");
  const jclass no_memory =
      env->ExceptionCheck() ? nullptr : env->FindClass("java/lang/OutOfMemoryError");
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
    return Status::Error("the compiler's Java part is of another version");
  }
  methods.object = static_cast<jclass>(env->NewGlobalRef(object));
  methods.no_memory = static_cast<jclass>(env->NewGlobalRef(no_memory));
  methods.cause = env->GetMethodID(no_memory, "getCause", "()Ljava/lang/Throwable;");
  return methods;
}

bool JniLinkage::HasThrown() {
  const jthrowable thrown = env_->ExceptionOccurred();
  if (thrown == nullptr) return false;
  env_->ExceptionClear();
  // What failed for lack of memory may say so as its cause, as a class does that cannot be
  // initialized. A cause may lead back to itself.
  jobject cause = thrown;
  for (int depth = 0; cause != nullptr && depth < kMostCauses; ++depth) {
    if (env_->IsInstanceOf(cause, methods_.no_memory)) *no_memory_ = true;
    const jobject next = env_->CallObjectMethod(cause, methods_.cause);
    if (env_->ExceptionCheck()) {
      env_->ExceptionClear();
      *no_memory_ = true;  // Of the library's exceptions, only a full heap or stack ends this.
    }
    env_->DeleteLocalRef(cause);
    cause = next;
  }
  env_->DeleteLocalRef(cause);
  return true;
}

template <size_t kCount>
std::optional<JniLinkage::Numbers<kCount>> JniLinkage::Take(jobject array) {
  if (HasThrown() || array == nullptr) return std::nullopt;
  Numbers<kCount> numbers;
  env_->GetLongArrayRegion(static_cast<jlongArray>(array), 0, static_cast<jsize>(kCount),
                           numbers.data());
  env_->DeleteLocalRef(array);
  return numbers;
}

template <size_t kCount, typename... Arguments>
std::optional<JniLinkage::Numbers<kCount>> JniLinkage::Ask(jmethodID method,
                                                           Arguments... arguments) {
  return Take<kCount>(env_->CallObjectMethod(task_, method, static_cast<jint>(arguments)...));
}

std::string JniLinkage::TextOf(jfieldID field) {
  const auto string = static_cast<jstring>(env_->GetObjectField(task_, field));
  std::string text = string == nullptr ? std::string() : Text(env_, string);
  env_->DeleteLocalRef(string);
  return text;
}

const FieldLink* JniLinkage::Field(uint32_t index, uint8_t opcode) {
  const bool loads = opcode == classfile::op::kGetstatic || opcode == classfile::op::kGetfield;
  auto& fields = loads ? pool_.loaded_fields : stored_fields_;
  const auto [known, is_new] = fields.try_emplace({index, opcode});
  std::optional<FieldLink>& link = known->second;
  if (is_new) {
    if (const auto numbers = Ask<10>(methods_.field, index, opcode)) {
      const Numbers<10>& n = *numbers;
      link = FieldLink{static_cast<char>(n[0]),
                       n[1] != 0,
                       n[2] != 0,
                       n[3] != 0,
                       static_cast<int32_t>(n[4]),
                       static_cast<ConstantId>(n[5]),
                       OptionalConstant(n[6]),
                       ValueOfField(KindOf(static_cast<char>(n[0])), n[7], n[8], n[9])};
    }
  }
  return link ? &*link : nullptr;
}

namespace {

// None where the VM has no function for it.
Intrinsic IntrinsicOf(jlong number, const VmLayout& vm) {
  const Intrinsic intrinsic{static_cast<Intrinsic::Kind>(number & 0xff),
                            static_cast<char>(number >> 8 & 0x7f), (number >> 16 & 1) != 0,
                            static_cast<int32_t>(number >> 32),
                            static_cast<Leaf>(number >> 24 & 0xff)};
  const bool is_leaf = intrinsic.kind == Intrinsic::Kind::kLeafCall;
  return is_leaf && vm.LeafAddress(intrinsic.leaf) == 0 ? Intrinsic() : intrinsic;
}

}  // namespace

const CallLink* JniLinkage::Call(uint32_t index, uint8_t opcode) {
  const auto [known, is_new] = pool_.calls.try_emplace({index, opcode});
  std::optional<CallLink>& link = known->second;
  if (is_new) {
    const auto numbers = Ask<7>(methods_.call, index, opcode);
    if (!numbers) return nullptr;
    const Numbers<7>& n = *numbers;
    std::optional<Signature> signature = Signature::Parse(TextOf(methods_.call_descriptor));
    if (!signature) return nullptr;
    link = CallLink{std::move(*signature),       n[0] != 0,
                    static_cast<Dispatch>(n[1]), static_cast<MethodNumber>(n[2]),
                    OptionalConstant(n[3]),      OptionalConstant(n[4]),
                    static_cast<int32_t>(n[5]),  IntrinsicOf(n[6], vm_)};
  }
  return link ? &*link : nullptr;
}

template <typename... Arguments>
TypeLink JniLinkage::AskType(jmethodID method, Arguments... arguments) {
  const auto numbers = Ask<7>(method, arguments...);
  if (!numbers) return {};
  const Numbers<7>& n = *numbers;
  return {n[0] != 0,
          static_cast<ConstantId>(n[1]),
          static_cast<int32_t>(n[2]),
          static_cast<int32_t>(n[3]),
          n[4] != 0,
          n[5] != 0,
          n[6] != 0};
}

TypeLink JniLinkage::Type(uint32_t index, uint8_t opcode) {
  const auto [known, is_new] = pool_.types.try_emplace({index, opcode});
  if (is_new) known->second = AskType(methods_.type, index, opcode);
  return known->second;
}

TypeLink JniLinkage::PrimitiveArray(uint8_t code) {
  const auto [known, is_new] = primitive_arrays_.try_emplace(code);
  if (is_new) known->second = AskType(methods_.primitive_array, code);
  return known->second;
}

TypeLink JniLinkage::CaughtType(uint32_t handler) {
  const auto [known, is_new] = caught_types_.try_emplace(handler);
  if (is_new) known->second = AskType(methods_.caught_type, handler);
  return known->second;
}

ConstantLink JniLinkage::Constant(uint32_t index) {
  const auto [known, is_new] = pool_.constants.try_emplace(index);
  if (is_new) {
    if (const auto numbers = Ask<5>(methods_.constant, index)) {
      const Numbers<5>& n = *numbers;
      known->second = {static_cast<Kind>(n[0]), n[1] != 0, n[2], n[3] != 0,
                       static_cast<ConstantId>(n[4])};
    }
  }
  return known->second;
}

ConstantId JniLinkage::Holder() {
  if (!holder_) holder_ = static_cast<ConstantId>(env_->CallLongMethod(task_, methods_.holder));
  return *holder_;
}

ConstantId JniLinkage::HolderClass() {
  if (!holder_class_) {
    holder_class_ = static_cast<ConstantId>(env_->CallLongMethod(task_, methods_.holder_class));
  }
  return *holder_class_;
}

uint32_t JniLinkage::CallSite(uint32_t bci) {
  return recorded_.graph == nullptr
             ? CallGraph::kNoSite
             : recorded_.graph->AddSite(recorded_.method, static_cast<int32_t>(bci));
}

// What is not the program's, the compiler itself and glue of method handles, calls by index 0.
CallTarget JniLinkage::TargetOf(uint32_t bci, const CallLink& call) {
  const auto numbers = Ask<2>(methods_.target, static_cast<uint32_t>(call.method));
  if (recorded_.targets == nullptr || !numbers) return {};
  const auto [method, flags] = *numbers;
  constexpr jlong kOfInterface = 1, kNotOfProgram = 2;
  if (method == 0) return {};
  const uint32_t site = (flags & kNotOfProgram) != 0 ? CallGraph::kNoSite : CallSite(bci);
  return recorded_.targets->Add(site, static_cast<uint64_t>(method), call.dispatch,
                                (flags & kOfInterface) != 0);
}

std::optional<CalleeLink> JniLinkage::Callee(
    const std::optional<Numbers<kCalleeNumbers>>& numbers) {
  if (!numbers) return std::nullopt;
  const Numbers<kCalleeNumbers>& n = *numbers;
  CalleeLink callee;
  callee.method = static_cast<MethodNumber>(n[0]);
  callee.name = TextOf(methods_.callee_name);
  callee.bytes = static_cast<int32_t>(n[1]);
  callee.obstacle = static_cast<CalleeLink::Obstacle>(n[2]);
  callee.guard = {static_cast<GuardLink::Kind>(n[3]), static_cast<ConstantId>(n[4]),
                  static_cast<int32_t>(n[5]),         static_cast<ConstantId>(n[6]),
                  static_cast<int32_t>(n[7]),         static_cast<ConstantId>(n[8])};
  callee.is_abstract = n[9] != 0;
  return callee;
}

std::optional<CalleeLink> JniLinkage::OnlyCallee(uint32_t index, uint8_t opcode,
                                                 const CallLink& call) {
  const auto [known, is_new] = pool_.only_callees.try_emplace({index, opcode});
  if (is_new) {
    known->second = Callee(Ask<kCalleeNumbers>(methods_.only_callee, index, opcode,
                                               static_cast<uint32_t>(call.method)));
  }
  return known->second;
}

std::optional<CalleeLink> JniLinkage::CalleeOf(std::string_view class_name, uint32_t bci, uint32_t,
                                               uint8_t opcode, const CallLink& call) {
  const jstring name = env_->NewStringUTF(std::string(class_name).c_str());
  const jobject numbers =
      env_->CallObjectMethod(task_, methods_.callee_of, name, static_cast<jint>(bci), jint{opcode},
                             static_cast<jint>(call.method));
  const std::optional<CalleeLink> callee = Callee(Take<kCalleeNumbers>(numbers));
  env_->DeleteLocalRef(name);
  return callee;
}

void JniLinkage::Bind(MethodNumber method) {
  env_->CallVoidMethod(task_, methods_.bind, static_cast<jint>(method));
  // Without the assumption the code would be wrong: the compilation ends as without memory.
  if (HasThrown()) *no_memory_ = true;
}

// The task lives as long as the compilation: its local reference is released with the caller's.
std::optional<OpenedMethod> JniLinkage::Open(MethodNumber method) {
  constexpr jint kReferences = 16;
  if (env_->PushLocalFrame(kReferences) != 0) {
    env_->ExceptionClear();
    return std::nullopt;
  }
  const auto body = static_cast<jobjectArray>(
      env_->CallObjectMethod(task_, methods_.open, static_cast<jint>(method)));
  if (HasThrown() || body == nullptr) {
    env_->PopLocalFrame(nullptr);
    return std::nullopt;
  }
  Result<MethodBody> read = ReadBody(env_, body, recorded_.graph);
  const jobject task = env_->PopLocalFrame(env_->GetObjectArrayElement(body, 0));
  if (!read) return std::nullopt;
  const RecordedCalls recorded{recorded_.graph, read->recorded, recorded_.targets};
  auto linkage = std::make_unique<JniLinkage>(env_, task, methods_, vm_, *read, recorded, &answers_,
                                              no_memory_);
  return OpenedMethod{std::move(read->method), std::move(linkage)};
}

}  // namespace yp::compiler
