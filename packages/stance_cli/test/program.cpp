#include "program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace stance {

TemporaryFile::TemporaryFile(const std::string& content, const std::string& ending) {
  static int count = 0;
  path_ = (std::filesystem::temp_directory_path() /
           ("stance_test_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ending))
              .string();
  std::ofstream(path_, std::ios::binary) << content;
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

ProgramRun run_stance(const std::string& arguments, const std::string& input) {
  const TemporaryFile in(input), out(""), err("");
  const std::string command = "{ '" STANCE_PROGRAM "' " + arguments + "; } <'" + in.path() +
                              "' >'" + out.path() + "' 2>'" + err.path() + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out.path()),
          read_text(err.path())};
}

}  // namespace stance
