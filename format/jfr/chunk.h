#ifndef YP_FORMAT_JFR_CHUNK_H_
#define YP_FORMAT_JFR_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/jfr/metadata.h"

namespace yp::jfr {

// The constants of a chunk: where in the file the value of a type and key begins.
class ConstantPools {
 public:
  ConstantPools() = default;
  // Keeps the constants of the types (by index) that are `wanted`.
  explicit ConstantPools(std::vector<bool> wanted)
      : wanted_(std::move(wanted)), pools_(wanted_.size()) {}

  // Reads what follows the delta of a checkpoint event, whose values are checked to lie within it.
  // Of two values of one key the first that was added counts: add the latest checkpoint first.
  void Add(const Metadata& metadata, Cursor& in);
  // To be called after the last Add and before Find.
  void Finish();
  std::optional<size_t> Find(uint32_t type, int64_t key) const;

 private:
  struct Constant {
    int64_t key;
    size_t position;
  };
  std::vector<bool> wanted_;
  std::vector<std::vector<Constant>> pools_;
};

// What the values of a chunk's events are made of. All values lie within checked events.
struct Chunk {
  std::span<const uint8_t> file;
  int64_t number = 0;  // From 0 in the file.
  Metadata metadata;
  ConstantPools constants;
};

// A value in an event or in a constant; a view that lives as long as the call that gave the event.
// What is absent: a field that the type does not have (in this version of the JDK), null, a
// constant that the chunk does not have, and whatever is asked of an absent value.
class Value {
 public:
  Value() = default;
  // The value of a field at a position of the file.
  Value(const Chunk* chunk, const Field& field, size_t position)
      : chunk_(chunk), field_(field), position_(position) {}

  // A field, or a field's field: "method.type.name".
  Value operator[](std::string_view path) const;

  bool present() const { return chunk_ != nullptr; }
  // Of boolean, byte, char, short, int and long; signed as in Java, whatever its annotations.
  std::optional<int64_t> Integer() const;
  // Of float and double.
  std::optional<double> Real() const;
  // UTF-8, of a string, or of a structure that stands for one (a symbol).
  std::optional<std::string> Text() const;
  // Of an array; empty of anything else.
  std::vector<Value> Elements() const;
  // Of a constant: equal keys of one type stand for equal values within a chunk.
  std::optional<int64_t> constant_key() const;

 private:
  // The value that a constant's key stands for; itself when it is none.
  Value Resolved() const;
  Cursor At() const;
  const Type& type() const { return chunk_->metadata[field_.type]; }

  const Chunk* chunk_ = nullptr;
  Field field_;
  size_t position_ = 0;
};

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_CHUNK_H_
