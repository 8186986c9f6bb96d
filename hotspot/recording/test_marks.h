#ifndef YP_HOTSPOT_RECORDING_TEST_MARKS_H_
#define YP_HOTSPOT_RECORDING_TEST_MARKS_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "format/spool/records.h"

namespace yp::hotspot {

// What a recording finds anew in each period, of which each test is one, or several when others run
// beside it (mode edges; elsewhere nothing is found).
class Periods {
 public:
  virtual ~Periods() = default;
  // The edges that were found in this period since the last time.
  virtual std::vector<EdgeId> TakeFound() { return {}; }
  // What was found before is found again.
  virtual void BeginPeriod() {}
};

// Which tests run, and what is reached meanwhile. Any thread.
//
// An edge is found once in each period, by whichever thread, so that nothing says whose it is where
// several tests run at the same time: it counts for each of them. A period ends when a test begins
// or ends.
class TestMarks {
 public:
  enum class Kind : uint8_t {
    kNext,   // Those that run end, and one begins; none with an empty name.
    kBegin,  // Beside those that run.
    kEnd,    // The latest of that name; nothing happens where none runs.
    // What runs from now on prepares a test: what is found until one begins is that one's, too.
    kPrepare,
    kRest,  // It prepares none.
  };
  void Mark(Kind kind, const std::string& name, int64_t now_ns, Periods& periods);

  // What is not told yet, in the order in which it is to be told; `reached` after the edges'
  // counts, which are there when this returns.
  struct Updates {
    std::vector<spool::TestBegin> begun;
    std::vector<spool::Reached> reached;
    std::vector<spool::TestEnd> ended;
  };
  Updates Take(Periods& periods);
  // Another spool begins: those that run are told to it again.
  void Retell();

 private:
  // What was found since the last time: of those that run, and of the one that is prepared.
  void TakeFound(Periods& periods);
  void Begin(const std::string& name, int64_t now_ns, Periods& periods);
  void End(const std::string& name, int64_t now_ns, Periods& periods);

  std::mutex mutex_;
  uint32_t next_ = 0;
  std::vector<spool::TestBegin> running_;  // By ascending number.
  bool is_preparing_ = false;
  std::vector<EdgeId> prepared_;  // Found while one is prepared.
  Updates untold_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_TEST_MARKS_H_
