#ifndef YP_FORMAT_COMPILE_LOG_ELEMENT_SCANNER_H_
#define YP_FORMAT_COMPILE_LOG_ELEMENT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yp::compile_log {

// A tag of the log; its views are valid while it is handed over.
struct Element {
  enum class Form { kOpen, kEmpty, kClose };
  std::string_view name;
  std::string_view attributes;  // As they stand: name='value', entities and all.
  Form form = Form::kOpen;

  // The value as it stands; nothing when there is none, or what comes before it is malformed.
  std::optional<std::string_view> Raw(std::string_view attribute) const;
};

// Cuts bytes, given in pieces of any size, into tags and the text between them.
// - Keeps of a piece what may be the beginning of a tag, kMaxTagBytes at most: a longer tag is
//   skipped and counted as broken.
// - A '<' within a tag begins the next one (HotSpot escapes it elsewhere): the cut one is broken.
// - CDATA sections are read through: those of this format hold tags. A tag that a section's end
//   cuts off is dropped, since that is how the log of a thread ends that was still compiling.
class ElementScanner {
 public:
  static constexpr size_t kMaxTagBytes = size_t{1} << 18;

  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void OnElement(const Element& element) = 0;
    // Text, perhaps a part of it only, entities and all.
    virtual void OnText(std::string_view text) = 0;
  };
  explicit ElementScanner(Handler* handler) : handler_(handler) {}

  void Take(std::string_view bytes);
  // The input ends, or another begins: whether it ended within a tag.
  bool End();

  uint64_t broken_tags() const { return broken_tags_; }

 private:
  // Takes what it can from bytes and returns the rest, the beginning of a tag.
  std::string_view TakeWhole(std::string_view bytes);
  void TakeTag(std::string_view inside);

  Handler* const handler_;
  std::string begun_;         // A tag's beginning, from its '<' on.
  bool is_skipping_ = false;  // To the end of a tag that is too long.
  bool in_cdata_ = false;
  uint64_t broken_tags_ = 0;
};

}  // namespace yp::compile_log

#endif  // YP_FORMAT_COMPILE_LOG_ELEMENT_SCANNER_H_
