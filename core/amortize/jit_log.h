#ifndef YP_CORE_AMORTIZE_JIT_LOG_H_
#define YP_CORE_AMORTIZE_JIT_LOG_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/amortize/jit_events.h"

namespace yp {

// A method in one log.
enum class JitMethodId : uint32_t {};
constexpr uint32_t ToIndex(JitMethodId id) { return static_cast<uint32_t>(id); }

// All that compilers did in one run, each method told once: by its names and its class loader.
class JitLog final : public JitEventSink {
 public:
  using Compilation = BasicJitCompilation<JitMethodId>;
  using Inlining = BasicJitInlining<JitMethodId>;
  using Deoptimization = BasicJitDeoptimization<JitMethodId>;
  using CodeEnd = BasicJitCodeEnd<JitMethodId>;

  void On(JitCompilation event) override;
  void On(JitInlining event) override;
  void On(JitDeoptimization event) override;
  void On(JitCodeEnd event) override;

  JitMethodId Intern(const JitMethod& method);
  const JitMethod& operator[](JitMethodId id) const { return methods_[ToIndex(id)]; }

  const std::vector<JitMethod>& methods() const { return methods_; }
  std::vector<Compilation> compilations;
  std::vector<Inlining> inlinings;
  std::vector<Deoptimization> deoptimizations;
  std::vector<CodeEnd> code_ends;

  bool empty() const { return methods_.empty(); }

 private:
  auto interner() {
    return [this](const JitMethod& method) { return Intern(method); };
  }

  std::vector<JitMethod> methods_;
  std::map<JitMethod, JitMethodId> ids_;
};

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_JIT_LOG_H_
