#include "stance_model/loop_file.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "read_loops.hpp"
#include "refusal.hpp"
#include "robot_names.hpp"
#include "scenario_file.hpp"

namespace stance {
namespace {

ClosureEnd read_end(const Setting& setting, const Model& model) {
  const Keys keys(setting, {"link", "xyz", "rpy"});
  const Setting name = keys.require("link", "link: shank, or link: world");
  Transform<double> X;
  if (const auto xyz = keys.find("xyz")) X.p = xyz->vector(kLength);
  if (const auto rpy = keys.find("rpy")) {
    const Vec3<double> angles = rpy->vector(kAngle);
    // about the fixed x, then y, then z, as in URDF
    X.R = Mat3<double>(Eigen::Matrix3d(Eigen::AngleAxisd(angles.z, Eigen::Vector3d::UnitZ()) *
                                       Eigen::AngleAxisd(angles.y, Eigen::Vector3d::UnitY()) *
                                       Eigen::AngleAxisd(angles.x, Eigen::Vector3d::UnitX())));
  }
  if (name.text() == "world" && !find_frame(model, "world").valid()) return {BodyId(), X};
  const Frame& frame = model.frames[link(name, model)];
  return {frame.body, frame.X_HF * X};
}

Loop read_loop(const Setting& setting, const Model& model) {
  const Keys keys(setting, {"name", "type", "a", "b"});
  Loop loop;
  loop.name = keys.require("name", "name: knee_loop").text();
  constexpr ClosureKind kKinds[] = {ClosureKind::kPoint, ClosureKind::kPin, ClosureKind::kWeld};
  loop.closure.kind = kKinds[keys.require("type", "type: pin").word({"point", "pin", "weld"})];
  loop.closure.a = read_end(keys.require("a", "a: {link: rod, xyz: [0, 0, 0]}"), model);
  loop.closure.b = read_end(keys.require("b", "b: {link: shank, xyz: [0, 0, 0]}"), model);
  if (loop.closure.a.body == loop.closure.b.body) {
    setting.refuse(
        ErrorCode::kStructure,
        fmt::format("('{}') holds {}: a loop joins two bodies that can move against "
                    "each other",
                    loop.name,
                    loop.closure.a.body.valid() ? "a body to itself" : "the world to itself"));
  }
  return loop;
}

template <class T, class Read>
Result<T> read_file_of(const std::filesystem::path& path, const Read& read) {
  try {
    const std::string file = path.string();
    return read(Setting(read_scenario_file(path), "", file));
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  } catch (const YAML::Exception& error) {
    return Error{ErrorCode::kSyntax,
                 fmt::format("{}:{}:{}", path.string(), error.mark.line + 1, error.mark.column + 1),
                 error.msg};
  }
}

}  // namespace

std::vector<Loop> read_loops(const Setting& list, const Model& model) {
  std::vector<Loop> loops;
  int rows = 0;
  for (const Setting& setting : list.list(kMaxClosures)) {
    Loop loop = read_loop(setting, model);
    for (const Loop& other : loops) {
      if (other.name == loop.name) {
        setting.refuse(ErrorCode::kStructure,
                       fmt::format("is called '{}', and so is another; give each a name of its own",
                                   loop.name));
      }
    }
    rows += row_count(loop.closure.kind);
    if (rows > kMaxRows) {
      setting.refuse(
          ErrorCode::kCapacity,
          fmt::format("('{}') is one too many: this build of stance holds {} rows, and a "
                      "point has 3, a pin 5, a weld 6",
                      loop.name, kMaxRows));
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

Result<std::vector<Loop>> load_loops(const std::filesystem::path& path, const Model& model) {
  return read_file_of<std::vector<Loop>>(path, [&](const Setting& root) {
    const Keys keys(root, {"loops"});
    return read_loops(
        keys.require("loops", "loops: [{name: knee, type: pin, a: {link: rod}, b: {link: shank}}]"),
        model);
  });
}

Result<Schedule> load_schedule(const std::filesystem::path& path, const Model& model) {
  return read_file_of<Schedule>(path, [&](const Setting& root) -> Result<Schedule> {
    const Keys keys(root, {"schedule"});
    Schedule schedule;
    std::vector<std::string> names;
    for (int i = 1; i < model.body_count; ++i) names.emplace_back(model.joints[i].name.view());
    std::vector<char> used(static_cast<std::size_t>(model.body_count), 0);
    const Setting list = keys.require("schedule", "schedule: [knee, hip, support]");
    for (const Setting& setting : list.list(static_cast<std::size_t>(model.body_count))) {
      const std::string name = setting.text();
      JointId joint = find_joint(model, name);
      if (!joint.valid() && name == "support") joint = JointId(0);
      if (!joint.valid()) {
        setting.refuse(ErrorCode::kStructure,
                       fmt::format("is '{}', and the robot has no such joint that moves{}", name,
                                   suggestion(name, names)));
      }
      if (used[joint]) {
        setting.refuse(ErrorCode::kStructure,
                       fmt::format("is '{}', which came before; each joint is added once", name));
      }
      used[joint] = 1;
      schedule.joints.push_back(joint);
    }
    if (!used[0]) schedule.joints.push_back(JointId(0)), used[0] = 1;  // last, unless it says when
    for (int i = 1; i < model.body_count; ++i) {
      if (used[i]) continue;
      list.refuse(ErrorCode::kStructure,
                  fmt::format("lacks the joint '{}'; name every joint that moves once",
                              names[static_cast<std::size_t>(i) - 1]));
    }
    return schedule;
  });
}

}  // namespace stance
