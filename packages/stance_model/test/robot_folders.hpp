// The robots that tests read: our own, and third-party ones where the shared folder is present.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace stance {

inline std::vector<std::filesystem::path> urdf_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::filesystem::path own_folder() { return STANCE_URDF_FOLDER; }

// The environment variable STANCE_SHARED, or the folder `shared` beside the repository.
inline std::filesystem::path shared_robots_folder() {
  const char* shared = std::getenv("STANCE_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : STANCE_SHARED_FOLDER) / "robots";
}

}  // namespace stance
