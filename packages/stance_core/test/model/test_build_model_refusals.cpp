// Every refusal of build_model: its code, the element it names, and a phrase of the sentence that says what to do.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "stance_core/model/build_model.hpp"
#include "support/small_robots.hpp"

namespace stance {
namespace {

using namespace test;

struct Refusal {
  const char* name;
  std::function<void(Description&)> spoil;
  ErrorCode code;
  std::string element;
  std::string phrase;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class RefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, NamesTheElementAndSaysWhatToDo) {
  const Refusal& refusal = GetParam();
  Description robot = leg();
  ASSERT_TRUE(build_model(robot));
  refusal.spoil(robot);
  const auto result = build_model(robot);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, refusal.code);
  EXPECT_EQ(result.error().element, refusal.element);
  EXPECT_NE(result.error().message.find(refusal.phrase), std::string::npos)
      << result.error().text();
}

std::string name_of(const testing::TestParamInfo<Refusal>& row) { return row.param.name; }

using D = Description;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr JointType kFixed = JointType::kFixed, kBall = JointType::kBall,
                    kPlanar = JointType::kPlanar, kRevolute = JointType::kRevolute;
const std::string kLong(kMaxNameLength + 1, 'n');

// the third link becomes the end of a chain behind a joint of its own
void add_end(D& d, const LinkDescription& end, JointType type, const Eigen::Vector3d& axis) {
  d.links.push_back(end);
  d.joints.push_back(joint("ankle", type, "shin", end.name, {0, 0, -0.4}, axis));
}

INSTANTIATE_TEST_SUITE_P(
    Structure, RefusalTest,
    testing::Values(
        Refusal{"no_links", [](D& d) { d.links.clear(), d.joints.clear(); }, ErrorCode::kStructure,
                "robot 'leg'", "has no link; give it at least one <link>"},
        Refusal{"duplicate_link", [](D& d) { d.links.push_back(d.links[1]); },
                ErrorCode::kStructure, "link 'thigh'", "is defined twice; rename one"},
        Refusal{"duplicate_joint", [](D& d) { d.joints[1].name = "hip"; }, ErrorCode::kStructure,
                "joint 'hip'", "is defined twice; rename one"},
        Refusal{"unnamed_link", [](D& d) { d.links[1].name = ""; }, ErrorCode::kStructure,
                "link ''", "has no name; give it one"},
        Refusal{"unnamed_joint", [](D& d) { d.joints[1].name = ""; }, ErrorCode::kStructure,
                "joint ''", "has no name; give it one"},
        Refusal{"unknown_parent", [](D& d) { d.joints[1].parent = "thgh"; }, ErrorCode::kStructure,
                "joint 'knee'", "its parent link 'thgh' does not exist"},
        Refusal{"unknown_child", [](D& d) { d.joints[1].child = "foot"; }, ErrorCode::kStructure,
                "joint 'knee'", "its child link 'foot' does not exist"},
        Refusal{"two_roots", [](D& d) { d.joints.pop_back(); }, ErrorCode::kStructure,
                "robot 'leg'", "has 2 root links, 'trunk' and 'shin' among them"},
        Refusal{"cycle_of_all_links",
                [](D& d) { d.joints.push_back(joint("back", kRevolute, "shin", "trunk")); },
                ErrorCode::kStructure, "robot 'leg'", "has no root: every link is the child"},
        Refusal{"detached_cycle",
                [](D& d) {
                  d.links.push_back(link("left", 1, {0, 0, 0}, {1, 1, 1}));
                  d.links.push_back(link("right", 1, {0, 0, 0}, {1, 1, 1}));
                  d.joints.push_back(joint("over", kRevolute, "left", "right"));
                  d.joints.push_back(joint("back", kRevolute, "right", "left"));
                },
                ErrorCode::kStructure, "link 'left'",
                "is part of a cycle of joints that never reaches the root link 'trunk'"},
        Refusal{"self_joint", [](D& d) { d.joints[1].parent = "shin"; }, ErrorCode::kStructure,
                "joint 'knee'", "connects link 'shin' to itself"},
        Refusal{"child_of_two",
                [](D& d) { d.joints.push_back(joint("rod", kRevolute, "trunk", "shin")); },
                ErrorCode::kStructure, "link 'shin'", "the child of two joints, 'knee' and 'rod'"},
        Refusal{"long_link_name", [](D& d) { d.links[2].name = d.joints[1].child = kLong; },
                ErrorCode::kCapacity, "link '" + kLong + "'",
                "has " + std::to_string(kLong.size()) + " characters, and " +
                    std::to_string(kMaxNameLength) + " fit"},
        Refusal{"long_robot_name", [](D& d) { d.name = kLong; }, ErrorCode::kCapacity,
                "robot '" + kLong + "'", "shorten it"},
        Refusal{"long_joint_name", [](D& d) { d.joints[1].name = kLong; }, ErrorCode::kCapacity,
                "joint '" + kLong + "'", "shorten it"}),
    name_of);

Refusal not_finite_link(const char* name, const std::function<void(InertialDescription&)>& spoil) {
  return {name, [spoil](D& d) { spoil(*d.links[1].inertial); }, ErrorCode::kValue, "link 'thigh'",
          "its <inertial> has a number that is not finite"};
}
Refusal not_finite_joint(const char* name, const std::function<void(JointDescription&)>& spoil) {
  return {name, [spoil](D& d) { spoil(d.joints[1]); }, ErrorCode::kValue, "joint 'knee'",
          "has a number that is not finite"};
}

using Inertial = InertialDescription;
using Articulation = JointDescription;
INSTANTIATE_TEST_SUITE_P(
    NotFinite, RefusalTest,
    testing::Values(
        not_finite_link("mass", [](Inertial& b) { b.mass = kNaN; }),
        not_finite_link("infinite_mass", [](Inertial& b) { b.mass = kInfinity; }),
        not_finite_link("center", [](Inertial& b) { b.center.y() = kNaN; }),
        not_finite_link("rotation", [](Inertial& b) { b.rotation(1, 2) = kNaN; }),
        not_finite_link("inertia", [](Inertial& b) { b.inertia(0, 1) = -kInfinity; }),
        not_finite_joint("origin", [](Articulation& j) { j.origin.translation().z() = kNaN; }),
        not_finite_joint("orientation", [](Articulation& j) { j.origin.linear()(0, 0) = kNaN; }),
        not_finite_joint("axis", [](Articulation& j) { j.axis.x() = kInfinity; }),
        not_finite_joint("lower", [](Articulation& j) { j.limits.lower = -kInfinity; }),
        not_finite_joint("upper", [](Articulation& j) { j.limits.upper = kNaN; }),
        not_finite_joint("velocity", [](Articulation& j) { j.limits.velocity = kNaN; }),
        not_finite_joint("effort", [](Articulation& j) { j.limits.effort = kInfinity; }),
        not_finite_joint("damping", [](Articulation& j) { j.damping = kNaN; }),
        not_finite_joint("friction", [](Articulation& j) { j.friction = kNaN; }),
        not_finite_joint("armature", [](Articulation& j) { j.armature = kNaN; }),
        not_finite_joint("mimic_multiplier",
                         [](Articulation& j) {
                           j.mimic = MimicDescription{"hip", kNaN, 0};
                         }),
        not_finite_joint("mimic_offset",
                         [](Articulation& j) {
                           j.mimic = MimicDescription{"hip", 1, kInfinity};
                         })),
    name_of);

Refusal negative(const char* name, const std::function<void(JointDescription&)>& spoil,
                 const char* phrase) {
  return {name, [spoil](D& d) { spoil(d.joints[0]); }, ErrorCode::kValue, "joint 'hip'", phrase};
}

INSTANTIATE_TEST_SUITE_P(
    Values, RefusalTest,
    testing::Values(
        Refusal{"zero_axis", [](D& d) { d.joints[0].axis.setZero(); }, ErrorCode::kValue,
                "joint 'hip'", "its axis is 0 0 0, which points nowhere; give a direction"},
        Refusal{"zero_normal_of_a_plane",
                [](D& d) { d.joints[0].type = kPlanar, d.joints[0].axis.setZero(); },
                ErrorCode::kValue, "joint 'hip'", "points nowhere"},
        Refusal{"lower_above_upper",
                [](D& d) { d.joints[0].limits.lower = 0.5, d.joints[0].limits.upper = -0.25; },
                ErrorCode::kLimits, "joint 'hip'",
                "its lower limit 0.5 is above its upper limit -0.25; exchange them"},
        negative(
            "negative_velocity", [](Articulation& j) { j.limits.velocity = -1; },
            "its velocity limit is -1; it must be zero or positive"),
        negative(
            "negative_effort", [](Articulation& j) { j.limits.effort = -2; },
            "its effort limit is -2"),
        negative(
            "negative_damping", [](Articulation& j) { j.damping = -0.1; }, "its damping is -0.1"),
        negative(
            "negative_friction", [](Articulation& j) { j.friction = -0.1; },
            "its friction is -0.1"),
        negative(
            "negative_armature", [](Articulation& j) { j.armature = -0.1; },
            "its armature is -0.1"),
        Refusal{"armature_on_planar",
                [](D& d) { d.joints[0].type = kPlanar, d.joints[0].armature = 0.1; },
                ErrorCode::kUnsupported, "joint 'hip'", "has an armature, which only"},
        Refusal{"armature_on_fixed",
                [](D& d) { d.joints[0].type = kFixed, d.joints[0].armature = 0.1; },
                ErrorCode::kUnsupported, "joint 'hip'", "remove it"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Inertia, RefusalTest,
    testing::Values(
        Refusal{"negative_mass", [](D& d) { d.links[1].inertial->mass = -2; }, ErrorCode::kInertia,
                "link 'thigh'", "its mass is -2 kg; a mass is zero or positive"},
        Refusal{"negative_moment", [](D& d) { d.links[1].inertial->inertia(2, 2) = -0.01; },
                ErrorCode::kInertia, "link 'thigh'", "the negative principal moment -0.01 kg m²"},
        Refusal{"negative_moment_by_product",
                [](D& d) {
                  auto& I = d.links[1].inertial->inertia;
                  I(0, 1) = I(1, 0) = 0.1;
                },
                ErrorCode::kInertia, "link 'thigh'", "the negative principal moment -0.07 kg m²"},
        Refusal{"negative_moment_beyond_rounding",
                [](D& d) { d.links[1].inertial->inertia.diagonal() << 0.03, 0.03, -1e-6; },
                ErrorCode::kInertia, "link 'thigh'", "the negative principal moment -1e-06 kg m²"},
        Refusal{
            "negative_moment_of_the_whole",
            [](D& d) {
              d.joints[1].type = kFixed;
              d.links[2].inertial->inertia(1, 1) = -100;
            },
            ErrorCode::kInertia, "link 'thigh'",
            "kg m²; no body has that, so check ixx … izz of link 'shin', which is fixed there,"},
        Refusal{"negative_mass_of_the_whole",
                [](D& d) {
                  d.joints[1].type = kFixed;
                  d.links[2].inertial->mass = -5;
                },
                ErrorCode::kInertia, "link 'thigh'",
                "its mass with what is lumped into it is -3 kg; a mass is zero or positive"},
        Refusal{"masses_that_cancel",
                [](D& d) {
                  d.joints[1].type = kFixed;
                  d.links[2].inertial->mass = -2;
                },
                ErrorCode::kInertia, "link 'thigh'", "check the mass of link 'shin'"},
        Refusal{"not_finite_when_lumped", [](D& d) { d.links[1].inertial->center.x() = 1e200; },
                ErrorCode::kInertia, "link 'thigh'", "a mass or a distance is far too large"},
        Refusal{"massless_end",
                [](D& d) {
                  add_end(d, {"foot", std::nullopt}, kRevolute, {0, 1, 0});
                },
                ErrorCode::kInertia, "link 'foot'",
                "joint 'ankle' moves no inertia in this direction"},
        Refusal{"massless_behind_a_slide",
                [](D& d) {
                  add_end(d, {"foot", std::nullopt}, JointType::kPrismatic, {0, 1, 0});
                },
                ErrorCode::kInertia, "link 'foot'", "declare an armature"},
        Refusal{"mass_on_the_axis",
                [](D& d) {
                  add_end(d, link("foot", 1, {0, 2, 0}, {0, 0, 0}), kRevolute, {0, 1, 0});
                },
                ErrorCode::kInertia, "link 'foot'", "lie on its axis"},
        Refusal{"point_mass_in_a_ball",
                [](D& d) {
                  add_end(d, link("foot", 1, {0, 2, 0}, {0, 0, 0}), kBall, {0, 1, 0});
                },
                ErrorCode::kInertia, "link 'foot'", "moves no inertia"},
        Refusal{"point_mass_on_a_plane",
                [](D& d) {
                  add_end(d, link("foot", 1, {2, 0, 0}, {0, 0, 0}), kPlanar, {0, 1, 0});
                },
                ErrorCode::kInertia, "link 'foot'", "moves no inertia"},
        Refusal{
            "tensor_without_mass_floating",
            [](D& d) {
              add_end(d, link("foot", 0, {0, 0, 0}, {1, 1, 1}), JointType::kFloating, {0, 1, 0});
            },
            ErrorCode::kInertia, "link 'foot'", "moves no inertia"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Mimic, RefusalTest,
    testing::Values(Refusal{"missing_leader",
                            [](D& d) {
                              d.joints[1].mimic = MimicDescription{"hp", 1, 0};
                            },
                            ErrorCode::kMimic, "joint 'knee'",
                            "mimics joint 'hp', which does not exist; correct the name"},
                    Refusal{"itself",
                            [](D& d) {
                              d.joints[1].mimic = MimicDescription{"knee", 1, 0};
                            },
                            ErrorCode::kMimic, "joint 'knee'", "its <mimic> comes back to itself"},
                    Refusal{"cycle",
                            [](D& d) {
                              d.joints[0].mimic = MimicDescription{"knee", 1, 0};
                              d.joints[1].mimic = MimicDescription{"hip", 1, 0};
                            },
                            ErrorCode::kMimic, "joint 'hip'",
                            "let one joint of the cycle move on its own"},
                    Refusal{"of_a_ball",
                            [](D& d) {
                              d.joints[0].type = kBall;
                              d.joints[1].mimic = MimicDescription{"hip", 1, 0};
                            },
                            ErrorCode::kMimic, "joint 'knee'",
                            "mimics joint 'hip', which is not revolute, continuous or prismatic"},
                    Refusal{"on_planar",
                            [](D& d) {
                              d.joints[1].type = kPlanar;
                              d.joints[1].mimic = MimicDescription{"hip", 1, 0};
                            },
                            ErrorCode::kUnsupported, "joint 'knee'",
                            "mimics another joint, which only"}),
    name_of);

// A star of `count` links on the trunk, each behind a joint of this type.
void add_star(D& d, int count, JointType type, bool mimic = false) {
  for (int i = 0; i < count; ++i) {
    const std::string tip = "tip" + std::to_string(i);
    d.links.push_back(link(tip, 1, {0.1, 0, 0}, {0.1, 0.1, 0.1}));
    d.joints.push_back(joint("to_" + tip, type, "trunk", tip));
    if (mimic) d.joints.back().mimic = MimicDescription{"hip", 1, 0};
  }
}
// "has N … and this build holds M; raise SETTING"
std::string numbers(int count, const char* what, int room, const char* setting) {
  return "has " + std::to_string(count) + " " + what + " and this build holds " +
         std::to_string(room) + "; raise " + setting + " in colcon.meta and build again";
}

INSTANTIATE_TEST_SUITE_P(
    Capacity, RefusalTest,
    testing::Values(
        Refusal{"bodies", [](D& d) { add_star(d, kMaxBodies - 2, kRevolute); },
                ErrorCode::kCapacity, "robot 'leg'",
                numbers(kMaxBodies + 1, "moving bodies", kMaxBodies, "STANCE_MAX_BODIES")},
        Refusal{
            "dofs", [](D& d) { add_star(d, (kMaxDofs - 8) / 6 + 1, JointType::kFloating); },
            ErrorCode::kCapacity, "robot 'leg'",
            numbers(8 + 6 * ((kMaxDofs - 8) / 6 + 1), "degrees of freedom (six of them the base's)",
                    kMaxDofs, "STANCE_MAX_DOFS")},
        Refusal{"frames", [](D& d) { add_star(d, kMaxFrames - 2, kFixed); }, ErrorCode::kCapacity,
                "robot 'leg'", numbers(kMaxFrames + 1, "links", kMaxFrames, "STANCE_MAX_FRAMES")},
        Refusal{"mimics", [](D& d) { add_star(d, kMaxMimics + 1, kRevolute, true); },
                ErrorCode::kCapacity, "robot 'leg'",
                numbers(kMaxMimics + 1, "mimic joints", kMaxMimics, "STANCE_MAX_MIMICS")}),
    name_of);

// What just fits is taken.
TEST(Capacity, HoldsExactlyAsMuchAsItSays) {
  Description bodies = leg(), frames = leg(), mimics = leg();
  add_star(bodies, kMaxBodies - 3, kRevolute);
  add_star(frames, kMaxFrames - 3, kFixed);
  add_star(mimics, kMaxMimics, kRevolute, true);
  EXPECT_EQ(build_model(bodies)->body_count, kMaxBodies);
  EXPECT_EQ(build_model(frames)->frame_count, kMaxFrames);
  EXPECT_EQ(build_model(mimics)->mimic_count, kMaxMimics);
  EXPECT_TRUE(build_model(mimics, {.mimic = false}));
}

}  // namespace
}  // namespace stance
