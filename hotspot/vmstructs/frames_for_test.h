#ifndef YP_HOTSPOT_VMSTRUCTS_FRAMES_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_FRAMES_FOR_TEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/code_heap_for_test.h"
#include "hotspot/vmstructs/method_data_for_test.h"

namespace yp::hotspot {

// A VM with methods, their code, and the stubs between them, laid out like those of a JDK.
class FakeVm {
 public:
  // One method of a call's scopes.
  struct Scope {
    const FakeMethod* method;
    int32_t bci;
  };
  // A call in compiled code: where it returns to, and in which methods that is, innermost first.
  struct Call {
    int32_t pc_offset;  // From the code's start.
    std::vector<Scope> scopes;
  };
  // The VM's JavaCallWrapper, its anchor being what it remembers of the last Java frame.
  struct Wrapper {
    uintptr_t thread, handles;
    struct Anchor {
      uintptr_t last_sp, last_pc, last_fp;
    } anchor;
  };
  static constexpr size_t kSegmentsOfOne = 8;  // Of a heap, for each compilation and stub.

  explicit FakeVm(int jdk) : code(FakeCodeCache::JdkOf(jdk)), jdk_(jdk) {
    queue_.buffer = AddStub("Interpreter", 0) + 200;
    call_stub_return_address_ = AddStub("StubRoutines (1)", 0) + 200;
    LayoutTables& tables = code.tables;
    FakeMethodData::AddTables(tables);
    tables.AddStatic("AbstractInterpreter", "_code", &queue_address_);
    tables.AddField("StubQueue", "_stub_buffer", offsetof(StubQueue, buffer));
    tables.AddField("StubQueue", "_buffer_limit", offsetof(StubQueue, limit));
    tables.AddStatic("StubRoutines", "_call_stub_return_address", &call_stub_return_address_);
    tables.AddField("JavaCallWrapper", "_anchor", offsetof(Wrapper, anchor));
    tables.AddField("JavaFrameAnchor", "_last_Java_sp", offsetof(Wrapper::Anchor, last_sp));
    tables.AddField("JavaFrameAnchor", "_last_Java_pc", offsetof(Wrapper::Anchor, last_pc));
    tables.AddField("JavaFrameAnchor", "_last_Java_fp", offsetof(Wrapper::Anchor, last_fp));
  }

  int feature_version() const { return jdk_; }
  uintptr_t interpreter_pc() const { return queue_.buffer + kInterpreterBytes / 2; }
  uintptr_t interpreter_end() const { return queue_.buffer + kInterpreterBytes; }
  uintptr_t call_stub_pc() const { return call_stub_return_address_; }
  // As before the VM has made its interpreter.
  void RemoveInterpreter() { queue_address_ = nullptr; }

  // Of an application's class.
  FakeMethod& AddMethod(std::string_view class_name, std::string_view name,
                        std::string_view descriptor = "()V") {
    methods_.push_back(std::make_unique<FakeMethod>(class_name, name, descriptor));
    methods_.back()->SetLoader(this);
    return *methods_.back();
  }
  // A compilation; its blob. Calls in ascending order.
  uintptr_t Compile(const FakeMethod& method, int32_t id, int32_t frame_words,
                    const std::vector<Call>& calls, const char* kind = "nmethod") {
    const uintptr_t start = AddBlob(kind, id, frame_words);
    SetCalls(start, method, calls);
    return start;
  }
  // Makes a blob that of a method.
  void SetCalls(uintptr_t start, const FakeMethod& method, const std::vector<Call>& calls) {
    FakeScopes scopes(jdk_);
    for (const Call& call : calls) {
      int32_t at = 0;
      for (auto scope = call.scopes.rbegin(); scope != call.scopes.rend(); ++scope) {
        at = scopes.AddScope(at, scopes.AddMethod(scope->method->method()), scope->bci);
      }
      scopes.AddPc(call.pc_offset, at);
    }
    code.SetMethod(start, method.method());
    code.SetScopes(start, scopes);
  }
  uintptr_t AddStub(const char* name, int32_t frame_words) { return AddBlob(name, 0, frame_words); }
  static uintptr_t Pc(uintptr_t start, int32_t offset) {
    return start + FakeCodeCache::kCodeOffset + static_cast<uintptr_t>(offset);
  }
  static uintptr_t Entry(uintptr_t start) { return Pc(start, FakeCodeCache::kVerifiedEntry); }

  FakeCodeCache code;

 private:
  static constexpr int32_t kInterpreterBytes = 400;
  struct StubQueue {
    uintptr_t interface = 0;
    uintptr_t buffer = 0;
    int32_t size = 5000, limit = kInterpreterBytes;
  };

