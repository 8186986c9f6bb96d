#ifndef YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_
#define YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/invokes.h"
#include "classfile/rewriter.h"
#include "hotspot/discovery/edge_discovery.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/support/class_filter.h"
#include "hotspot/support/drops.h"

namespace yp::hotspot {

// What the probes are for.
enum class Probing { kSampling, kExact, kEdges, kContexts };

// For edges alone: what is told of each class; and the packages whose classes are the JDK's, when
// those are not observed.
struct EdgeProbing {
  EdgeDiscovery* discovery = nullptr;
  PackageSet jdk_packages;
};

// Rewrites class files so that their methods call the probe.
//
// Sampling modes: each method with code, trivial ones excepted if so asked, begins with check(id).
// Exact mode: each begins with enter(id), and site(number) stands before each call. Classes of the
// program that are not to be counted begin with site(0) instead, so that a call that goes through
// them is not taken for one of the site's own.
// Contexts: each keeps its context in a local: enterContext(id) makes it, siteContext(context,
// number) stands before each call, leaveContext(context) before each return. A call that comes
// through code without probes is one of the method with probes that called that.
// Edges: each begins with discover(id), and announce(number) stands before each call that can reach
// a method with a probe and is not of a method that the JDK declares, as those are open. Classes of
// the program that are not to be observed have the latter only. Where the discovery wants it, be it
// in a class of the JDK's, receive(receiver, number) stands before a call.
class Instrumenter {
 public:
  Instrumenter(const ClassFilter& filter, Probing probing, bool skip_trivial,
               MethodRegistry& registry, Drops& drops, EdgeProbing edges = {})
      : filter_(filter),
        probing_(probing),
        skip_trivial_(skip_trivial),
        registry_(registry),
        drops_(drops),
        edges_(std::move(edges)) {}

  // The rewritten class; nothing when it is to stay as it is. `of_jdk`: defined by the boot or the
  // platform class loader. `links`: its loader hands out the probe's class; if not, it gets no
  // probes.
  std::optional<std::vector<uint8_t>> Rewrite(std::span<const uint8_t> bytes, bool of_jdk,
                                              bool links = true);
  // Methods with code of the classes that were to be observed, and those of them that have no
  // probes: drops have the reasons.
  struct Methods {
    int64_t all = 0;
    int64_t left = 0;
  };
  Methods CountMethods() const {
    return {methods_.load(std::memory_order_relaxed),
            methods_left_.load(std::memory_order_relaxed)};
  }
  // Whether the registry has the methods with probes that are never called, too.
  bool ListsAllMethods() const { return probing_ != Probing::kSampling; }
  // Whether Rewrite would leave a class of that name alone, without looking at its bytes.
  bool Ignores(std::string_view internal_name, bool of_jdk) const;

 private:
  // Adds the probes of exact counting, by context or not, to a method.
  void AddExactCalls(const classfile::ClassFile& file, uint32_t method, MethodId id,
                     classfile::Rewriter& rewriter);
  std::optional<std::vector<uint8_t>> RewriteToPassOver(const classfile::ClassFile& file);
  std::optional<std::vector<uint8_t>> RewriteForEdges(const classfile::ClassFile& file,
                                                      ClassFilter::Verdict verdict,
                                                      bool wants_receiver_calls);
  bool WantsReceiverCallsIn(std::string_view internal_name) const;
  // A class of which nothing else is wanted than receiver calls.
  std::optional<std::vector<uint8_t>> RewriteForReceivers(const classfile::ClassFile& file);
  // Adds a receiver call if the discovery wants it there and it is possible.
  bool AddReceiverCall(classfile::Rewriter& rewriter, uint32_t method, MethodId id,
                       const classfile::Invoke& invoke);
  // The class after all requests, of whose methods none is observed.
  std::optional<std::vector<uint8_t>> FinishCallers(const classfile::ClassFile& file,
                                                    classfile::Rewriter& rewriter);
  // Reflection tells what it makes accessors of.
  std::optional<std::vector<uint8_t>> RewriteReflection(const classfile::ClassFile& file);
  // Whether a method that is not open can be called by that name: not where the JDK declares it.
  bool MayReachClosed(std::string_view owner) const;
  void AddReferences(const classfile::ClassFile& file, const classfile::Method& method,
                     std::vector<CallReference>& references) const;
  // The methods that a class's constants make method handles of, which code without probes calls.
  void AddHandles(const classfile::ClassFile& file, std::vector<CallReference>& references) const;
  // Remembers how a method was rewritten; takes the map out of `outcome`.
  void AddVersion(const classfile::ClassFile& file, MethodId id, classfile::MethodOutcome& outcome);
  void LeaveMethod(classfile::ProbeOutcome reason);
  void LeaveClass(const classfile::ClassFile& file);

  const ClassFilter& filter_;
  const Probing probing_;
  const bool skip_trivial_;
  MethodRegistry& registry_;
  Drops& drops_;
  const EdgeProbing edges_;
  std::atomic<int64_t> methods_{0};
  std::atomic<int64_t> methods_left_{0};
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_
