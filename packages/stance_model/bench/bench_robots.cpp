#include "bench_robots.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/model/build_model.hpp"
#include "stance_model/load_robot.hpp"

namespace stance::bench {
namespace {

namespace fs = std::filesystem;

// The bare rigid bodies: what every library computes.
LoadOptions bare() {
  LoadOptions options;
  options.mimic = false;
  options.armature = false;
  return options;
}

// The same numbers with every standard library, unlike std::uniform_real_distribution.
class Uniform {
 public:
  double operator()(double bound) {
    return bound * (static_cast<double>(generator_() >> 11) * 0x1p-52 - 1);
  }

 private:
  std::mt19937_64 generator_{20240711};
};

std::vector<Sample> make_samples(const Model& model, const Tree& tree) {
  Uniform uniform;
  std::vector<Sample> samples(kSamples);
  for (Sample& s : samples) {
    s.state = neutral_state(model, tree);
    DofVector step;
    for (int i = 0; i < model.dof_count; ++i) {
      step[i] = uniform(1.5), s.state.v[i] = uniform(2);
      s.tau[i] = uniform(10), s.a[i] = uniform(10);
    }
    joint_integrate(JointKind::kFree, s.state.q.data(), step.data(), 1);
    for (int i = 1; i < model.body_count; ++i) {
      const Joint& joint = model.joints[i];
      joint_integrate(joint.kind, &s.state.q[joint.q_index], &step[joint.v_index], 1);
    }
    apply_mimic(model, s.state);
  }
  return samples;
}

void load_folder(const fs::path& folder, const std::string& prefix,
                 std::vector<std::unique_ptr<BenchRobot>>& robots) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = prefix + file.stem().string();
    const auto loaded = load_robot(file, bare());
    if (!loaded) {
      std::printf("%s is left out: %s\n", name.c_str(), loaded.error().text().c_str());
      continue;
    }
    auto robot = make_bench_robot(name, (*loaded)->model);
    if (!robot->flies) {
      std::printf("%s cannot fly: its inertia leaves a direction of a free base undefined\n",
                  name.c_str());
    }
    robots.push_back(std::move(robot));
  }
}

// A gripper of seven joints, as Talos has them: a motor, and six joints that follow it.
void add_gripper(const std::string& hand, Description& robot) {
  struct Part {
    const char *name, *on;
    double ratio, x, z;
  };
  constexpr Part kParts[] = {{"motor", "", 1, 0.02, -0.03},
                             {"inner", "", 1, 0.005, -0.056},
                             {"tip_1", "_inner", -1, 0.047, -0.062},
                             {"tip_2", "_inner", -1, 0.047, -0.062},
                             {"motor_2", "", -1, -0.02, -0.03},
                             {"inner_2", "", -1, -0.005, -0.056},
                             {"tip_3", "_inner_2", -1, -0.047, -0.062}};
  for (const Part& part : kParts) {
    InertialDescription inertial;
    inertial.mass = 0.1;
    inertial.center = {0.01, 0.005, -0.02};
    inertial.inertia = Eigen::Vector3d(8e-5, 9e-5, 4e-5).asDiagonal();
    JointDescription joint;
    joint.name = hand + "_" + part.name;
    joint.type = JointType::kRevolute;
    joint.parent = hand + part.on;
    joint.child = joint.name;
    joint.origin.translation() = Eigen::Vector3d(part.x, 0, part.z);
    joint.axis = Eigen::Vector3d::UnitY();
    if (&part != kParts) joint.mimic = MimicDescription{hand + "_motor", part.ratio, 0};
    robot.links.push_back({joint.child, inertial});
    robot.joints.push_back(joint);
  }
}

// A humanoid with two grippers: its mimic joints free, and as they are.
void add_geared_humanoid(std::vector<std::unique_ptr<BenchRobot>>& robots) {
  const auto loaded = load_robot(fs::path(STANCE_URDF_FOLDER) / "humanoid_34.urdf");
  if (!loaded) {
    std::printf("humanoid_34 with grippers is left out: %s\n", loaded.error().text().c_str());
    return;
  }
  Description robot = (*loaded)->description;
  for (const std::string side : {"left", "right"}) add_gripper(side + "_hand", robot);
  for (const bool geared : {false, true}) {
    LoadOptions options = bare();
    options.mimic = geared;
    if (const Result<Model> model = build_model(robot, options))
      robots.push_back(make_bench_robot(geared ? "grippers_geared" : "grippers_free", *model));
  }
}

