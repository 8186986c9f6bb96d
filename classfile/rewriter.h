#ifndef YP_CLASSFILE_REWRITER_H_
#define YP_CLASSFILE_REWRITER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/bci_map.h"
#include "classfile/class_constants.h"
#include "classfile/class_file.h"
#include "classfile/code_rewriter.h"
#include "classfile/entry_call.h"
#include "classfile/pool_extension.h"

namespace yp::classfile {

// The class whose static methods probes call. The first two methods have the descriptor (I)V.
struct ProbeOwner {
  // Internal name.
  std::string class_name;
  std::string entry_method;
  std::string site_method;
  std::string argument_method{};       // (Ljava/lang/Object;)V
  std::string receiver_method{};       // (Ljava/lang/Object;I)V
  std::string enter_context_method{};  // (I)I
  std::string site_context_method{};   // (II)V
  std::string leave_context_method{};  // (I)V
};

struct RewriteOptions {
  ProbeOwner owner;
  // A method that would grow past this stays as it is; 0 is no limit but the class file format's.
  uint32_t huge_method_limit = kHotSpotHugeMethodLimit;
};

// A call site that a method tells its context.
struct ContextSite {
  // Of an invoke instruction, of any kind.
  uint32_t bci = 0;
  int32_t site = 0;
};

struct MethodOutcome {
  // Into ClassFile::methods().
  uint32_t method = 0;
  ProbeOutcome outcome = ProbeOutcome::kProbed;
  // Empty, which maps every index to itself, unless probed.
  BciMap map;
};

struct RewriteResult {
  // The whole class file, also when no method could be probed.
  std::vector<uint8_t> bytes;
  // Methods that are probed now.
  uint32_t probed = 0;
  // One for each method with a request, in the order of the class file.
  std::vector<MethodOutcome> methods;
};

// Adds probe calls to the methods of a class.
// - A method gets all its probes or, with a reason, none. Everything else is copied.
// - Constants are appended, so all indices of the original keep their meaning; calls share one
//   Methodref for each kind, and only ids that sipush cannot push take a constant of their own.
// - The output passes CheckClass if the input does, and the JVM's verifier if the input does and
//   the owner class is visible to the class.
// - Time and memory are linear in the class's size, up to a logarithm in the number of probes.
class Rewriter {
 public:
  // The class file must outlive the rewriter.
  Rewriter(const ClassFile& file, RewriteOptions options);
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // At the start of the method: `owner.entry_method(id)`, as in entry_call.h.
  void AddEntryCall(uint32_t method, int32_t id);
  // At the start of an instance method whose first argument is a reference:
  // `owner.argument_method(argument)`. Not beside an entry call.
  void AddArgumentCall(uint32_t method);
  // In front of the invoke instruction at `bci`: `owner.site_method(id)`.
  void AddSiteCall(uint32_t method, uint32_t bci, int32_t id);

  // In front of the invokevirtual or invokeinterface at `bci`, which has that descriptor:
  // `owner.receiver_method(receiver, id)`. False, and nothing is added, when it has too many
  // arguments for that (kMaxMovedSlots).
  bool AddReceiverCall(uint32_t method, uint32_t bci, std::string_view descriptor, int32_t id);

  // Keeps the number of the method's calling context in a local of its own, beyond all others:
  // - at the start, `context = owner.enter_context_method(id)`;
  // - in front of each of `sites`, `owner.site_context_method(context, site)`;
  // - in front of every return, `owner.leave_context_method(context)`. Nothing tells that an
  //   exception left the method: the next call for a context that is still there does.
  // Once for a method; also beside the other calls. No call may be left by an exception: those in
  // front of a return can be in the range of the method's own handlers.
  void AddContextCalls(uint32_t method, int32_t id, std::span<const ContextSite> sites);

  // Once.
  RewriteResult Finish();

 private:
  enum class Kind : uint8_t {
    kEntry,
    kArgument,
    kSite,
    kReceiver,
    kEnterContext,
    kSiteContext,
    kLeaveContext,
  };
  static constexpr size_t kKinds = 7;
  struct Request {
    uint32_t method = 0;
    uint32_t bci = 0;
    Kind kind = Kind::kSite;
    int32_t id = 0;
    std::string_view descriptor{};  // Of a receiver call.
  };

  static Insertion::Place PlaceOf(Kind kind);
  static bool IsAtEntry(Kind kind) { return PlaceOf(kind) == Insertion::Place::kEntry; }
  const std::string& NameOf(Kind kind) const;
  static std::string_view DescriptorOf(Kind kind);
  ProbeOutcome RewriteMethod(const Request* begin, const Request* end, std::vector<uint8_t>& out,
                             BciMap& map);
  // kProbed, or why there are none.
  ProbeOutcome MakeInsertions(const Request* begin, const Request* end);
  // None when there are no locals left for it.
  std::optional<ProbeCode> MakeCode(const Request& request, uint16_t max_locals);
  // The shared Methodref of a kind; 0 when the constant pool is full.
  uint16_t Callee(Kind kind);
  void UndoConstants(PoolExtension::Mark mark);

  const ClassFile& file_;
  const RewriteOptions options_;
  PoolExtension pool_;
  ClassConstants class_constants_;
  CodeRewriter code_rewriter_;
  std::vector<Request> requests_;
  Insertions insertions_;
  uint16_t owner_class_ = 0;
  std::array<uint16_t, kKinds> callees_{};  // By kind.
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_REWRITER_H_
