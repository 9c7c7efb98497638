// What build_model makes: lumped bodies, named frames, mimics, options; and what it tells about a robot it accepts.
#include "stance_core/model/build_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "support/plain_kinematics.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// Eight bodies deep with poses up to a metre a link: products of some twenty rotations.
constexpr double kRounding = 1e-13;

// Poses of all links, lumped or not, are those of the plain kinematics of the file.
TEST(BuildModel, EveryLinkKeepsItsPose) {
  Random random(71);
  for (int trial = 0; trial < 60; ++trial) {
    const Description robot = random_description(random, {.bodies = 12, .mimic = trial % 2 == 0});
    const Model model = *build_model(robot);
    const Tree tree = make_tree(model);
    const State state = random_state(random, model, tree);
    ASSERT_EQ(model.frame_count, static_cast<int>(robot.links.size()));
    const Transform<double> X_base = joint_transform(JointKind::kFree, state.q.data());
    for (const auto& [name, X] : plain_poses(robot, model, state, "link0", isometry(X_base))) {
      const FrameId id = find_frame(model, name);
      ASSERT_TRUE(id.valid());
      const Frame& frame = model.frames[id];
      const auto X_WH = body_motion(model, tree, state, frame.body).X_WH;
      EXPECT_LT(distance(homogeneous(X_WH * frame.X_HF), X.matrix()), kRounding) << name;
    }
  }
}

// Mass, first moment and inertia of each body about the world's origin, summed directly over its links.
TEST(BuildModel, LumpsInertiasOfFixedLinks) {
  Random random(72);
  int lumped = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Description robot = random_description(random, {.bodies = 10});
    const Model model = *build_model(robot);
    const Tree tree = make_tree(model);
    const State state = random_state(random, model, tree);
    const auto pose = plain_poses(robot, model, state, "link0",
                                  isometry(joint_transform(JointKind::kFree, state.q.data())));
    for (int i = 0; i < model.body_count; ++i) {
      double mass = 0;
      Eigen::Vector3d moment = Eigen::Vector3d::Zero();
      Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
      int links = 0;
      for (const LinkDescription& link : robot.links) {
        if (model.frames[find_frame(model, link.name)].body != BodyId(i)) continue;
        const InertialDescription& b = *link.inertial;
        const Eigen::Vector3d c = pose.at(link.name) * b.center;
        const Eigen::Matrix3d R = pose.at(link.name).linear() * b.rotation;
        mass += b.mass;
        moment += b.mass * c;
        inertia += R * b.inertia * R.transpose() - b.mass * skew(c) * skew(c);
        ++links;
      }
      lumped += links - 1;
      const RigidInertia<double> I = to_parent(body_motion(model, tree, state, BodyId(i)).X_WH,
                                               model.bodies[i].I);
      EXPECT_NEAR(I.m, mass, kRounding);
      EXPECT_LT(distance(I.h.eigen(), moment), 10 * kRounding);
      EXPECT_LT(distance(I.I.eigen(), inertia), 100 * kRounding);  // grows with distance squared
    }
  }
  EXPECT_GT(lumped, 50);  // the robots did have fixed links
}