template <class Matrix>
std::array<double, 9> row_by_row(const Matrix& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

}  // namespace

std::unique_ptr<BenchRobot> make_bench_robot(const std::string& name, const Model& model) {
  auto robot = std::make_unique<BenchRobot>();
  robot->name = name;
  robot->model = model;
  robot->tree = make_tree(robot->model);
  robot->samples = make_samples(robot->model, robot->tree);
  const auto w = std::make_unique<Workspace>();
  const Sample& s = robot->samples[0];
  DofVector a;
  robot->flies = aba(robot->model, robot->tree, s.state, s.tau, {}, *w, a) == Status::kOk;
  return robot;
}

std::vector<std::unique_ptr<BenchRobot>> load_bench_robots() {
  std::vector<std::unique_ptr<BenchRobot>> robots;
  load_folder(STANCE_URDF_FOLDER, "", robots);
  add_geared_humanoid(robots);
  const char* shared = std::getenv("STANCE_SHARED");
  load_folder(fs::path(shared != nullptr ? shared : STANCE_SHARED_FOLDER) / "robots", "shared/",
              robots);
  return robots;
}

std::unique_ptr<BenchRobot> make_shape(Shape shape, int bodies) {
  Description d;
  d.name = (shape == Shape::kChain ? "chain_" : "branched_") + std::to_string(bodies);
  for (int i = 0; i < bodies; ++i) {
    InertialDescription inertial;
    inertial.mass = 1;
    inertial.center = {0.01, 0.02, -0.1};
    inertial.inertia = Eigen::Vector3d(0.010, 0.012, 0.008).asDiagonal();
    d.links.push_back({"link_" + std::to_string(i), inertial});
    if (i == 0) continue;
    JointDescription joint;
    joint.name = "joint_" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.parent = "link_" + std::to_string(shape == Shape::kChain ? i - 1 : (i - 1) / 2);
    joint.child = d.links.back().name;
    joint.origin.translation() = Eigen::Vector3d(0.03 * (i % 2), 0.02, -0.2);
    joint.axis = Eigen::Vector3d::Unit(i % 3);
    d.joints.push_back(joint);
  }
  const Result<Model> model = build_model(d, bare());
  if (!model) {
    std::printf("%s is left out: %s\n", d.name.c_str(), model.error().text().c_str());
    return nullptr;
  }
  return make_bench_robot(d.name, *model);
}

std::unique_ptr<PeerRobot> peer_robot(const Model& model) {
  if (model.mimic_count > 0) return nullptr;
  auto robot = std::make_unique<PeerRobot>();
  robot->gravity = {model.gravity.x, model.gravity.y, model.gravity.z};
  for (int i = 0; i < model.body_count; ++i) {
    const Body& body = model.bodies[i];
    const Joint& joint = model.joints[i];
    PeerBody b;
    b.name = "body_" + std::to_string(i);
    b.parent = body.parent;
    if (i > 0) {
      if (joint.kind != JointKind::kRevolute && joint.kind != JointKind::kPrismatic) return nullptr;
      b.prismatic = joint.kind == JointKind::kPrismatic;
      b.R = row_by_row(joint.X_PN.R.eigen());
      b.p = {joint.X_PN.p.x, joint.X_PN.p.y, joint.X_PN.p.z};
    }
    b.mass = body.I.m;
    const Vec3<double> c = b.mass > 0 ? body.I.h * (1 / b.mass) : Vec3<double>{};
    b.center = {c.x, c.y, c.z};
    b.inertia = row_by_row((body.I.I + point_inertia(-b.mass, c)).eigen());
    robot->bodies.push_back(b);
  }
  return robot;
}

std::vector<PeerSample> peer_samples(const BenchRobot& robot) {
  std::vector<PeerSample> samples;
  for (const Sample& s : robot.samples) {
    const auto dofs = robot.model.dof_count;
    samples.push_back({{s.state.q.begin(), s.state.q.begin() + robot.model.coordinate_count},
                       {s.state.v.begin(), s.state.v.begin() + dofs},
                       {s.tau.begin(), s.tau.begin() + dofs},
                       {s.a.begin(), s.a.begin() + dofs}});
  }
  return samples;
}

}  // namespace stance::bench
