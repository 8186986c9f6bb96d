#include "format/jfr/chunk.h"

#include <algorithm>
#include <bit>

namespace yp::jfr {
namespace {

constexpr int kMaxSimpleTypes = 8;  // One in another; the JDK's have one.

}  // namespace

void ConstantPools::Add(const Metadata& metadata, Cursor& in) {
  in.Byte();  // Why the checkpoint was written.
  for (size_t pools = in.Count(); pools > 0 && in.ok(); --pools) {
    const int64_t type = metadata.Find(in.Varint());
    if (in.ok() && type < 0) in.Fail("constants of a type that the metadata does not have");
    size_t left = in.Count();
    if (!in.ok()) return;
    const auto index = static_cast<uint32_t>(type);
    for (; left > 0 && in.ok(); --left) {
      const int64_t key = in.Varint();
      const size_t position = in.position();
      metadata.SkipValue(index, in);
      if (wanted_[index] && in.ok()) pools_[index].push_back({key, position});
    }
  }
}

void ConstantPools::Finish() {
  for (std::vector<Constant>& pool : pools_) {
    std::ranges::stable_sort(pool, {}, &Constant::key);
    const auto is_same = [](const Constant& a, const Constant& b) { return a.key == b.key; };
    pool.erase(std::unique(pool.begin(), pool.end(), is_same), pool.end());
  }
}

std::optional<size_t> ConstantPools::Find(uint32_t type, int64_t key) const {
  const std::vector<Constant>& pool = pools_[type];
  const auto it = std::ranges::lower_bound(pool, key, {}, &Constant::key);
  if (it == pool.end() || it->key != key) return std::nullopt;
  return it->position;
}

Cursor Value::At() const { return Cursor(chunk_->file, position_, chunk_->file.size()); }

std::optional<int64_t> Value::constant_key() const {
  if (!present() || !field_.is_constant || field_.is_array) return std::nullopt;
  return At().Varint();
}

Value Value::Resolved() const {
  const std::optional<int64_t> key = constant_key();
  if (!key) return *this;
  const std::optional<size_t> position = chunk_->constants.Find(field_.type, *key);
  if (!position) return {};
  return {chunk_, {.name = field_.name, .type = field_.type}, *position};
}

Value Value::operator[](std::string_view path) const {
  const Value value = Resolved();
  if (!value.present() || value.field_.is_array) return {};
  const size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  Cursor in = value.At();
  if (value.type().kind != Kind::kStruct) return {};
  for (const Field& field : value.type().fields) {
    if (field.name == name) {
      const Value found(chunk_, field, in.position());
      return dot == std::string_view::npos ? found : found[path.substr(dot + 1)];
    }
    chunk_->metadata.SkipField(field, in);
  }
  return {};
}

std::optional<int64_t> Value::Integer() const {
  const Value value = Resolved();
  if (!value.present() || value.field_.is_array) return std::nullopt;
  Cursor in = value.At();
  switch (value.type().kind) {
    case Kind::kBoolean:
      return in.Byte() != 0 ? 1 : 0;
    case Kind::kByte:
      return static_cast<int8_t>(in.Byte());
    case Kind::kChar:
      return static_cast<uint16_t>(in.Varint());
    case Kind::kShort:
      return static_cast<int16_t>(in.Varint());
    case Kind::kInt:
      return static_cast<int32_t>(in.Varint());
    case Kind::kLong:
      return in.Varint();
    default:
      return std::nullopt;
  }
}

std::optional<double> Value::Real() const {
  const Value value = Resolved();
  if (!value.present() || value.field_.is_array) return std::nullopt;
  Cursor in = value.At();
  if (value.type().kind == Kind::kFloat) {
    return std::bit_cast<float>(static_cast<uint32_t>(in.BigEndian(4)));
  }
  if (value.type().kind == Kind::kDouble) return std::bit_cast<double>(in.BigEndian(8));
  return std::nullopt;
}

std::optional<std::string> Value::Text() const {
  Value value = Resolved();
  for (int i = 0; i < kMaxSimpleTypes; ++i) {
    if (!value.present() || value.field_.is_array) return std::nullopt;
    const Type& type = value.type();
    if (type.kind == Kind::kString) {
      StoredString stored = value.At().String();
      if (!stored.pool_key) return std::move(stored.text);
      const std::optional<size_t> pooled =
          chunk_->constants.Find(value.field_.type, *stored.pool_key);
      if (!pooled) return std::nullopt;
      return Cursor(chunk_->file, *pooled, chunk_->file.size()).String().text;
    }
    if (!type.is_simple || type.fields.size() != 1) return std::nullopt;
    value = value[type.fields[0].name].Resolved();
  }
  return std::nullopt;
}

std::vector<Value> Value::Elements() const {
  std::vector<Value> elements;
  if (!present() || !field_.is_array) return elements;
  Cursor in = At();
  const size_t count = in.Count();
  Field element = field_;
  element.is_array = false;
  elements.reserve(count);
  for (size_t i = 0; i < count && in.ok(); ++i) {
    elements.emplace_back(chunk_, element, in.position());
    chunk_->metadata.SkipField(element, in);
  }
  return elements;
}

}  // namespace yp::jfr
