// Runs the built program, for end-to-end tests.
#pragma once

#include <string>
#include <vector>

namespace stance {

struct ProgramRun {
  int exit_code = 0;
  std::string out, err;
};

// `arguments` is a piece of a shell command line. `input` becomes standard input.
ProgramRun run_stance(const std::string& arguments, const std::string& input = "");

// A file that lives as long as the object, with a name of its own.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content, const std::string& ending = "");
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_text(const std::string& path);

}  // namespace stance
