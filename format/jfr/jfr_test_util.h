#ifndef YP_FORMAT_JFR_JFR_TEST_UTIL_H_
#define YP_FORMAT_JFR_JFR_TEST_UTIL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/amortize/jit_events.h"

namespace yp::jfr {

// Appends values as JFR stores them.
class Bytes {
 public:
  Bytes& Byte(uint8_t byte) {
    bytes_.push_back(byte);
    return *this;
  }
  Bytes& Varint(int64_t value) {
    auto rest = static_cast<uint64_t>(value);
    for (int i = 0; i < 8; ++i, rest >>= 7) {
      if (rest < 0x80) return Byte(static_cast<uint8_t>(rest));
      Byte(static_cast<uint8_t>(rest | 0x80));
    }
    return Byte(static_cast<uint8_t>(rest));
  }
  // Four bytes, however small, as HotSpot stores sizes that it fills in later.
  Bytes& PaddedVarint(uint32_t value) {
    for (int i = 0; i < 3; ++i, value >>= 7) Byte(static_cast<uint8_t>(value | 0x80));
    return Byte(static_cast<uint8_t>(value & 0x7f));
  }
  Bytes& BigEndian(uint64_t value, int n_bytes) {
    while (n_bytes-- > 0) Byte(static_cast<uint8_t>(value >> (8 * n_bytes)));
    return *this;
  }
  Bytes& Utf8(std::string_view text) {
    Byte(3).Varint(static_cast<int64_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  Bytes& PoolString(int64_t key) { return Byte(2).Varint(key); }
  Bytes& Add(const Bytes& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    return *this;
  }
  size_t size() const { return bytes_.size(); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

struct TestField {
  std::string name;
  int64_t type_id = 0;
  bool is_constant = false;
  std::string dimension = "";  // Left out when empty.
};

struct TestType {
  int64_t id = 0;
  std::string name;
  std::vector<TestField> fields = {};
  bool is_simple = false;
};

inline Bytes Framed(int64_t type_id, const Bytes& body) {
  Bytes typed;
  typed.Varint(type_id).Add(body);
  return Bytes().PaddedVarint(static_cast<uint32_t>(typed.size() + 4)).Add(typed);
}

// The body of a metadata event.
inline Bytes MetadataBody(const std::vector<TestType>& types) {
  std::vector<std::string> texts;
  const auto number = [&texts](const std::string& text) {
    const auto it = std::ranges::find(texts, text);
    if (it == texts.end()) texts.push_back(text);
    return static_cast<int64_t>(std::ranges::find(texts, text) - texts.begin());
  };
  const auto element = [&number](const std::string& name,
                                 const std::vector<std::pair<std::string, std::string>>& attributes,
                                 size_t children) {
    Bytes out;
    out.Varint(number(name)).Varint(static_cast<int64_t>(attributes.size()));
    for (const auto& [key, value] : attributes) out.Varint(number(key)).Varint(number(value));
    return out.Varint(static_cast<int64_t>(children));
  };
  Bytes tree = element("root", {}, 2);
  tree.Add(element("metadata", {}, types.size()));
  for (const TestType& type : types) {
    std::vector<std::pair<std::string, std::string>> attributes = {{"name", type.name},
                                                                   {"id", std::to_string(type.id)}};
    if (type.is_simple) attributes.emplace_back("simpleType", "true");
    tree.Add(element("class", attributes, type.fields.size() + 1));
    tree.Add(element("annotation", {{"class", "99"}, {"value", "A Label"}}, 0));
    for (const TestField& field : type.fields) {
      attributes = {{"name", field.name}, {"class", std::to_string(field.type_id)}};
      if (field.is_constant) attributes.emplace_back("constantPool", "true");
      if (!field.dimension.empty()) attributes.emplace_back("dimension", field.dimension);
      tree.Add(element("field", attributes, 1));
      tree.Add(element("annotation", {{"class", "99"}}, 0));
    }
  }
  tree.Add(element("region", {{"locale", "en_US"}, {"gmtOffset", "0"}}, 0));
  Bytes body;
  body.Varint(1).Varint(0).Varint(1).Varint(static_cast<int64_t>(texts.size()));
  for (const std::string& text : texts) body.Utf8(text);
  return body.Add(tree);
}

// Ids of types that every recording has.
enum TypeId : int64_t {
  kBoolean = 2,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString,
  kClass,
  kFirstTypeOfATest,
};

struct TestPool {
  int64_t type_id = 0;
  std::vector<std::pair<int64_t, Bytes>> constants;  // By key.
};

// A chunk, put together in the order of the calls.
class ChunkBuilder {
 public:
  static constexpr size_t kHeaderBytes = 68;

  // What the header says; 0 sizes and positions are filled in.
  uint16_t major = 2, minor = 1;
  uint64_t size = 0, checkpoint = 0, metadata = 0;
  uint64_t start_unix_ns = 1'700'000'000'000'000'000;
  uint64_t start_ticks = 1000;
  uint64_t ticks_per_second = 1'000'000'000;
  uint8_t state = 0;
  uint32_t features = 1;

  ChunkBuilder& Raw(const Bytes& bytes) {
    events_.Add(bytes);
    return *this;
  }
  ChunkBuilder& Event(int64_t type_id, const Bytes& body) { return Raw(Framed(type_id, body)); }
  ChunkBuilder& Metadata(const std::vector<TestType>& types) {
    return Metadata(MetadataBody(types));
  }
  ChunkBuilder& Metadata(const Bytes& body) {
    metadata_ = Position();
    return Event(0, body);
  }
  // Its delta leads to the previous one, unless another is given.
  ChunkBuilder& Checkpoint(const std::vector<TestPool>& pools, int64_t delta = 1) {
    const size_t position = Position();
    if (delta > 0) {
      delta = checkpoint_ == 0 ? 0 : -static_cast<int64_t>(position - checkpoint_);
    }
    Bytes body;
    body.Varint(1).Varint(0).Varint(delta).Byte(1).Varint(static_cast<int64_t>(pools.size()));
    for (const TestPool& pool : pools) {
      body.Varint(pool.type_id).Varint(static_cast<int64_t>(pool.constants.size()));
      for (const auto& [key, value] : pool.constants) body.Varint(key).Add(value);
    }
    checkpoint_ = position;
    return Event(1, body);
  }
  size_t Position() const { return kHeaderBytes + events_.size(); }

  std::vector<uint8_t> Build() const {
    Bytes out;
    for (const char c : {'F', 'L', 'R', '\0'}) out.Byte(static_cast<uint8_t>(c));
    out.BigEndian(major, 2).BigEndian(minor, 2);
    out.BigEndian(size != 0 ? size : Position(), 8);
    out.BigEndian(checkpoint != 0 ? checkpoint : checkpoint_, 8);
    out.BigEndian(metadata != 0 ? metadata : metadata_, 8);
    out.BigEndian(start_unix_ns, 8).BigEndian(5, 8);
    out.BigEndian(start_ticks, 8).BigEndian(ticks_per_second, 8);
    out.Byte(state).BigEndian(features, 3);
    return out.Add(events_).bytes();
  }

 private:
  Bytes events_;
  size_t checkpoint_ = 0;
  size_t metadata_ = 0;
};

struct CollectingSink final : JitEventSink {
  std::vector<JitCompilation> compilations;
  std::vector<JitInlining> inlinings;
  std::vector<JitDeoptimization> deoptimizations;
  size_t code_ends = 0;
  void On(JitCompilation event) override { compilations.push_back(std::move(event)); }
  void On(JitInlining event) override { inlinings.push_back(std::move(event)); }
  void On(JitDeoptimization event) override { deoptimizations.push_back(std::move(event)); }
  void On(JitCodeEnd) override { ++code_ends; }
};

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_JFR_TEST_UTIL_H_