  uintptr_t AddBlob(const char* name, int32_t id, int32_t frame_words) {
    const size_t segment = std::exchange(next_segment_, next_segment_ + kSegmentsOfOne);
    return code.Add(0, segment, kSegmentsOfOne, name, id, frame_words);
  }

  const int jdk_;
  size_t next_segment_ = 0;
  StubQueue queue_;
  const StubQueue* queue_address_ = &queue_;
  uintptr_t call_stub_return_address_ = 0;
  std::vector<std::unique_ptr<FakeMethod>> methods_;
};

// A thread's stack in ordinary memory, written from the newest frame outward, as HotSpot's code on
// x86-64 leaves it when a call has just reached its callee's entry.
class FakeStack {
 public:
  static constexpr uintptr_t kNoPointer = 0xdeadbeef;  // What compiled code leaves in rbp.

  explicit FakeStack(const FakeVm& vm) : vm_(vm) {}
  FakeStack(const FakeStack&) = delete;
  FakeStack& operator=(const FakeStack&) = delete;

  // Code with a frame of that size, return address and saved rbp included; where it begins.
  uintptr_t* Compiled(uintptr_t pc, int32_t words) {
    Return(pc, kNoPointer);
    uintptr_t* sp = at_;
    at_ += words;
    pc_ = at_ - 1;
    frame_pointer_ = at_ - 2;
    return sp;
  }
  // An interpreted method's, its bytecode pointer at that word from rbp; rbp. With room for that
  // many locals.
  uintptr_t* Interpreted(const FakeMethod& method, int bcp_at, uintptr_t bcp, int locals = 3) {
    uintptr_t* fp = at_ + 12;
    Return(vm_.interpreter_pc(), reinterpret_cast<uintptr_t>(fp));
    for (int i = -12; i < 0; ++i) fp[i] = kNoPointer;
    fp[-1] = reinterpret_cast<uintptr_t>(fp + 2 + locals);
    fp[-3] = reinterpret_cast<uintptr_t>(method.method());
    fp[bcp_at] = bcp;
    at_ = fp + 2 + locals;
    pc_ = fp + 1;
    frame_pointer_ = fp;
    return fp;
  }
  // The stub through which the VM calls Java, and what the VM was called from before: nothing.
  FakeVm::Wrapper* First() {
    FakeVm::Wrapper* wrapper = CallStub();
    wrapper->anchor.last_sp = 0;
    return wrapper;
  }
  // The same, when Java code had called the VM; its pc in the anchor, or below its stack pointer.
  FakeVm::Wrapper* CalledFromJava(bool pc_in_anchor) {
    FakeVm::Wrapper* wrapper = CallStub();
    at_ += 5;  // The VM's own frames.
    pc_ = pc_in_anchor ? &wrapper->anchor.last_pc : at_ - 1;
    frame_pointer_ = &wrapper->anchor.last_fp;
    wrapper->anchor.last_sp = reinterpret_cast<uintptr_t>(at_);
    return wrapper;
  }
  // Where no code is known.
  void Return(uintptr_t pc, uintptr_t frame_pointer) {
    *pc_ = pc;
    *frame_pointer_ = frame_pointer;
  }

  // Of the call that has just been made.
  const uintptr_t* return_address() const { return &words_[kFirst]; }
  uintptr_t frame_pointer() const { return first_frame_pointer_; }
  // One past what was written.
  uintptr_t end() const { return reinterpret_cast<uintptr_t>(at_); }
  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(return_address()); }

 private:
  static constexpr size_t kFirst = 16;

  FakeVm::Wrapper* CallStub() {
    uintptr_t* fp = at_ + 10;
    Return(vm_.call_stub_pc(), reinterpret_cast<uintptr_t>(fp));
    auto* wrapper = reinterpret_cast<FakeVm::Wrapper*>(fp + 4);
    fp[-6] = reinterpret_cast<uintptr_t>(wrapper);
    at_ = reinterpret_cast<uintptr_t*>(wrapper + 1);
    return wrapper;
  }

  const FakeVm& vm_;
  std::vector<uintptr_t> words_ = std::vector<uintptr_t>(4096, 0);
  uintptr_t first_frame_pointer_ = kNoPointer;
  uintptr_t* pc_ = &words_[kFirst];
  uintptr_t* frame_pointer_ = &first_frame_pointer_;
  uintptr_t* at_ = &words_[kFirst + 1];
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_FRAMES_FOR_TEST_H_
