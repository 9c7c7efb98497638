// Where a command reads a table from: a file, or standard input.
#pragma once

#include <fstream>
#include <istream>
#include <memory>
#include <string>

#include "stance_core/base/result.hpp"

namespace stance {

class Input {
 public:
  // "-" is standard input.
  static Result<Input> open(const std::string& path);

  std::istream& stream();
  const std::string& name() const { return name_; }  // what errors call it

 private:
  explicit Input(std::string name) : name_(std::move(name)) {}
  std::unique_ptr<std::ifstream> file_;  // none: standard input
  std::string name_;
};

}  // namespace stance
