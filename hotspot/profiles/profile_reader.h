#ifndef YP_HOTSPOT_PROFILES_PROFILE_READER_H_
#define YP_HOTSPOT_PROFILES_PROFILE_READER_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "format/spool/records.h"
#include "hotspot/graph/compilations.h"
#include "hotspot/graph/inline_tree.h"
#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/class_reader.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/counted_methods.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/guarded_memory.h"
#include "hotspot/vmstructs/method_data_reader.h"
#include "hotspot/vmstructs/unsigned5.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Reads what the VM has counted itself: of all methods, and of those that sampled compilations
// consist of even where they call nothing that is observed. From one thread at a time, which need
// not be a Java thread.
class ProfileReader {
 public:
  // Who gives methods their ids.
  struct Naming {
    // Whether methods of such a class may be observed; and of any that the boot loader has.
    std::function<bool(const std::string& class_name, bool is_of_boot_loader)> observes_class;
    bool observes_jdk = true;
    // Of an observed method; kNoMethod for others.
    std::function<MethodId(const ClassReader::MethodNames& names)> observed;
    // Of any method that calls an observed one; kNoMethod for the VM's own glue. `source` reads
    // where the method's source is.
    std::function<MethodId(const ClassReader::MethodNames& names,
                           const std::function<ClassReader::Source()>& source)>
        caller;
  };

  // An error says what cannot be read. `code_cache` must live as long.
  static Result<std::unique_ptr<ProfileReader>> Create(const VmStructs& structs,
                                                       const CodeCache& code_cache,
                                                       int jdk_feature_version);

  // Why the last Read gave none; ok when the layout is known.
  const Status& layout_status() const { return layout_status_; }
  // Another recording begins, to which nothing has been told. `is_vm_start`: what was counted up to
  // now is a part of it; else all is read once, 1 us for each method in which something was.
  void Begin(Naming naming, bool is_vm_start);
  // Those profiles in which something was counted since the last time; copies of a method, in
  // several class loaders, are added up. Nothing as long as too little was counted to tell the
  // layout for sure.
  //
  // First what compilations consist of, and what was told before, which is not left to grow old.
  // Then the others, those that have counted most first, but for the last that are together
  // kUntoldShare of what methods of observed classes have counted, until `may_go_on`, asked now and
  // then, says no. Of a method that is not told nothing is known, and its calls are for samples to
  // tell.
  //
  // `interpreted`: which calls the interpreter has executed besides, for the last reading of a
  // spool.
  struct Interpreted {
    std::function<bool()> may_go_on;  // Asked now and then.
    spool::InterpretedCalls calls = {};
  };
  std::vector<spool::MethodProfile> Read(const Compilations& compilations,
                                         const std::function<bool()>& may_go_on = nullptr,
                                         Interpreted* interpreted = nullptr);
  // The same as the last of a part of the recording: it goes on in another spool, to which nothing
  // has been told. What is told now is no part of what is counted there, and what is not told is.
  std::vector<spool::MethodProfile> ReadPart(const Compilations& compilations,
                                             const std::function<bool()>& may_go_on,
                                             Interpreted* interpreted = nullptr);
  static constexpr double kUntoldShare = 0.001;
  // Whether Read looks at all that was counted since Begin.
  bool tells_all() const { return methods_.has_value() && knows_before_ && layout_status_.ok(); }
  // Of what the methods of observed classes had counted, the share that the last Read left untold.
  double untold_share() const { return untold_share_; }
  // Of the interpreted calls that it was asked for, the share of methods whose calls it left out.
  double untold_interpreted_share() const { return untold_interpreted_share_; }
  // The recording has ended: frees what was kept for it.
  void End();

 private:
  // A method whose bytecode is only read when it has a call.
  class LazyCaller {
   public:
    LazyCaller(const CallResolver& resolver, const void* method)
        : resolver_(resolver), method_(method) {}
    // Null when it is gone.
    const CallResolver::Caller* Get();

   private:
    const CallResolver& resolver_;
    const void* method_;
    std::optional<CallResolver::Caller> caller_;
    bool is_open_ = false;
  };

  // What was counted in a method before the recording began.
  struct Before {
    struct Calls {
      int32_t bci = 0;
      const void* receiver = nullptr;  // Its class; null for all calls of the site.
      int64_t calls = 0;
    };
    int64_t invocations = 0, interpreted = 0, loops = 0;
    std::vector<Calls> calls;

    int64_t CallsAt(int32_t bci, const void* receiver) const;
    int64_t All() const;
  };
  using Counted = CountedMethods::Method;

