#ifndef YP_CLASSFILE_BCI_MAP_H_
#define YP_CLASSFILE_BCI_MAP_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace yp::classfile {

// How the bytecode indices of a rewritten method relate to those of the original. A run of
// original bytes that moved as one is a segment; there is one more segment per inserted call and
// per switch whose padding changed. Six bytes each; look-ups are binary searches.
class BciMap {
 public:
  struct Segment {
    uint16_t original = 0;
    // Where a jump to `original` leads: the code inserted for that instruction, which lies before
    // it. Not the entry call: a jump to bytecode 0 is no entry.
    uint16_t target = 0;
    // Where the original byte itself went.
    uint16_t moved = 0;

    bool operator==(const Segment&) const = default;
  };

  // Segments come in ascending order, the first one with original == 0.
  void Add(Segment segment) { segments_.push_back(segment); }
  const std::vector<Segment>& segments() const { return segments_; }
  void clear() { segments_.clear(); }
  bool operator==(const BciMap&) const = default;

  // From original to new. The end of the code may be asked for as well.
  uint32_t Target(uint32_t original) const {
    const Segment* s = Find(&Segment::original, original);
    if (s == nullptr) {
      return original;
    }
    return s->original == original ? s->target : s->moved + (original - s->original);
  }
  uint32_t Moved(uint32_t original) const {
    const Segment* s = Find(&Segment::original, original);
    return s == nullptr ? original : s->moved + (original - s->original);
  }

  // From new to original. An inserted instruction counts as the original one that it precedes.
  // Negative indices, which JVMTI uses for frames without bytecode, come back as they are.
  int32_t OriginalBci(int32_t bci) const {
    if (bci < 0 || segments_.empty()) {
      return bci;
    }
    const Segment* s = Find(&Segment::target, static_cast<uint32_t>(bci));
    if (s == nullptr) {
      return 0;
    }
    return bci < s->moved ? s->original : s->original + (bci - s->moved);
  }

 private:
  const Segment* Find(uint16_t Segment::*key, uint32_t value) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), value,
                                        [key](uint32_t v, const Segment& s) { return v < s.*key; });
    return after == segments_.begin() ? nullptr : &*(after - 1);
  }

  std::vector<Segment> segments_;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_BCI_MAP_H_
