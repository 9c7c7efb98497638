#include "stance_report/robot_replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/model/build_model.hpp"
#include "stance_core/spatial/rotation.hpp"
#include "support/walkers.hpp"

namespace stance {
namespace {

// A trunk with even density, a leg hinged to it, a foot welded to the leg.
std::unique_ptr<Model> walker() {
  Description robot;
  robot.name = "walker";
  InertialDescription trunk = test::point_mass(12, 0.1);
  trunk.inertia.diagonal() << 0.4 * 0.4 + 0.1 * 0.1, 0.6 * 0.6 + 0.1 * 0.1,
      0.6 * 0.6 + 0.4 * 0.4;  // 12 kg / 12
  trunk.rotation = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  robot.links = {{"trunk", trunk}, {"leg", test::point_mass(1, -0.5)}, {"foot", std::nullopt}};
  robot.joints = {test::joint("hip", "trunk", "leg", 0.1, 0, JointType::kContinuous),
                  test::joint("ankle", "leg", "foot", 0, -1)};
  return std::make_unique<Model>(*build_model(robot));
}

LinkShape shape(LinkShape::Use use, const char* link, ShapeKind kind) {
  LinkShape result;
  result.use = use, result.link = link, result.kind = kind;
  result.size = {1, 2, 3}, result.radius = 0.1, result.length = 0.4;
  return result;
}

RobotSample sample_at(const Model& model, double time, double hip) {
  RobotSample sample;
  sample.time = time;
  sample.row.q = neutral_state(model, make_tree(model)).q;
  sample.row.q[0] = 2 * time, sample.row.q[2] = 1;
  sample.row.q[static_cast<std::size_t>(model.joints[1].q_index)] = hip;
  sample.kinetic = 3, sample.potential = 4;
  sample.states = {ReplayContact::kStick};
  sample.forces_W = {{1, 2, 3}};
  sample.others = {5, 6, 7};
  return sample;
}

RobotReplayInfo info_for(const Model& model) {
  RobotReplayInfo info;
  info.title = "t";
  ReplayContact foot;
  foot.name = "foot", foot.body = 1;
  info.contacts = {foot};
  info.others = ground_reaction_series();
  EXPECT_EQ(model.body_count, 2);
  return info;
}

const ReplaySeries& series(const Replay& replay, const std::string& group,
                           const std::string& name) {
  for (const auto& each : replay.series)
    if (each.group == group && each.name == name) return each;
  ADD_FAILURE() << "there is no series " << group << ", " << name;
  return replay.series.front();
}

TEST(RobotReplay, PlacesBodiesAsKinematicsDoes) {
  const auto model = walker();
  RobotReplay maker(*model, info_for(*model));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> even(-2, 2);
  std::vector<double> hips;
  for (int i = 0; i < 20; ++i) {
    hips.push_back(even(random));
    maker.add(sample_at(*model, 0.1 * i, hips.back()));
  }
  const Replay replay = maker.finish();
  ASSERT_EQ(replay.bodies.size(), 2U);
  EXPECT_EQ(replay.bodies[1].name, "leg");
  EXPECT_EQ(replay.bodies[1].parent, 0);
  const Frame& foot = model->frames[find_frame(*model, "foot")];
  for (std::size_t i = 0; i < 20; ++i) {
    const double t = 0.1 * static_cast<double>(i), a = hips[i];
    // a turn about +y swings what hangs down to -x
    const Vec3<double> at = replay.bodies[1].pose_W[i] * foot.X_HF.p;
    EXPECT_LT(norm(at - Vec3<double>{2 * t + 0.1 - std::sin(a), 0, 1 - std::cos(a)}), 1e-14);
    const Vec3<double> mass = replay.center_of_mass[i];
    EXPECT_LT(std::abs(mass.z - (12 * 1.1 + 1 - 0.5 * std::cos(a)) / 13), 1e-14);
    EXPECT_EQ(series(replay, "Joint positions", "hip").value[i], a);
  }
  EXPECT_EQ(series(replay, "Energy", "total").value[7], 7);
  EXPECT_EQ(series(replay, "Ground reaction", "grf.fz").value[7], 7);
  EXPECT_EQ(replay.contacts[0].force_W[3], (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(replay.contacts[0].state[3], ReplayContact::kStick);
  ASSERT_EQ(replay.portraits.size(), 1U);
  EXPECT_EQ(replay.series[static_cast<std::size_t>(replay.portraits[0].x)].group,
            "Joint positions");
  EXPECT_EQ(replay.series[static_cast<std::size_t>(replay.portraits[0].y)].group,
            "Joint velocities");
  EXPECT_TRUE(replay_page(replay));
}

TEST(RobotReplay, TellsEventsInTheirOrder) {
  const auto model = walker();
  RobotReplay maker(*model, info_for(*model));
  maker.add(sample_at(*model, 0, 0));
  EventRow row;
  row.kind = "touchdown", row.body = "foot", row.other = "world", row.time = 2;
  row.impulse = {0, 0, 3}, row.energy_lost = 0.5;
  maker.add(row);
  row.kind = "stop", row.body = "leg", row.joint = "hip", row.time = 1;
  maker.add(row);
  const Replay replay = maker.finish();
  ASSERT_EQ(replay.events.size(), 2U);
  EXPECT_EQ(replay.events[0].kind, "stop");
  EXPECT_EQ(replay.events[0].bodies, (std::vector<std::string>{"leg", "hip"}));
  EXPECT_EQ(replay.events[1].bodies, (std::vector<std::string>{"foot"}));
  EXPECT_EQ(replay.events[1].impulse_W.z, 3);
}

TEST(RobotReplay, ThinsALongRunButNotItsEvents) {
  const auto model = walker();
  RobotReplay maker(*model, info_for(*model));
  const int count = 3 * static_cast<int>(RobotReplay::kMostSamples);
  for (int i = 0; i < count; ++i) {
    RobotSample sample = sample_at(*model, 0.001 * i, 0.1);
    sample.at_event = i % 1000 == 500;
    maker.add(sample);
  }
  const Replay replay = maker.finish();
  EXPECT_LT(replay.time.size(), RobotReplay::kMostSamples);
  EXPECT_GT(replay.time.size(), RobotReplay::kMostSamples / 4);
  for (int i = 500; i < count; i += 1000)
    EXPECT_TRUE(std::ranges::binary_search(replay.time, 0.001 * i)) << i;
  EXPECT_GT(replay.time.back(), 0.001 * (count - 8));
  ASSERT_EQ(replay.notes.size(), 1U);
  EXPECT_NE(replay.notes[0].find("one of 4 samples"), std::string::npos) << replay.notes[0];
  EXPECT_TRUE(replay_page(replay));
}

TEST(FootContacts, AreThePlacesOfTheSimulator) {
  const auto model = walker();
  SimulatorSettings settings;
  settings.ground = sloped_ground(0.1);
  settings.foot_count = 2;
  Foot& sole = settings.feet[0];
  sole.frame = find_frame(*model, "foot");
  sole.support = JointKind::kFixed;
  sole.material.mu_static = 0.6;
  sole.corner_count = 3;
  sole.corners = {Vec3<double>{0.1, 0.05, 0}, {0.1, -0.05, 0}, {-0.1, 0, 0}};
  settings.feet[1].frame = find_frame(*model, "leg");
  settings.feet[1].support = JointKind::kFree;
  settings.feet[1].radius = 0.04;
  const auto contacts = foot_contacts(*model, settings);
  ASSERT_EQ(contacts.size(), 4U);
  const Frame& foot = model->frames[sole.frame];
  for (int i = 0; i < 3; ++i) {
    const ReplayContact& corner = contacts[static_cast<std::size_t>(i)];
    EXPECT_EQ(corner.name, "foot/" + std::to_string(i));
    EXPECT_EQ(corner.body, 1);
    EXPECT_LT(norm(corner.p_B - foot.X_HF * sole.corners[static_cast<std::size_t>(i)]), 1e-15);
    EXPECT_EQ(corner.mu, 0.6);
    EXPECT_EQ(corner.normal_W, settings.ground.normal);
  }
  EXPECT_EQ(contacts[3].name, "leg");
  EXPECT_EQ(contacts[3].radius, 0.04);
  EXPECT_TRUE(std::isinf(contacts[3].mu));
}

// ---- looks

TEST(RobotBodies, HaveVisualsInTheFramesOfTheirLinks) {
  const auto model = walker();
  LinkShape ball = shape(LinkShape::Use::kVisual, "foot", ShapeKind::kSphere);
  ball.origin.translation() = Eigen::Vector3d(0.2, 0, 0);
  std::vector<ReplayMesh> meshes;
  std::vector<std::string> notes;
  const auto bodies = robot_bodies(*model,
                                   {ball, shape(LinkShape::Use::kVisual, "trunk", ShapeKind::kBox),
                                    shape(LinkShape::Use::kCollision, "trunk", ShapeKind::kSphere)},
                                   "robot.urdf", meshes, notes);
  ASSERT_EQ(bodies[0].shapes.size(), 1U);  // the collision shape is not shown besides
  EXPECT_EQ(bodies[0].shapes[0].kind, ReplayShape::Kind::kBox);
  EXPECT_EQ(bodies[0].shapes[0].size, (Vec3<double>{1, 2, 3}));
  ASSERT_EQ(bodies[1].shapes.size(), 1U);  // the foot is welded to the leg
  const Frame& foot = model->frames[find_frame(*model, "foot")];
  EXPECT_LT(norm(bodies[1].shapes[0].X_BS.p - foot.X_HF * Vec3<double>{0.2, 0, 0}), 1e-15);
  EXPECT_TRUE(notes.empty());
}

TEST(RobotBodies, HaveCollisionShapesWhereAMeshIsMissing) {
  const auto model = walker();
  LinkShape mesh = shape(LinkShape::Use::kVisual, "trunk", ShapeKind::kMesh);
  mesh.mesh = "package://nowhere/trunk.stl";
  std::vector<ReplayMesh> meshes;
  std::vector<std::string> notes;
  const auto bodies = robot_bodies(
      *model, {mesh, shape(LinkShape::Use::kCollision, "trunk", ShapeKind::kCapsule)}, "robot.urdf",
      meshes, notes);
  ASSERT_EQ(bodies[0].shapes.size(), 1U);
  EXPECT_EQ(bodies[0].shapes[0].kind, ReplayShape::Kind::kCapsule);
  EXPECT_EQ(bodies[0].shapes[0].size, (Vec3<double>{0.1, 0, 0.4}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("package://nowhere/trunk.stl"), std::string::npos);
}

// Without any shape: sticks, and a box with the body's own inertia.
TEST(RobotBodies, HaveSticksAndABoxOfTheirInertia) {
  const auto model = walker();
  std::vector<ReplayMesh> meshes;
  std::vector<std::string> notes;
  const auto bodies = robot_bodies(*model, {}, "robot.urdf", meshes, notes);
  ASSERT_EQ(bodies[0].shapes.size(), 2U);  // to the hip, and the box
  const ReplayShape& box = bodies[0].shapes[1];
  ASSERT_EQ(box.kind, ReplayShape::Kind::kBox);
  EXPECT_LT(norm(box.X_BS.p - Vec3<double>{0, 0, 0.1}), 1e-14);
  // its own inertia, turned into the body's axes, is the body's
  const Vec3<double> s = box.size;
  EXPECT_NEAR(s.x * s.y * s.z, 0.6 * 0.4 * 0.1, 1e-12);
  const Eigen::Vector3d moments(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z,
                                s.x * s.x + s.y * s.y);  // 12 kg / 12
  const Eigen::Matrix3d R = box.X_BS.R.eigen();
  const Eigen::Matrix3d about_center = R * moments.asDiagonal() * R.transpose();
  const RigidInertia<double>& I = model->bodies[0].I;
  const Eigen::Matrix3d expected = (I.I + point_inertia(-I.m, I.h * (1 / I.m))).eigen();
  EXPECT_LT((about_center - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT(std::abs(expected(0, 1)), 0.01);  // it is turned
  EXPECT_NEAR(R.determinant(), 1, 1e-14);
  // the leg is a point of mass: a ball, and a stick to the foot
  ASSERT_EQ(bodies[1].shapes.size(), 2U);
  const ReplayShape& stick = bodies[1].shapes[0];
  const Frame& foot = model->frames[find_frame(*model, "foot")];
  EXPECT_NEAR(stick.size.z, 1, 1e-15);
  EXPECT_LT(norm(stick.X_BS * Vec3<double>{0, 0, 0.5} - foot.X_HF.p), 1e-14);
  EXPECT_LT(norm(stick.X_BS * Vec3<double>{0, 0, -0.5}), 1e-14);
  EXPECT_EQ(bodies[1].shapes[1].kind, ReplayShape::Kind::kSphere);
}

}  // namespace
}  // namespace stance