  ProfileReader(const CodeCache& code_cache, std::unique_ptr<const GuardedMemory> memory,
                std::unique_ptr<GuardedBlocks> blocks, MethodDataReader data,
                ClassReader class_reader, CallResolver resolver,
                std::optional<CountedMethods> methods, Unsigned5 numbers,
                std::optional<size_t> usual_cells)
      : code_cache_(code_cache),
        memory_(std::move(memory)),
        blocks_(std::move(blocks)),
        data_(std::move(data)),
        class_reader_(class_reader),
        resolver_(std::move(resolver)),
        methods_(methods),
        numbers_(numbers),
        usual_cells_(usual_cells) {}

  bool KnowsLayout();
  // Methods to tell the layout by, whatever they are: some that are compiled; some of all that have
  // a profile.
  std::vector<const void*> Voters() const;
  std::vector<const void*> MoreVoters() const;
  // In which something was counted, and those of the compilations.
  std::vector<Counted> Methods() const;
  // Of those with data, by index.
  std::vector<std::optional<MethodProfile>> ReadData(const std::vector<Counted>& methods) const;
  // Nothing for a method that was not counted in then.
  const Before& BeforeOf(const Counted& method) const;
  // False when nothing can be read yet.
  bool TakeBaseline();
  static Before AllCountedIn(const Counted& method, const std::optional<MethodProfile>& profile);
  spool::MethodProfile Tell(const Counted& method, const MethodProfile& profile);
  // What was counted less often is not worth the time that it takes to tell.
  static constexpr int64_t kLeastCounted = 100;
  // What was counted since the recording began; 0 when it is not worth telling.
  int64_t WorthTelling(const Counted& method, const std::optional<MethodProfile>& profile);
  struct Candidate {
    size_t index = 0;                             // Of Methods.
    MethodId id = kNoMethod;                      // Where compilations consist of it.
    bool is_needed = false, is_observed = false;  // Of an observed class.
    int64_t counted = 0;
  };
  // Of those that are not needed, who has counted less is not told.
  // `all`: what those of observed classes have counted.
  static int64_t LeastToTell(std::span<const Candidate> candidates, double all);
  bool IsOfObservedClass(const Counted& method);
  // In the order in which they are to be told.
  std::vector<Candidate> Candidates(const std::vector<Counted>& methods,
                                    const std::vector<std::optional<MethodProfile>>& profiles);
  static void SortNeighbours(const std::vector<Counted>& methods, std::span<Candidate> candidates);
  // Whether a profile of a method that no compilation consists of tells of observed calls.
  static bool TellsOfCalls(const spool::MethodProfile& told);
  spool::InterpretedCalls ReadInterpreted(const std::vector<Counted>& methods,
                                          const std::function<bool()>& may_go_on);
  MethodId CallerIdOf(const void* method);
  struct ClassFacts {
    std::optional<ClassReader::ClassNames> names;
    bool is_observed = false;
    bool has_observed = false;  // It may have methods, inherited ones included, that are.
  };
  const ClassFacts& FactsOf(const void* klass);
  // Of a method that its class declares.
  std::optional<ClassReader::MethodNames> NamesOf(const void* method);
  MethodId IdOf(const void* method);
  // kNoMethod when it is none of the compilations' methods, nor observed.
  MethodId CalleeOf(LazyCaller& caller, int32_t bci, const void* klass);

  const CodeCache& code_cache_;
  const std::unique_ptr<const GuardedMemory> memory_;
  const std::unique_ptr<GuardedBlocks> blocks_;  // What has been read in one Read.
  MethodDataReader data_;
  ClassReader class_reader_;
  CallResolver resolver_;
  std::optional<CountedMethods> methods_;  // Where the VM tells of all its classes.
  bool knows_before_ = false;
  Unsigned5 numbers_;
  const std::optional<size_t> usual_cells_;  // MethodDataReader::UsualCells.
  Status layout_status_;
  double untold_share_ = 0, untold_interpreted_share_ = 0;
  // What is resolved was executed in the recording.
  bool was_there_from_start_ = false;
  Naming naming_;
  using Baseline = std::unordered_map<VmMethod, Before, VmMethodHash>;
  Baseline before_;
  Baseline* next_before_ = nullptr;  // While ReadPart makes it.
  // Of one Read: of the compilations' methods, and of callees that were named.
  std::unordered_map<VmMethod, MethodId, VmMethodHash> ids_;
  std::unordered_map<const void*, ClassFacts> classes_;    // Of one Read.
  std::unordered_map<const void*, const void*> declared_;  // Its methods and their classes.
  std::map<MethodId, uint64_t> counted_;                   // In what was told last.
  std::unordered_set<VmMethod, VmMethodHash> told_;        // To this recording.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROFILES_PROFILE_READER_H_
