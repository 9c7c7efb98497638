// What is read, number by number, and what is told about what is not.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/parse_urdf.hpp"

namespace stance {
namespace {

Description parsed(std::string_view xml) {
  auto description = parse_urdf(xml);
  EXPECT_TRUE(description) << description.error().text();
  return description ? *std::move(description) : Description{};
}

TEST(ParseUrdf, ReadsEveryNumber) {
  const Description robot = parsed(kSampleRobot);
  EXPECT_EQ(robot.name, "sample");
  EXPECT_TRUE(robot.remarks.empty()) << robot.remarks.front().text;

  ASSERT_EQ(robot.links.size(), 3U);
  EXPECT_EQ(robot.links[0].name, "trunk");
  EXPECT_EQ(robot.links[0].inertial->center, Eigen::Vector3d(0, 0, 0.1));
  EXPECT_EQ(robot.links[1].inertial->mass, 2);
  Eigen::Matrix3d inertia;
  inertia << 0.03, 0.001, 0.002, 0.001, 0.04, 0.003, 0.002, 0.003, 0.05;
  EXPECT_EQ(robot.links[1].inertial->inertia, inertia);

  ASSERT_EQ(robot.joints.size(), 2U);
  const JointDescription& hip = robot.joints[0];
  EXPECT_EQ(hip.name, "hip");
  EXPECT_EQ(hip.type, JointType::kRevolute);
  EXPECT_EQ(hip.parent, "trunk");
  EXPECT_EQ(hip.child, "thigh");
  EXPECT_EQ(hip.axis, Eigen::Vector3d::UnitY());
  EXPECT_EQ(hip.origin.translation(), Eigen::Vector3d(0, 0.1, -0.2));
  EXPECT_EQ(hip.limits.lower, -1);
  EXPECT_EQ(hip.limits.upper, 1);
  EXPECT_EQ(hip.limits.effort, 20);
  EXPECT_EQ(hip.limits.velocity, 8);
  EXPECT_EQ(hip.damping, 0.5);
  EXPECT_EQ(hip.friction, 0.25);
  EXPECT_EQ(hip.armature, 0.01);
  EXPECT_FALSE(hip.mimic);
  const JointDescription& knee = robot.joints[1];
  ASSERT_TRUE(knee.mimic);
  EXPECT_EQ(knee.mimic->joint, "hip");
  EXPECT_EQ(knee.mimic->multiplier, 2);
  EXPECT_EQ(knee.mimic->offset, 0.5);
}

TEST(ParseUrdf, TurnsRollPitchYawAboutFixedAxes) {
  const Eigen::Matrix3d R = parsed(kSampleRobot).joints[0].origin.linear();
  const Eigen::Matrix3d expected = (Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) *
                                    Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitY()) *
                                    Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()))
                                       .toRotationMatrix();
  EXPECT_LT((R - expected).cwiseAbs().maxCoeff(), 4e-16);  // rounding of a few products
}

TEST(ParseUrdf, ReadsEveryJointType) {
  const std::pair<const char*, JointType> types[] = {
      {"revolute", JointType::kRevolute},   {"continuous", JointType::kContinuous},
      {"prismatic", JointType::kPrismatic}, {"floating", JointType::kFloating},
      {"planar", JointType::kPlanar},       {"fixed", JointType::kFixed}};
  for (const auto& [name, type] : types) {
    std::string text = sample_with("type=\"revolute\"", std::string("type=\"") + name + "\"");
    text.replace(text.find("<stance armature=\"0.01\"/>"), 25, "");
    EXPECT_EQ(parsed(text).joints[0].type, type) << name;
  }
}

TEST(ParseUrdf, ReadsTheBallOfOurExtension) {
  std::string text = sample_with("type=\"revolute\"", "type=\"floating\"");
  text.replace(text.find("<stance "), 8, "<stance type=\"ball\" ");
  const Description robot = parsed(text);
  EXPECT_EQ(robot.joints[0].type, JointType::kBall);
  EXPECT_EQ(robot.joints[0].armature, 0.01);
}

TEST(ParseUrdf, ReadsNumbersAsXmlWritesThem) {
  const std::pair<const char*, double> numbers[] = {
      {"+5", 5}, {"5.", 5}, {".5", 0.5}, {"5e-1", 0.5}, {"5E+1", 50}, {" 5 ", 5}, {"\n5\t", 5}};
  for (const auto& [text, value] : numbers) {
    const auto xml = sample_with("<mass value=\"5\"/>",
                                 std::string("<mass value=\"") + text + "\"/>");
    EXPECT_EQ(parsed(xml).links[0].inertial->mass, value) << text;
  }
}

TEST(ParseUrdf, ReadsTheLargestDoubleAsALimit) {
  const auto xml = sample_with("effort=\"20\"", "effort=\"1.7976931348623157e308\"");
  EXPECT_EQ(parsed(xml).joints[0].limits.effort, std::numeric_limits<double>::max());
}

