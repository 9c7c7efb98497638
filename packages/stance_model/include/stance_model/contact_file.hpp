// The contacts of a robot in a file, for those who check stance against another library.
//
//   ground: {point: [0, 0, 0], normal: [0, 0, 1]}
//   contacts:
//     - {name: left, link: left_foot, point: [0.1, 0, 0], radius: 0, friction: 0.6, restitution: 0, mode: auto}
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/contact/forward_dynamics.hpp"
#include "stance_core/contact/ground.hpp"
#include "stance_core/contact/material.hpp"
#include "stance_core/model/model.hpp"

namespace stance {

struct ContactEntry {
  enum class Mode { kAuto, kStick, kSlide, kOpen };
  std::string name;
  ContactPoint point;
  Material material;
  Mode mode = Mode::kAuto;
};

struct ContactFile {
  Ground ground;
  std::vector<ContactEntry> contacts;
};

// Errors say file, line and column, the key by its path, and what to do.
Result<ContactFile> load_contacts(const std::filesystem::path& path, const Model& model);

}  // namespace stance
