// The shapes of a robot file: what its links look like (<visual>) and what they touch with (<collision>). The dynamics
// needs none of it, so it is read apart from the Description, by those who draw and those who collide.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/model/description.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {

enum class ShapeKind { kBox, kSphere, kCylinder, kCapsule, kMesh };

constexpr const char* to_string(ShapeKind kind) noexcept {
  constexpr const char* kNames[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
  return kNames[static_cast<int>(kind)];
}

// One <visual> or <collision>. A shape's own frame is in its middle; cylinder and capsule are along z.
struct LinkShape {
  enum class Use { kVisual, kCollision } use{};
  std::string link, name;          // the name is of the <visual> or <collision>; mostly none
  Pose origin = Pose::Identity();  // of the shape's frame, in the link
  ShapeKind kind{};
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  // m, of a box: whole lengths
  double radius = 0;                               // m, of sphere, cylinder, capsule
  double length = 0;  // m, of a cylinder, of a capsule without its caps
  std::string mesh;   // as the file names it: see find_mesh
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  // of a mesh
  std::optional<std::array<double, 4>> color;       // red, green, blue, alpha: 0 to 1
  int line = 0;                                     // in the file
};

// In the order of the file. `remarks`, if given, hears of what is not used.
Result<std::vector<LinkShape>> parse_geometry(std::string_view xml,
                                              std::vector<Remark>* remarks = nullptr,
                                              bool lenient = false);

// Of a robot file, which may be xacro, read as load_robot reads the rest of it. Errors name the file.
Result<std::vector<LinkShape>> read_geometry(const std::filesystem::path& robot_file,
                                             const LoadOptions& options = {});

// Where the mesh called `name` in `robot_file` is: a path beside the robot file, file://, or package://, which is looked
// for in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and the folders that the robot file is in. None: it is nowhere.
std::optional<std::filesystem::path> find_mesh(std::string_view name,
                                               const std::filesystem::path& robot_file);

struct Mesh {
  std::vector<Eigen::Vector3f> vertices;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside
};

inline constexpr std::size_t kMaxMeshFileSize = std::size_t{64} << 20;

// STL, text or binary, and the faces of Wavefront OBJ, by the end of the file's name. Equal vertices become one. Other
// formats (Collada) are refused as kUnsupported.
Result<Mesh> read_mesh(const std::filesystem::path& path);

}  // namespace stance
