#ifndef YP_BASE_STATUS_H_
#define YP_BASE_STATUS_H_

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace yp {

// Whether an operation worked. True means success. An error carries one line for a person: what was
// wrong, where, and what to do next, without a final newline.
class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status Ok() { return Status(); }
  static Status Error(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }

  bool ok() const { return !message_.has_value(); }
  explicit operator bool() const { return ok(); }
  // The error's text; empty on success.
  std::string_view message() const {
    return message_ ? std::string_view(*message_) : std::string_view();
  }

 private:
  std::optional<std::string> message_;
};

// A value, or the reason why there is none. True means that there is a value.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T from) : value_(std::move(from)) {}           // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    assert(!status_.ok() && "a Result without a value needs an error");
  }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }
  std::string_view message() const { return status_.message(); }

  // Valid only when ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return std::move(*value_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace yp

#endif  // YP_BASE_STATUS_H_
