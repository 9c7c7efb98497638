// Feet and contact of a scenario: what is read, how a robot is set down, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "robot_folders.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

class FeetTest : public testing::Test {
 protected:
  FeetTest() : folder_(fs::temp_directory_path() / ("stance_feet_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~FeetTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  // The quadruped with these feet, set down with this pose.
  Result<std::unique_ptr<Scenario>> quadruped(const std::string& feet, const std::string& initial,
                                              const std::string& more = "") const {
    return load_scenario(write(
        "quadruped.yaml", "robot: " + (fs::absolute(own_folder()) / "quadruped.urdf").string() +
                              "\nfeet:\n" + feet + "initial: " + initial + "\nduration: 1 s\n" +
                              more));
  }
  // A brick with one shape.
  Result<std::unique_ptr<Scenario>> brick(const std::string& geometry,
                                          const std::string& origin = "0 0 0") const {
    const fs::path urdf = write(
        "brick.urdf",
        "<robot name='brick'><link name='brick'><inertial><mass value='1'/><inertia ixx='0.1' "
        "ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial><collision><origin xyz='" +
            origin + "'/><geometry>" + geometry + "</geometry></collision></link></robot>");
    return load_scenario(write("brick.yaml", "robot: " + urdf.string() +
                                                 "\nfeet: [{link: brick, shape: collision}]\n"
                                                 "initial: {flight: free, position: [0, 0, 5]}\n"
                                                 "duration: 1 s\n"));
  }
  fs::path folder_;
};

constexpr const char* kBalls =
    "  - {link: lf_foot, support: sphere, radius: 2 cm}\n"
    "  - {link: rf_foot, support: sphere, radius: 2 cm}\n"
    "  - {link: lh_foot, support: sphere, radius: 2 cm}\n"
    "  - {link: rh_foot, support: sphere, radius: 2 cm}\n";

TEST_F(FeetTest, HaveWhatContactSaysUnlessTheySayIt) {
  const auto scenario = quadruped(
      "  - {link: lf_foot, support: sphere, radius: 2 cm}\n"
      "  - {link: rf_foot, support: ball, friction: 0.3, restitution: 0.5}\n"
      "  - {link: lh_foot, support: sole, size: [20 cm, 10 cm], at: [1 cm, 0, -2 cm]}\n"
      "  - {link: rh_foot, support: weld}\n",
      "{flight: free, position: [0, 0, 2]}",
      "contact: {friction: {static: 0.9, kinetic: 0.7}, restitution: 0.1, law: poisson, "
      "capture_speed: 1 mm/s}\n");
  ASSERT_TRUE(scenario) << scenario.error().text();
  const SimulatorSettings& s = (*scenario)->settings;
  ASSERT_EQ(s.foot_count, 4);
  EXPECT_EQ(s.impact_law, ImpactLaw::kPoisson);
  EXPECT_EQ(s.capture_speed, 1e-3);
  EXPECT_EQ(s.feet[0].support, JointKind::kFree);
  EXPECT_EQ(s.feet[0].radius, 0.02);
  EXPECT_EQ(s.feet[0].material.mu_static, 0.9);
  EXPECT_EQ(s.feet[0].material.mu_kinetic, 0.7);
  EXPECT_EQ(s.feet[0].material.restitution, 0.1);
  EXPECT_EQ(s.feet[1].support, JointKind::kBall);
  EXPECT_EQ(s.feet[1].material.mu_static, 0.3);
  EXPECT_EQ(s.feet[1].material.mu_kinetic, 0.3);
  EXPECT_EQ(s.feet[1].material.restitution, 0.5);
  EXPECT_EQ(s.feet[2].support, JointKind::kFixed);
  EXPECT_FALSE(s.feet[2].grips);
  ASSERT_EQ(s.feet[2].corner_count, 4);
  EXPECT_LT(norm(s.feet[2].corners[0] - Vec3<double>(0.11, 0.05, -0.02)), 1e-15);
  EXPECT_LT(norm(s.feet[2].corners[2] - Vec3<double>(-0.09, -0.05, -0.02)), 1e-15);
  EXPECT_TRUE(s.feet[3].grips);
}

TEST_F(FeetTest, StickWithoutLimitWhereNothingIsSaid) {
  const auto scenario = quadruped(kBalls, "{flight: free, position: [0, 0, 2]}");
  ASSERT_TRUE(scenario) << scenario.error().text();
  EXPECT_FALSE((*scenario)->settings.feet[0].material.slips());
}

TEST_F(FeetTest, AreSetDownAlongTheNormal) {
  const auto scenario = quadruped(kBalls, "{stand: all, orientation: [0, 10 deg, 0]}",
                                  "ground: {slope: 10 deg}\n");
  ASSERT_TRUE(scenario) << scenario.error().text();
  const auto simulator = std::make_unique<Simulator>((*scenario)->robot->model,
                                                     (*scenario)->settings);
  ASSERT_EQ(start(**scenario, *simulator), Status::kOk);
  for (int foot = 0; foot < 4; ++foot) EXPECT_NEAR(simulator->foot_height(foot), 0, 1e-12);
  const Vec3<double> p =
      body_motion(simulator->model(), simulator->tree(), simulator->state(), BodyId(0)).X_WH.p;
  // the centres of the feet are 0.48 m below the base, the ground a radius below them
  EXPECT_NEAR(norm(p - (*scenario)->settings.ground.normal * 0.5), 0, 1e-12);
  EXPECT_EQ(simulator->step({}), Status::kOk);
  EXPECT_EQ(simulator->events().size(), 4);
}

// Every collision shape, with where it touches when it stands as it is drawn.
TEST_F(FeetTest, AreTheCollisionShapesWhereAsked) {
  struct Shape {
    const char* geometry;
    int feet, places;
    double lowest;  // below the link's frame
  };
  for (const Shape& shape :
       {Shape{"<box size='0.2 0.4 0.6'/>", 1, 8, 0.3}, Shape{"<sphere radius='0.25'/>", 1, 1, 0.25},
        Shape{"<cylinder radius='0.1' length='0.5'/>", 1, 8, 0.25},
        Shape{"<capsule radius='0.1' length='0.5'/>", 2, 2, 0.35}}) {
    const auto scenario = brick(shape.geometry, "0 0 -1");
    ASSERT_TRUE(scenario) << scenario.error().text();
    const SimulatorSettings& s = (*scenario)->settings;
    EXPECT_EQ(s.foot_count, shape.feet) << shape.geometry;
    const auto simulator = std::make_unique<Simulator>((*scenario)->robot->model, s);
    ASSERT_EQ(start(**scenario, *simulator), Status::kOk);
    EXPECT_EQ(simulator->site_count(), shape.places) << shape.geometry;
    double lowest = 5;
    for (int foot = 0; foot < s.foot_count; ++foot)
      lowest = std::min(lowest, simulator->foot_height(foot));
    EXPECT_NEAR(lowest, 5 - 1 - shape.lowest, 1e-12) << shape.geometry;
  }
}

TEST_F(FeetTest, TakeAMeshByItsOutermostPoints) {
  // an octahedron with a small bump: the bump is none of the outermost
  write("stone.obj",
        "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 2\nv 0 0 -1\nv 0.1 0.1 0.1\n"
        "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 7\n");
  const auto scenario = brick("<mesh filename='stone.obj' scale='0.5 0.5 0.5'/>");
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Foot& foot = (*scenario)->settings.feet[0];
  ASSERT_GE(foot.corner_count, 2);
  ASSERT_LE(foot.corner_count, kMaxCorners);
  double highest = 0, lowest = 0;
  for (int k = 0; k < foot.corner_count; ++k) {
    const Vec3<double>& p = foot.corners[static_cast<std::size_t>(k)];
    EXPECT_GE(norm(p), 0.49);
    highest = std::max(highest, p.z), lowest = std::min(lowest, p.z);
  }
  EXPECT_EQ(highest, 1);
}

TEST_F(FeetTest, AreRefusedByName) {
  struct Refused {
    const char *feet, *initial, *more, *part;
  };
  const char* flies = "{flight: free, position: [0, 0, 2]}";
  for (const Refused& r : {
           Refused{"  - {link: lf_foot, support: sphere}\n", flies, "",
                   "lacks the key 'radius', which a sphere needs"},
           Refused{"  - {link: lf_foot, support: sole}\n", flies, "",
                   "takes either 'size' or 'corners'"},
           Refused{"  - {link: lf_foot, support: ball, size: [1 cm, 1 cm]}\n", flies, "",
                   "size is for a sole, and the support is 'ball'"},
           Refused{"  - {link: lf_foot, support: sole, size: [1 cm]}\n", flies, "",
                   "takes two lengths"},
           Refused{"  - {link: lf_foot, support: sole, corners: [[0, 0, 0]]}\n", flies, "",
                   "must be two or more"},
           Refused{"  - {link: lf_foot, support: ball, shape: collision}\n", flies, "",
                   "support stands beside 'shape'"},
           Refused{"  - {link: lf_foot, support: ball, friction: -1}\n", flies, "",
                   "is below zero"},
           Refused{"  - {link: lf_foot, support: ball, restitution: 1.5}\n", flies, "",
                   "must lie from 0"},
           Refused{kBalls, flies, "contact: {law: euler}\n", "it can be newton, poisson"},
           Refused{kBalls, "{stand: [lf_foot, lf_foot]}", "", "names 'lf_foot' twice"},
           Refused{kBalls, "{stand: all, joints: {lf_knee: -20 deg}}", "",
                   "has 'lf_foot', which is 0.0145 m above the ground where the others touch"},
           Refused{kBalls, "{stand: all, support: lf_foot}", "", "'stand' for several"},
           Refused{kBalls, "{flight: free, position: [0, 0, 0.4]}", "",
                   "has 'lf_foot' 0.1 m below the ground"},
       }) {
    const auto scenario = quadruped(r.feet, r.initial, r.more);
    ASSERT_FALSE(scenario) << r.part;
    EXPECT_NE(scenario.error().message.find(r.part), std::string::npos)
        << scenario.error().text() << "\n"
        << r.part;
    EXPECT_NE(scenario.error().element.find("quadruped.yaml:"), std::string::npos);
  }
}

TEST_F(FeetTest, NeedAShapeToTouchWith) {
  const auto scenario = quadruped("  - {link: lf_hip, shape: collision}\n",
                                  "{flight: free, position: [0, 0, 2]}");
  ASSERT_TRUE(scenario) << scenario.error().text();
  const auto mesh = brick("<mesh filename='nowhere.obj'/>");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().message.find("needs the mesh 'nowhere.obj' of link 'brick'"),
            std::string::npos)
      << mesh.error().text();
}

}  // namespace
}  // namespace stance