TEST(ParseUrdf, KeepsAMissingInertialMissing) {
  const Description robot = parsed("<robot name='r'><link name='a'/></robot>");
  EXPECT_FALSE(robot.links[0].inertial);
}

TEST(ParseUrdf, TakesTheDefaultsOfTheSpecification) {
  const Description robot = parsed(
      sample_with("<mimic joint=\"hip\" multiplier=\"2\" offset=\"0.5\"/>",
                  "<mimic joint=\"hip\"/><dynamics/>"));
  EXPECT_EQ(robot.joints[1].mimic->multiplier, 1);
  EXPECT_EQ(robot.joints[1].mimic->offset, 0);
  EXPECT_EQ(robot.joints[1].damping, 0);
  EXPECT_EQ(robot.joints[1].origin.linear(), Eigen::Matrix3d::Identity());
  EXPECT_TRUE(robot.remarks.empty());
}

TEST(ParseUrdf, AcceptsAByteOrderMarkAndCommentsRoundTheRobot) {
  EXPECT_EQ(
      parsed("\xEF\xBB\xBF<!-- a --><robot name='r\xC3\xA9'><link name='a'/></robot><!-- b -->")
          .name,
      "r\xC3\xA9");
}

// ---- told: one remark, and it names the element and the line

struct Told {
  const char* name;
  const char* from;
  const char* to;
  const char* element;
  const char* part;
};
std::ostream& operator<<(std::ostream& out, const Told& told) { return out << told.name; }

class ToldTest : public testing::TestWithParam<Told> {};

TEST_P(ToldTest, IsInTheReport) {
  const Told& told = GetParam();
  const Description robot = parsed(sample_with(told.from, told.to));
  ASSERT_EQ(robot.remarks.size(), 1U);
  const bool defaulted = std::string_view(told.part).find(" taken") != std::string_view::npos;
  EXPECT_EQ(robot.remarks[0].kind, defaulted ? Remark::Kind::kDefaulted : Remark::Kind::kIgnored);
  EXPECT_EQ(robot.remarks[0].element, told.element);
  EXPECT_NE(robot.remarks[0].text.find(told.part), std::string::npos) << robot.remarks[0].text;
}

const char* const kHipAxis = "<axis xyz=\"0 1 0\"/>";
const char* const kHipLimit = "<limit lower=\"-1\" upper=\"1\" effort=\"20\" velocity=\"8\"/>";

