// What --lenient takes: each fault is refused without it by a sentence that says what it would do, and with it the robot
// loads, the load report lists it, and the robot is the one that the fault obviously meant.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

const Joint& joint_of(const Model& model, const char* name) {
  return model.joints[find_joint(model, name)];
}

// The sample robot, loaded strictly, after a change that mends the fault by hand.
Model sample(const char* from, const char* to) {
  return (*make_robot(sample_with(from, to)))->model;
}

struct Fault {
  const char* name;
  const char* from;
  const char* to;
  const char* element;
  const char* refusal;  // part of it, without --lenient
  const char* meaning;  // what --lenient does, in both
  std::function<bool(const Model&)> is_meant;
};
std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }

class LenientTest : public testing::TestWithParam<Fault> {};

TEST_P(LenientTest, IsRefusedWithoutAndTakenAndToldWith) {
  const Fault& fault = GetParam();
  const std::string xml = sample_with(fault.from, fault.to);
  const auto strict = make_robot(xml);
  ASSERT_FALSE(strict);
  EXPECT_NE(strict.error().text().find(fault.refusal), std::string::npos) << strict.error().text();
  EXPECT_NE(strict.error().text().find(
                std::string(", or load it with --lenient (lenient: yes), which ") + fault.meaning),
            std::string::npos)
      << strict.error().text();

  LoadOptions options;
  options.lenient = true;
  const auto robot = make_robot(xml, options);
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_TRUE(fault.is_meant((*robot)->model));
  int told = 0;
  for (const Remark& remark : (*robot)->remarks) {
    if (remark.kind != Remark::Kind::kLenient || remark.element == "urdfdom") continue;
    EXPECT_EQ(remark.element, fault.element);
    EXPECT_NE(remark.text.find(fault.refusal), std::string::npos) << remark.text;
    EXPECT_NE(remark.text.find(std::string("; --lenient ") + fault.meaning), std::string::npos)
        << remark.text;
    ++told;
  }
  EXPECT_EQ(told, 1);
}

constexpr const char* kTensor =
    "<inertia ixx=\"0.3\" ixy=\"0\" ixz=\"0\" iyy=\"0.4\" iyz=\"0\" izz=\"0.5\"/>";
constexpr const char* kHipLimit = "<limit lower=\"-1\" upper=\"1\" effort=\"20\" velocity=\"8\"/>";

#define WRIST(type)                                                              \
  "<link name='hand'><inertial><mass value='1'/>"                                \
  "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>" \
  "<joint name='wrist' type='" type "'><parent link='shin'/><child link='hand'/></joint></robot>"
constexpr const char* kBall = WRIST("ball");
constexpr const char* kSpherical = WRIST("spherical");
#undef WRIST

bool has_ball(const Model& model) {
  return model.body_count == 4 && joint_of(model, "wrist").kind == JointKind::kBall;
}
bool is_unlimited(const Model& model) {
  const Limits& limits = joint_of(model, "hip").limits;
  return limits.lower == -kNone && limits.upper == kNone && limits.effort == kNone &&
         limits.velocity == kNone;
}
bool is_sample(const Model& model) {
  const Model whole = sample("sample", "sample");
  return model.body_count == 3 && model.bodies[0].I.m == whole.bodies[0].I.m &&
         model.bodies[0].I.I.eigen() == whole.bodies[0].I.I.eigen() &&
         joint_of(model, "hip").X_PN.R.eigen() == joint_of(whole, "hip").X_PN.R.eigen();
}

