// The bytes of a file, refused where it is missing, a directory, unreadable or too large. Pipes and devices are files too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace stance {

struct FileKind {
  std::string noun;       // such as "URDF file"
  std::size_t max_bytes;  // a multiple of a MiB
  std::string
      too_large;  // what a larger one is, such as "it is no robot file; give the URDF itself"
};

// `element` is what a refusal calls it.
std::string read_file(const std::filesystem::path& path, const std::string& element,
                      const FileKind& kind);

}  // namespace stance
