// What a load-time function returns: the thing that was asked for, or an error that a tired person can act on.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace stance {

enum class ErrorCode {
  kFile,         // cannot be opened or read
  kSyntax,       // not XML, not YAML, not CSV, or cut off
  kStructure,    // no root, two roots, a cycle, an unknown or doubled name
  kValue,        // a number that is not finite, or has the wrong sign, or a wrong unit
  kInertia,      // a mass or an inertia no body can have
  kLimits,       // joint limits that exclude every position
  kMimic,        // follows a joint that is missing, or itself
  kCapacity,     // more than the memory fixed at build time
  kUnsupported,  // well formed, but we do not do it
};

struct Error {
  ErrorCode code{};
  std::string element;  // the offending element by name, such as "joint 'knee'"
  std::string message;  // one sentence that says what is wrong and what to do
  // The whole text, as it should be shown.
  std::string text() const { return element.empty() ? message : element + ": " + message; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const noexcept { return std::holds_alternative<T>(content_); }
  T& operator*() & { return std::get<T>(content_); }
  const T& operator*() const& { return std::get<T>(content_); }
  T&& operator*() && { return std::get<T>(std::move(content_)); }
  T* operator->() { return &std::get<T>(content_); }
  const T* operator->() const { return &std::get<T>(content_); }
  const Error& error() const { return std::get<Error>(content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace stance
