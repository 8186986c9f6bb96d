#ifndef YP_HOTSPOT_PROFILES_PROFILE_PACE_H_
#define YP_HOTSPOT_PROFILES_PROFILE_PACE_H_

#include <cstddef>
#include <cstdint>

namespace yp::hotspot {

// When to read the VM's method profiles. They are read at the end in any case; before that only in
// case the process is killed: first after kFirstNs, then after four times the time of the last
// reading, and so on, and with a budget not before kShare of it pays for all readings so far and
// one more: a tenth, as ticks have more use for the rest.
class ProfilePace {
 public:
  static constexpr int64_t kFirstNs = 5'000'000'000;
  static constexpr double kShare = 0.1;
  // What a reading takes: for what the VM has loaded itself, and for each compilation there has
  // been, as what was counted much was compiled. 2.7 (xalan) to 8.8 us (jython), 4.2 in the
  // median of twelve programs (2026-11, one and five iterations on JDK 17, 2-core x86-64 virtual
  // machine); as much as is enough for three of four of them, as what is not told is lost, with all
  // that follows from it for code that counts nothing. Where compilations are not known, for one
  // method that sampled compilations consist of, with its share of the others.
  static constexpr int64_t kReadingNs = 1'000'000, kCompilationNs = 5'500, kMethodNs = 16'000;
  static constexpr int64_t ReadingNs(size_t compilations, size_t methods) {
    return kReadingNs + (compilations > 0 ? static_cast<int64_t>(compilations) * kCompilationNs
                                          : static_cast<int64_t>(methods) * kMethodNs);
  }
  // Telling takes at least so long at the end, also when nothing is left: the methods in which most
  // was counted may be all that is known of a program that ends within a second.
  static constexpr double kLeastTellingNs = 3e6;
  // Looking for calls that the interpreter has executed takes at least so long at the end of a
  // program that has used no more CPU time than kShortNs, for the same reason. Of a longer one the
  // interpreter's calls are a small part.
  static constexpr double kLeastInterpretedNs = 10e6;
  static constexpr int64_t kShortNs = 2'000'000'000;
  // What is told has to be written: so much more of the time that reading it takes.
  static constexpr double kWritingPart = 0.2;

  // `budget`: as OverheadBudget's; 0 when there is none.
  explicit ProfilePace(double budget) : budget_(budget) {}

  // Times since the recording began: `now_ns` of the clock, `program_cpu_ns` of the process.
  // `reading_ns`: what another reading is expected to take.
  bool IsDue(int64_t now_ns, int64_t program_cpu_ns, int64_t reading_ns) const;
  void WereRead(int64_t now_ns, int64_t cost_ns);

 private:
  double budget_;
  int64_t due_ns_ = kFirstNs;
  int64_t spent_ns_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROFILES_PROFILE_PACE_H_