TEST(BuildModel, KeepsTheFilesOrderLimitsAndIndices) {
  Description robot = leg();
  robot.joints[0].type = JointType::kBall;
  robot.joints[1].limits = {-0.5, 1.5, 7.0, std::nullopt};
  robot.joints[1].damping = 0.1, robot.joints[1].friction = 0.2, robot.joints[1].armature = 0.3;
  const Model model = *build_model(robot, {.gravity = {1, 2, 3}});
  EXPECT_TRUE(model.name == "leg");
  EXPECT_EQ(model.gravity, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(model.body_count, 3);
  EXPECT_EQ(model.coordinate_count, 7 + 4 + 1);
  EXPECT_EQ(model.dof_count, 6 + 3 + 1);
  EXPECT_FALSE(find_joint(model, "ankle").valid());
  EXPECT_FALSE(find_frame(model, "foot").valid());
  EXPECT_EQ(find_joint(model, "hip"), JointId(1));
  EXPECT_EQ(find_frame(model, "shin"), FrameId(2));
  EXPECT_NEAR(total_mass(model), 8, 1e-15);
  const Joint& knee = model.joints[find_joint(model, "knee")];
  EXPECT_EQ(knee.kind, JointKind::kRevolute);
  EXPECT_FALSE(knee.continuous);
  EXPECT_EQ(knee.q_index, 11);
  EXPECT_EQ(knee.v_index, 9);
  EXPECT_EQ(knee.limits.lower, -0.5);
  EXPECT_EQ(knee.limits.upper, 1.5);
  EXPECT_EQ(knee.limits.velocity, 7);
  EXPECT_EQ(knee.limits.effort, std::numeric_limits<double>::infinity());
  EXPECT_EQ(knee.damping, 0.1);
  EXPECT_EQ(knee.friction, 0.2);
  EXPECT_EQ(knee.armature, 0.3);
  EXPECT_EQ(build_model(robot, {.armature = false})->joints[2].armature, 0);
  robot.joints[1].type = JointType::kContinuous;
  EXPECT_TRUE(build_model(robot)->joints[2].continuous);
}

// c = 2 b + 0.5, b = -3 a + 0.25: c = -6 a + 1.
TEST(BuildModel, ResolvesChainsOfMimics) {
  Description robot = leg();
  robot.links.push_back(link("foot", 1, {0.1, 0, 0}, {0.1, 0.1, 0.1}));
  robot.joints.push_back(joint("ankle", JointType::kPrismatic, "shin", "foot"));
  robot.joints[1].mimic = MimicDescription{"hip", -3, 0.25};
  robot.joints[2].mimic = MimicDescription{"knee", 2, 0.5};
  const Model model = *build_model(robot);
  ASSERT_EQ(model.mimic_count, 2);
  const Mimic& knee = model.mimics[0];
  EXPECT_EQ(knee.joint, JointId(2));
  EXPECT_EQ(knee.leader, JointId(1));
  EXPECT_EQ(knee.multiplier, -3);
  EXPECT_EQ(knee.offset, 0.25);
  const Mimic& ankle = model.mimics[1];
  EXPECT_EQ(ankle.joint, JointId(3));
  EXPECT_EQ(ankle.leader, JointId(1));
  EXPECT_EQ(ankle.multiplier, -6);
  EXPECT_EQ(ankle.offset, 1);

  State state = neutral_state(model, make_tree(model));
  EXPECT_EQ(state.q[model.joints[3].q_index], 1);
  state.q[model.joints[1].q_index] = 0.5;
  state.v[model.joints[1].v_index] = 0.1;
  apply_mimic(model, state);
  EXPECT_EQ(state.q[model.joints[2].q_index], -1.25);
  EXPECT_EQ(state.q[model.joints[3].q_index], -2);
  EXPECT_NEAR(state.v[model.joints[3].v_index], -0.6, 1e-15);
  EXPECT_EQ(build_model(robot, {.mimic = false})->mimic_count, 0);
}

struct Told {
  const char* name;
  void (*change)(Description&);
  Remark::Kind kind;
  const char* element;
  const char* phrase;
};
void PrintTo(const Told& told, std::ostream* out) { *out << told.name; }

class RemarkTest : public testing::TestWithParam<Told> {};

TEST_P(RemarkTest, IsAcceptedAndTold) {
  const Told& told = GetParam();
  Description robot = leg();
  robot.remarks.push_back({Remark::Kind::kIgnored, "element", "from the loader"});
  told.change(robot);
  std::vector<Remark> remarks;
  ASSERT_TRUE(build_model(robot, {}, &remarks));
  ASSERT_EQ(remarks.size(), 2u);  // this one and the loader's own: nothing else is told
  EXPECT_EQ(remarks[0].kind, told.kind);
  EXPECT_EQ(remarks[0].element, told.element);
  EXPECT_NE(remarks[0].text.find(told.phrase), std::string::npos) << remarks[0].text;
  EXPECT_EQ(remarks[1].text, "from the loader");
  ASSERT_TRUE(build_model(robot));  // a caller who does not ask gets the same model
}

INSTANTIATE_TEST_SUITE_P(
    BuildModel, RemarkTest,
    testing::Values(
        Told{"point_mass", [](Description& d) { d.links[1].inertial->inertia.setZero(); },
             Remark::Kind::kPointMass, "link 'thigh'", "mass 2 kg and a zero inertia tensor"},
        Told{"triangle", [](Description& d) { d.links[1].inertial->inertia(2, 2) = 0.1; },
             Remark::Kind::kTriangleInequality, "link 'thigh'",
             "principal moments 0.03 0.03 0.1 kg m² break the triangle inequality"},
        Told{"triangle_of_one_moment",
             [](Description& d) {
               d.links[1].inertial->inertia.diagonal() << -1.28198e-22, 2.22045e-22, 3e-6;
             },
             Remark::Kind::kTriangleInequality, "link 'thigh'", "principal moments 0 0 3e-06 kg"},
        Told{"point_mass_but_for_rounding",
             [](Description& d) {
               auto& I = d.links[1].inertial->inertia;
               I.setZero();
               I(0, 2) = I(2, 0) = 2.40741e-35;
             },
             Remark::Kind::kPointMass, "link 'thigh'", "a point mass"},
        Told{"missing", [](Description& d) { d.links[1].inertial.reset(); },
             Remark::Kind::kInertiaMissing, "link 'thigh'", "has no <inertial>"},
        Told{"lumped", [](Description& d) { d.joints[1].type = JointType::kFixed; },
             Remark::Kind::kLumped, "link 'shin'",
             "is fixed by joint 'knee' and lumped into link 'thigh'"},
        Told{"tensor_without_mass", [](Description& d) { d.links[1].inertial->mass = 0; },
             Remark::Kind::kTriangleInequality, "link 'thigh'",
             "has an inertia tensor but no mass"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(BuildModel, SaysNothingAboutASoundRobot) {
  std::vector<Remark> remarks;
  ASSERT_TRUE(build_model(leg(), {}, &remarks));
  EXPECT_TRUE(remarks.empty());
}

// A thin rod whose tensor was turned and printed with the six digits of %g: moments of 0.1, 0.1 and nothing, to rounding.
TEST(BuildModel, TakesInertiasThatSixDigitsAllow) {
  std::mt19937 random(20022);
  std::normal_distribution<double> normal;
  const auto printed = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return std::stod(text);
  };
  int below_zero = 0;
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3d axis =
        Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
    const Eigen::Matrix3d I = 0.1 * (Eigen::Matrix3d::Identity() - axis * axis.transpose());
    Description robot = leg();
    robot.links[1].inertial->inertia = I.unaryExpr(printed);
    const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                                robot.links[1].inertial->inertia)
                                .eigenvalues()[0];
    below_zero += smallest < -1e-9;
    std::vector<Remark> remarks;
    ASSERT_TRUE(build_model(robot, {}, &remarks)) << smallest;
    EXPECT_TRUE(remarks.empty()) << remarks.front().text;
  }
  EXPECT_GT(below_zero, 50);  // so rounding was there
}

// What moves must be physical; a link that is fixed to it need not be.
TEST(BuildModel, TellsOfAFlawThatIsLumped) {
  for (const bool mass : {false, true}) {
    Description robot = leg();
    robot.joints[1].type = JointType::kFixed;
    InertialDescription& shin = *robot.links[2].inertial;
    if (mass) {
      shin.mass = -0.001;
    } else {
      shin.inertia << 2.371e-8, 6.119e-8, 1.179e-8, 6.119e-8, 2.833e-8, 7.74e-9, 1.179e-8, 7.74e-9,
          3.849e-8;
    }
    std::vector<Remark> remarks;
    ASSERT_TRUE(build_model(robot, {}, &remarks));
    const auto told = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
      return remark.kind == Remark::Kind::kTriangleInequality;
    });
    ASSERT_NE(told, remarks.end());
    EXPECT_EQ(told->element, "link 'shin'");
    EXPECT_NE(told->text.find(mass ? "its mass is -0.001 kg" : "negative principal moment -3.5"),
              std::string::npos)
        << told->text;
  }
}

