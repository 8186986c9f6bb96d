#ifndef YP_HOTSPOT_PROBES_PROBE_H_
#define YP_HOTSPOT_PROBES_PROBE_H_

#include <jni.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "hotspot/support/options.h"
#include "recorder/arming.h"

namespace yp::hotspot {

class EdgeDiscovery;

// Calls of compilations whose entries were counted between ticks, all of them.
struct CountedEntries {
  // From a tick's end to the next tick's begin; of the clock.
  struct Gap {
    int64_t begin_ns = 0, end_ns = 0;
  };
  // A compilation whose entries were counted throughout these gaps, and in the first part of the
  // next one.
  struct Count {
    int32_t compile_id = 0;               // The VM's.
    uint32_t first_gap = 0, end_gap = 0;  // Indices; the same where there is a part only.
    int64_t part_ns = 0;                  // Of the gap end_gap; 0: none.
    uint64_t calls = 0;                   // In all of them.
  };
  // A compilation of which counts were told, now or before, and whose entries were last left out.
  struct Use {
    int32_t compile_id = 0;
    uint32_t end_gap = 0;  // It was in use in the gap before.
  };
  std::vector<Gap> gaps;
  std::vector<Count> counts;
  std::vector<Use> uses;
};

// How calls become observable. One probe serves one recording at a time: Install, any number of
// ticks, Remove.
class Probe : public Arming {
 public:
  // As --probe and the profile name it.
  virtual const char* name() const = 0;
  // From the next Install on.
  virtual void Configure(const AgentOptions&) {}
  // Puts it in. An error says why this VM or machine is not one for it; then nothing has been
  // changed, or it has been undone.
  virtual Status Install(JNIEnv* jni) = 0;
  // Takes it out: the program's code is as before. Without a JNIEnv, when the VM ends, as far as
  // that goes. After Disarm.
  virtual void Remove(JNIEnv* jni) = 0;
  // What it costs an observed call to be counted down, in ps; 0 when that is not known. After
  // Install.
  virtual int64_t observed_call_ps() const = 0;
  // What it takes a call that is not only counted to get to the agent and back, in ps: no clock
  // there sees it. 0 when that is not known. After Install.
  virtual int64_t slow_path_ps() const { return 0; }
  // Where every call is counted (mode exact), or looked at until its edges are found (mode edges):
  // what that adds to a call, and what a call takes without it, in ps. 0 when it is not known.
  // After Install.
  struct CallCost {
    int64_t counted_ps = 0;
    int64_t plain_ps = 0;
  };
  virtual CallCost cost_of_counting() const { return {}; }
  // Before Arm, which then has less to do: no call is observed while this looks around.
  virtual void Prepare() {}
  // What a tick costs, in ns, as far as that can be told before there was one; 0 where it cannot.
  // After Prepare.
  virtual double ExpectedTickNs() const { return 0; }
  // How many compilations it has found in the process's life; 0 where it looks for none.
  virtual size_t compilations() const { return 0; }
  // What was counted between ticks since the last time; nothing where nothing is. While no tick is
  // open, or after Remove.
  virtual CountedEntries TakeCountedEntries() { return {}; }
  // What counting them has taken since Install, in ns.
  virtual int64_t counted_entries_ns() const { return 0; }
  // From the drain's thread, with every round: what a probe has to do now and then.
  virtual void Maintain() {}
  // What finds the edges of mode edges; null in other modes.
  virtual EdgeDiscovery* discovery() { return nullptr; }
  // What it has to tell at a recording's end: keys and values of its configuration.
  virtual std::vector<std::pair<std::string, std::string>> Facts() const { return {}; }
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PROBE_H_