INSTANTIATE_TEST_SUITE_P(
    All, ToldTest,
    testing::Values(
        Told{"gazebo", "</robot>", "<gazebo reference='shin'/><gazebo/></robot>", "<gazebo>",
             "2 of them, the first in line 39"},
        Told{"transmission", "</robot>", "<transmission name='t'><x/></transmission></robot>",
             "<transmission>", "1 of them"},
        Told{"ros2_control", "</robot>", "<ros2_control name='c'/></robot>", "<ros2_control>",
             "1 of"},
        Told{"material", "</robot>", "<material name='m'/></robot>", "<material>", "1 of them"},
        Told{"unknown_top", "</robot>", "<loop_joint/></robot>", "<loop_joint>", "1 of them"},
        Told{"visual", "</link>", "<visual/><visual/></link>", "<visual>", "2 of them"},
        Told{"collision", "</link>", "<collision/></link>", "<collision>", "1 of them"},
        Told{"robot_attribute", "<robot ", "<robot model='7' ", "robot 'sample'", "'model'"},
        Told{"robot_text", "</robot>", "stray</robot>", "robot 'sample'",
             "text in <robot> in line"},
        Told{"link_tag", "</link>", "<Inertial/></link>", "link 'trunk'",
             "unknown element <Inertial> in line 9"},
        Told{"link_attribute", "<link name=\"thigh\"", "<link name=\"thigh\" mass=\"3\"",
             "link 'thigh'", "unknown attribute 'mass' of <link> in line 10"},
        Told{"link_attributes", "<link name=\"thigh\"", "<link name=\"thigh\" mass=\"3\" x=\"\"",
             "link 'thigh'", "unknown attributes 'mass', 'x' of <link> in line 10"},
        Told{"link_text", "</link>", "stray</link>", "link 'trunk'", "'stray'"},
        Told{"inertial_tag", "<mass", "<density/><mass", "link 'trunk'", "<density>"},
        Told{"mass_attribute", "<mass value=\"2\"", "<mass value=\"2\" unit=\"kg\"", "link 'thigh'",
             "'unit'"},
        Told{"inertia_attribute", "izz=\"0.05\"", "izz=\"0.05\" iyx=\"1\"", "link 'thigh'",
             "'iyx'"},
        Told{"origin_attribute", "<origin xyz=\"0 0.1 -0.2\"", "<origin xzy=\"0 0.1 -0.2\"",
             "joint 'hip'", "'xzy'"},
        Told{"joint_tag", "<axis", "<hardwareInterface/><axis", "joint 'hip'",
             "<hardwareInterface>"},
        Told{"joint_attribute", "type=\"revolute\"", "type=\"revolute\" kind=\"x\"", "joint 'hip'",
             "'kind'"},
        Told{"parent_attribute", "<parent link=\"trunk\"", "<parent link=\"trunk\" x=\"\"",
             "joint 'hip'", "'x'"},
        Told{"limit_attribute", "effort=\"20\"", "effort=\"20\" jerk=\"1\"", "joint 'hip'",
             "'jerk'"},
        Told{"dynamics_attribute", "damping=", "stiffness=\"1\" damping=", "joint 'hip'",
             "'stiffness'"},
        Told{"mimic_attribute", "<mimic ", "<mimic ratio=\"2\" ", "joint 'knee'", "'ratio'"},
        Told{"calibration", "<axis", "<calibration rising=\"0\"/><axis", "joint 'hip'",
             "<calibration> in line 26 is not used"},
        Told{"safety", "<axis", "<safety_controller k_velocity=\"1\"/><axis", "joint 'hip'",
             "<safety_controller> in line 26 is not used"},
        Told{"no_axis", kHipAxis, "", "joint 'hip'", "no <axis>: 1 0 0 taken"},
        Told{"no_limits", kHipLimit, "<limit effort='1' velocity='1'/>", "joint 'hip'",
             "no lower and no upper limit: 0 taken"},
        Told{"no_lower", "lower=\"-1\" ", "", "joint 'hip'", "no lower limit: 0 taken"},
        Told{"no_upper", "upper=\"1\" ", "", "joint 'hip'", "no upper limit: 0 taken"},
        Told{"stops_of_continuous", "type=\"revolute\"", "type=\"continuous\"", "joint 'hip'",
             "lower and upper limit mean nothing on a continuous joint"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ParseUrdf, TellsWhatMeansNothingOnAFixedJoint) {
  std::string text = sample_with("type=\"revolute\"", "type=\"fixed\"");
  text.replace(text.find("<stance armature=\"0.01\"/>"), 25, "<mimic joint='knee'/>");
  const Description robot = parsed(text);
  ASSERT_EQ(robot.remarks.size(), 1U);
  EXPECT_EQ(robot.remarks[0].element, "joint 'hip'");
  EXPECT_EQ(robot.remarks[0].text,
            "<axis>, <limit>, <dynamics>, <mimic> mean nothing on a fixed joint");
  EXPECT_FALSE(robot.joints[0].mimic);
  EXPECT_EQ(robot.joints[0].damping, 0);
}

// ---- told by the build, and by urdfdom

void expect_told(std::string_view xml, Remark::Kind kind, const std::string& element,
                 const std::string& part) {
  const auto robot = make_robot(xml);
  ASSERT_TRUE(robot) << robot.error().text();
  for (const Remark& remark : (*robot)->remarks) {
    if (remark.kind == kind && remark.element == element &&
        remark.text.find(part) != std::string::npos)
      return;
  }
  ADD_FAILURE() << "no remark on " << element << " with: " << part;
}

TEST(LoadReport, TellsAPointMass) {
  expect_told(sample_with("ixx=\"0.3\" ixy=\"0\" ixz=\"0\" iyy=\"0.4\" iyz=\"0\" izz=\"0.5\"",
                          "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\""),
              Remark::Kind::kPointMass, "link 'trunk'", "point mass");
}

TEST(LoadReport, TellsABrokenTriangleInequality) {
  expect_told(sample_with("ixx=\"0.3\"", "ixx=\"3\""), Remark::Kind::kTriangleInequality,
              "link 'trunk'", "triangle inequality");
}

TEST(LoadReport, TellsAMissingInertial) {
  expect_told(sample_with("</robot>",
                          "<link name='tip'/><joint name='t' type='fixed'><parent link='shin'/>"
                          "<child link='tip'/></joint></robot>"),
              Remark::Kind::kInertiaMissing, "link 'tip'", "no <inertial>");
}

TEST(LoadReport, TellsWhatIsLumped) {
  expect_told(sample_with("</robot>",
                          "<link name='tip'/><joint name='t' type='fixed'><parent link='shin'/>"
                          "<child link='tip'/></joint></robot>"),
              Remark::Kind::kLumped, "link 'tip'", "lumped into link 'shin'");
}

TEST(LoadReport, TellsARootWhoseNameOthersTakeForAWeld) {
  std::string text = sample_with("\"trunk\"", "\"world\"");
  text.replace(text.find("\"trunk\""), 7, "\"world\"");  // the hip's parent
  expect_told(text, Remark::Kind::kIgnored, "link 'world'", "the base is free unless you say");
}

TEST(LoadReport, PassesOnTheRemarksOfTheParser) {
  expect_told(sample_with("</robot>", "<gazebo/></robot>"), Remark::Kind::kIgnored, "<gazebo>",
              "1 of them");
}

TEST(LoadReport, TellsWhatUrdfdomComplainsAboutAndPrintsNothing) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  expect_told(sample_with("</link>", "<visual><geometry><blob/></geometry></visual></link>"),
              Remark::Kind::kIgnored, "urdfdom", "Unknown geometry type 'blob'");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace stance