// An end of a chain needs inertia only where its joint lets it move.
TEST(BuildModel, TakesEndsThatHaveInertiaWhereTheyMove) {
  const auto accepted = [](const LinkDescription& end, JointType type, double armature = 0) {
    Description robot = leg();
    robot.links.push_back(end);
    robot.joints.push_back(joint("ankle", type, "shin", end.name, {0, 0, -0.4}, {0, 1, 0}));
    robot.joints.back().armature = armature;
    return static_cast<bool>(build_model(robot));
  };
  const LinkDescription rod = link("end", 1, {0.1, 0, 0}, {0, 0.1, 0.1});  // thin, along x
  EXPECT_TRUE(accepted(rod, JointType::kPlanar));
  EXPECT_FALSE(accepted(rod, JointType::kFloating));  // nothing resists a spin about x
  EXPECT_TRUE(accepted(link("end", 1, {0.1, 0, 0}, {0, 0, 0}), JointType::kRevolute));
  EXPECT_TRUE(accepted(link("end", 1, {0, 0.1, 0}, {0, 0, 0}), JointType::kPrismatic));
  EXPECT_TRUE(accepted(link("end", 0, {0, 0, 0}, {0.1, 0.1, 0.1}), JointType::kBall));
  EXPECT_FALSE(accepted({"end", std::nullopt}, JointType::kContinuous));
  EXPECT_TRUE(accepted({"end", std::nullopt}, JointType::kContinuous, 0.01));
}

