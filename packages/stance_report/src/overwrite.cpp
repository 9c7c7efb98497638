#include "stance_report/overwrite.hpp"

#include <system_error>

namespace stance {

std::optional<Error> overwritten_input(const std::filesystem::path& file,
                                       const std::vector<std::filesystem::path>& inputs) {
  for (const auto& input : inputs) {
    std::error_code not_both_there;
    if (!std::filesystem::equivalent(file, input, not_both_there)) continue;
    return Error{ErrorCode::kFile, file.string(),
                 "is read by this command and would be overwritten: write somewhere else"};
  }
  return std::nullopt;
}

}  // namespace stance
