// Faults of the structure and of the physics, as a user meets them: text in, the error of build_model out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

struct Broken {
  const char* name;
  const char* from;
  const char* to;
  ErrorCode code;
  const char* element;
  const char* part;
};
std::ostream& operator<<(std::ostream& out, const Broken& broken) { return out << broken.name; }

class BuildRefusalTest : public testing::TestWithParam<Broken> {};

TEST_P(BuildRefusalTest, NamesTheElementAndSaysWhatToDo) {
  const Broken& broken = GetParam();
  testing::internal::CaptureStderr();
  const auto result = make_robot(sample_with(broken.from, broken.to));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, broken.code);
  EXPECT_EQ(result.error().element, broken.element);
  EXPECT_NE(result.error().message.find(broken.part), std::string::npos) << result.error().message;
}

constexpr auto kStructure = ErrorCode::kStructure;
constexpr auto kValue = ErrorCode::kValue;
constexpr auto kInertia = ErrorCode::kInertia;
constexpr auto kUnsupported = ErrorCode::kUnsupported;

INSTANTIATE_TEST_SUITE_P(
    Structure, BuildRefusalTest,
    testing::Values(
        Broken{"two_roots", "</robot>", "<link name=\"spare\"/></robot>", kStructure,
               "robot 'sample'", "has 2 root links, 'trunk' and 'spare'"},
        Broken{"cycle", "</robot>",
               "<link name='a'/><link name='b'/>"
               "<joint name='ab' type='fixed'><parent link='a'/><child link='b'/></joint>"
               "<joint name='ba' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
               kStructure, "link 'a'", "cycle"},
        Broken{"no_root", "</robot>",
               "<joint name='back' type='fixed'><parent link='shin'/><child "
               "link='trunk'/></joint></robot>",
               kStructure, "robot 'sample'",
               "has no root: every link is the child of a joint, so the joints form a cycle"},
        Broken{"self", "<child link=\"thigh\"/>", "<child link=\"trunk\"/>", kStructure,
               "joint 'hip'", "to itself"},
        Broken{"child_of_two", "</robot>",
               "<joint name='rod' type='fixed'><parent link='trunk'/><child "
               "link='shin'/></joint></robot>",
               kStructure, "link 'shin'", "child of two joints, 'knee' and 'rod'"},
        Broken{"unknown_parent", "<parent link=\"trunk\"/>", "<parent link=\"trnk\"/>", kStructure,
               "joint 'hip'", "its parent link 'trnk' does not exist"},
        Broken{"unknown_child", "<child link=\"shin\"/>", "<child link=\"foot\"/>", kStructure,
               "joint 'knee'", "its child link 'foot' does not exist"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Physics, BuildRefusalTest,
    testing::Values(
        Broken{"zero_axis", "\"0 1 0\"", "\"0 0 0\"", kValue, "joint 'hip'",
               "axis is 0 0 0, which points nowhere; give a direction such as \"0 1 0\""},
        Broken{"tiny_axis", "\"0 1 0\"", "\"0 1e-300 0\"", kValue, "joint 'hip'", "points nowhere"},
        Broken{"negative_mass", "value=\"5\"", "value=\"-5\"", kInertia, "link 'trunk'",
               "mass is -5 kg"},
        Broken{"negative_moment", "ixx=\"0.3\"", "ixx=\"-0.3\"", kInertia, "link 'trunk'",
               "negative principal moment -0.3"},
        Broken{"negative_moment_off_diagonal", "ixy=\"0.001\"", "ixy=\"1\"", kInertia,
               "link 'thigh'", "negative principal moment"},
        Broken{"massless_end",
               "<inertial>\n      <mass value=\"1\"/>\n      <inertia ixx=\"0.01\" ixy=\"0\" "
               "ixz=\"0\" iyy=\"0.01\" "
               "iyz=\"0\" izz=\"0.01\"/>\n    </inertial>",
               "", kInertia, "link 'shin'", "joint 'knee' moves no inertia"},
        Broken{"limits_swapped", "lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\"",
               ErrorCode::kLimits, "joint 'hip'", "lower limit 1 is above its upper limit -1"},
        Broken{"negative_effort", "effort=\"20\"", "effort=\"-20\"", kValue, "joint 'hip'",
               "effort limit is -20"},
        Broken{"negative_velocity", "velocity=\"8\"", "velocity=\"-8\"", kValue, "joint 'hip'",
               "velocity limit is -8"},
        Broken{"negative_damping", "damping=\"0.5\"", "damping=\"-0.5\"", kValue, "joint 'hip'",
               "damping is -0.5"},
        Broken{"negative_friction", "friction=\"0.25\"", "friction=\"-1\"", kValue, "joint 'hip'",
               "friction is -1"},
        Broken{"negative_armature", "armature=\"0.01\"", "armature=\"-1\"", kValue, "joint 'hip'",
               "armature is -1"},
        Broken{"armature_of_planar", "type=\"revolute\"", "type=\"planar\"", kUnsupported,
               "joint 'hip'", "armature"},
        Broken{"mimic_missing", "<mimic joint=\"hip\"", "<mimic joint=\"hop\"", ErrorCode::kMimic,
               "joint 'knee'", "mimics joint 'hop', which does not exist"},
        Broken{"mimic_self", "<mimic joint=\"hip\"", "<mimic joint=\"knee\"", ErrorCode::kMimic,
               "joint 'knee'", "comes back to itself"},
        Broken{"mimic_cycle", "<stance", "<mimic joint=\"knee\"/><stance", ErrorCode::kMimic,
               "joint 'hip'", "comes back to itself"}),
    [](const auto& row) { return std::string(row.param.name); });

// A chain of links behind joints of one type. Each moves the next.
std::string chain(int joints, std::string_view type, std::string_view inside = "") {
  const std::string_view link =
      "<link name='l{}'><inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>";
  std::string xml = "<robot name='chain'>" + fmt::format(fmt::runtime(link), 0);
  for (int i = 1; i <= joints; ++i) {
    xml += fmt::format(fmt::runtime(link), i);
    xml += fmt::format(
        "<joint name='j{}' type='{}'><parent link='l{}'/><child link='l{}'/><axis xyz='0 1 "
        "0'/>{}</joint>",
        i, type, i - 1, i, i == 1 ? "" : inside);
  }
  return xml + "</robot>";
}

void expect_capacity_error(const std::string& xml, const std::string& numbers,
                           const std::string& setting) {
  const auto result = make_robot(xml);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCapacity);
  EXPECT_EQ(result.error().element, "robot 'chain'");
  EXPECT_NE(result.error().message.find(numbers), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find(setting), std::string::npos) << result.error().message;
}

TEST(Capacity, AFullRobotLoadsAndOneMoreBodyIsRefused) {
  EXPECT_TRUE(make_robot(chain(kMaxBodies - 1, "continuous")));
  expect_capacity_error(
      chain(kMaxBodies, "continuous"),
      fmt::format("has {} moving bodies and this build holds {}", kMaxBodies + 1, kMaxBodies),
      "STANCE_MAX_BODIES");
}

TEST(Capacity, TooManyDegreesOfFreedom) {
  const int joints = kMaxDofs / 6;  // and the six of the base
  if (joints >= kMaxBodies) GTEST_SKIP() << "this build runs out of bodies first";
  expect_capacity_error(chain(joints, "floating"), std::to_string(kMaxDofs), "STANCE_MAX_DOFS");
}

TEST(Capacity, TooManyLinks) {
  expect_capacity_error(chain(kMaxFrames, "fixed"), fmt::format("has {} links", kMaxFrames + 1),
                        "STANCE_MAX_FRAMES");
}

TEST(Capacity, TooManyMimics) {
  if (kMaxMimics + 2 > kMaxBodies) GTEST_SKIP() << "this build runs out of bodies first";
  expect_capacity_error(chain(kMaxMimics + 2, "continuous", "<mimic joint='j1'/>"),
                        std::to_string(kMaxMimics), "STANCE_MAX_MIMICS");
}

TEST(Capacity, AVeryLongChainIsRefusedWithoutExhaustingTheStack) {
  expect_capacity_error(chain(10'000, "continuous"), "10001 moving bodies", "STANCE_MAX_BODIES");
}

TEST(Capacity, ANameThatIsTooLong) {
  const std::string name(kMaxNameLength + 1, 'n');
  const auto result = make_robot("<robot name='r'><link name='" + name + "'/></robot>");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCapacity);
  EXPECT_EQ(result.error().element, "link '" + name + "'");
}

TEST(Capacity, ARobotWithoutLinks) {
  const auto result = make_robot("<robot name='ghost'/>");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, kStructure);
  EXPECT_EQ(result.error().element, "robot 'ghost'");
}

}  // namespace
}  // namespace stance