// Joints that move no inertia get the armature that was asked for, and no other joint does.
TEST(BuildModel, GivesAnArmatureToJointsThatMoveNoInertia) {
  for (const JointType type : {JointType::kRevolute, JointType::kPrismatic, JointType::kBall}) {
    Description robot = leg();
    robot.joints[0].armature = 1e-7;
    robot.links.push_back({"finger", std::nullopt});
    robot.joints.push_back(joint("grip", type, "shin", "finger", {0, 0, -0.4}, {0, 1, 0}));
    ASSERT_FALSE(build_model(robot));
    BuildOptions options;
    options.min_armature = 2e-5;
    std::vector<Remark> remarks;
    const auto model = build_model(robot, options, &remarks);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->joints[find_joint(*model, "hip")].armature, 1e-7);
    EXPECT_EQ(model->joints[find_joint(*model, "knee")].armature, 0);
    EXPECT_EQ(model->joints[find_joint(*model, "grip")].armature, 2e-5);
    const auto told = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
      return remark.kind == Remark::Kind::kLenient;
    });
    ASSERT_NE(told, remarks.end());
    EXPECT_EQ(told->element, "joint 'grip'");
    EXPECT_NE(told->text.find("2e-05 kg"), std::string::npos);
  }
}

// Only the direction of an axis counts, even where its square is too large for a number.
TEST(BuildModel, TakesAxesOfAnyLength) {
  const Model expected = *build_model(leg());
  for (const double length : {1e-6, 3.0, 1e200}) {
    Description robot = leg();
    for (JointDescription& joint : robot.joints) joint.axis *= length;
    const Model model = *build_model(robot);
    for (int i = 1; i < 3; ++i) {
      EXPECT_LT(distance(model.joints[i].X_PN, expected.joints[i].X_PN), 1e-15);
    }
  }
}

// Files round: a moment that is negative by rounding alone, and a flat plate on the edge of the inequality, pass.
TEST(BuildModel, ForgivesRounding) {
  Description robot = leg();
  robot.links[1].inertial->inertia = Eigen::Vector3d(0.03, 0.03, -1e-12).asDiagonal();
  EXPECT_TRUE(build_model(robot));
  robot.links[1].inertial->inertia = Eigen::Vector3d(0.01, 0.02, 0.03).asDiagonal();
  std::vector<Remark> remarks;
  EXPECT_TRUE(build_model(robot, {}, &remarks));
  EXPECT_TRUE(remarks.empty());
}

}  // namespace
}  // namespace stance