INSTANTIATE_TEST_SUITE_P(
    All, LenientTest,
    testing::Values(
        Fault{"no_inertia", kTensor, "", "link 'trunk'", "there is no <inertia> in it",
              "takes a point mass",
              [](const Model& model) {
                return model.bodies[0].I.m == 5 && model.bodies[0].I.h.z == 0.5 &&
                       model.bodies[0].I.I.xx == 5 * 0.1 * 0.1 && model.bodies[0].I.I.zz == 0;
              }},
        Fault{"no_mass", "<mass value=\"5\"/>", "", "link 'trunk'", "there is no <mass> in it",
              "leaves the <inertial> out, as the ROS tools do",
              [](const Model& model) {
                return model.bodies[0].I.m == 0 && model.bodies[0].I.I.xx == 0;
              }},
        Fault{"no_product", " ixy=\"0\"", "", "link 'trunk'", "the attribute 'ixy' is missing",
              "takes 0", is_sample},
        Fault{"two_inertials", "</link>", "<inertial><mass value='9'/></inertial></link>",
              "link 'trunk'", "line 9: this is the second <inertial>, the first is in line 4",
              "keeps the first, as the ROS tools do", is_sample},
        Fault{"two_axes", "<limit", "<axis xyz='1 0 0'/><limit", "joint 'hip'",
              "this is the second <axis>", "keeps the first", is_sample},
        Fault{"no_limit", kHipLimit, "", "joint 'hip'", "a revolute joint needs <limit",
              "takes no limit", is_unlimited},
        Fault{"no_effort_limit", "effort=\"20\" ", "", "joint 'hip'",
              "the attribute 'effort' is missing", "takes no limit",
              [](const Model& model) {
                const Limits& limits = joint_of(model, "hip").limits;
                return limits.effort == kNone && limits.velocity == 8 && limits.upper == 1;
              }},
        Fault{"negative_velocity_limit", "velocity=\"8\"", "velocity=\"-1\"", "joint 'hip'",
              "its velocity limit is -1", "takes no limit",
              [](const Model& model) {
                const Limits& limits = joint_of(model, "hip").limits;
                return limits.effort == 20 && limits.velocity == kNone;
              }},
        Fault{"no_name", "<robot name=\"sample\">", "<robot>", "robot",
              "the attribute 'name' is missing", "names the robot 'robot', as its file",
              [](const Model& model) { return model.name.view() == "robot"; }},
        Fault{"empty_name", "<robot name=\"sample\">", "<robot name=\" \">", "robot",
              "the attribute 'name' is empty", "names the robot 'robot', as its file",
              [](const Model& model) { return model.name.view() == "robot"; }},
        Fault{"text_before", "<?xml", "made by hand\n<?xml", "<robot>",
              "line 1: something stands before the <?xml?> declaration", "leaves it out",
              is_sample},
        Fault{"comments_before", "<?xml", "\n<!-- made --><!-- by <?xml ?> hand -->\n<?xml",
              "<robot>", "line 2: something stands before the <?xml?> declaration", "leaves it out",
              is_sample},
        Fault{"ball", "</robot>", kBall, "joint 'wrist'", "URDF has no ball joint",
              "takes a ball joint", has_ball},
        Fault{"spherical", "</robot>", kSpherical, "joint 'wrist'", "URDF has no ball joint",
              "takes a ball joint", has_ball},
        Fault{"world", "</robot>",
              "<joint name='weld' type='fixed'><parent link='world'/><child link='trunk'/>"
              "<origin xyz='0 0 2'/></joint></robot>",
              "joint 'weld'", "its parent link 'world' does not exist",
              "adds the link, without inertia",
              [](const Model& model) {
                return model.body_count == 3 && model.frames[0].name.view() == "world" &&
                       model.bodies[0].I.m == 5 && model.bodies[0].I.h.z == 5 * 2.1;
              }},
        Fault{"mimic_of_nothing", "<mimic joint=\"hip\"", "<mimic joint=\"hipp\"", "joint 'knee'",
              "mimics joint 'hipp', which does not exist", "lets it move on its own",
              [](const Model& model) { return model.mimic_count == 0 && model.body_count == 3; }},
        Fault{"macro", "</robot>", "<xacro:leg/></robot>", "robot 'sample'",
              "this xacro element was not expanded", "leaves it out, as the ROS tools do",
              is_sample}),
    [](const auto& row) { return std::string(row.param.name); });

// Many at once, each told once; and what has no obvious meaning is refused as ever.
TEST(Lenient, IsNotBlind) {
  LoadOptions options;
  options.lenient = true;
  std::string many = sample_with(kTensor, "");
  many.replace(many.find(" name=\"sample\""), 14, "");
  many.replace(many.find(kHipLimit), std::string_view(kHipLimit).size(), "");
  const auto robot = make_robot(many, options);
  ASSERT_TRUE(robot) << robot.error().text();
  int told = 0;
  for (const Remark& remark : (*robot)->remarks)
    told += remark.kind == Remark::Kind::kLenient && remark.element != "urdfdom";
  EXPECT_EQ(told, 3);

  const std::pair<const char*, const char*> unclear[] = {
      {"izz=\"0.5\"", ""},                                       // which moment?
      {"lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\""},  // exchanged, or none?
      {"value=\"5\"", "value=\"-5\""},
      {"<parent link=\"trunk\"", "<parent link=\"trnk\""},
      {"type=\"revolute\"", "type=\"screw\""},
      {"<parent link=\"trunk\"/>", ""},
      {"xyz=\"0 1 0\"", "xyz=\"0 1\""},
      {"name=\"thigh\"", "name=\"trunk\""},
      {"</robot>", "</robot><robot name='b'/>"},
  };
  for (const auto& [from, to] : unclear) {
    const auto refused = make_robot(sample_with(from, to), options);
    ASSERT_FALSE(refused) << to;
    EXPECT_EQ(refused.error().text().find("--lenient"), std::string::npos)
        << refused.error().text();
  }
}

// What urdfdom refuses in elements that we do not use is told.
TEST(Lenient, DoesNotAskTheParserOfTheRosTools) {
  LoadOptions options;
  options.lenient = true;
  const auto robot = make_robot(sample_with("<axis", "<safety_controller/><axis"), options);
  ASSERT_TRUE(robot) << robot.error().text();
  bool told = false;
  for (const Remark& remark : (*robot)->remarks)
    told |= remark.kind == Remark::Kind::kLenient && remark.element == "urdfdom";
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace stance
