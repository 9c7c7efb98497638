// Every fault of the text that is refused: its code, the element it names, and what it says. Faults of the physics
// are in test_build_refusals.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/parse_urdf.hpp"

namespace stance {
namespace {

struct Refused {
  const char* name;
  const char* from;
  const char* to;
  ErrorCode code;
  const char* element;
  const char* part;
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.name; }

class RefusalTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusalTest, NamesTheElementAndSaysWhatToDo) {
  const Refused& refused = GetParam();
  const auto result = parse_urdf(sample_with(refused.from, refused.to));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, refused.code);
  EXPECT_EQ(result.error().element, refused.element);
  EXPECT_NE(result.error().message.find(refused.part), std::string::npos) << result.error().message;
}

constexpr auto kSyntax = ErrorCode::kSyntax;
constexpr auto kStructure = ErrorCode::kStructure;
constexpr auto kValue = ErrorCode::kValue;
constexpr auto kUnsupported = ErrorCode::kUnsupported;

INSTANTIATE_TEST_SUITE_P(
    Xml, RefusalTest,
    testing::Values(
        Refused{"end_tag_missing", "</link>", "", kSyntax, "", "not closed"},
        Refused{"attribute_unquoted", "value=\"5\"", "value=5", kSyntax, "",
                "line 6: an attribute is malformed"},
        Refused{"attribute_twice", "<mass ", "<mass value=\"1\" ", kSyntax, "", "line 6"},
        Refused{"comment_open", "</robot>", "<!-- </robot>", kSyntax, "",
                "line 39: this comment does not end"},
        Refused{"second_root", "</robot>", "</robot>\n<robot name='b'/>", kSyntax, "",
                "line 40: <robot> stands after the end of <robot>"},
        Refused{"text_after", "</robot>", "</robot> and more", kSyntax, "",
                "text outside the root element"},
        Refused{"end_tag_too_many", "</robot>", "</robot></robot><link name='lost'/>", kSyntax, "",
                "an end tag too many"},
        Refused{"late_declaration", "<link", "<?xml version='1.0'?><link", kSyntax, "",
                "declaration"},
        Refused{"wrong_root", "<robot name=\"sample\">", "<robot name=\"sample\"/><!--", kSyntax,
                "", "line"},
        Refused{"not_utf8", "sample", "r\xE9", kSyntax, "", "line 2: the byte 0xE9 is not UTF-8"},
        Refused{"control_character", "sample", "r\x01", kSyntax, "", "line 2: the byte 0x01"},
        Refused{"xacro_element", "<link", "<xacro:leg/><link", kSyntax, "robot 'sample'",
                "<xacro:leg> in line 3: this xacro element was not expanded; run xacro"},
        Refused{"bare_ampersand", "\"thigh\"", "\"th&igh\"", kSyntax, "",
                "line 10: an & stands alone; write &amp; for it"},
        Refused{"unknown_entity", "\"thigh\"", "\"th&nbsp;igh\"", kSyntax, "",
                "line 10: an & stands alone"},
        Refused{"reference_to_zero", "\"thigh\"", "\"th&#0;igh\"", kSyntax, "",
                "line 10: &#0; is not a character; remove it"},
        Refused{"reference_to_escape", "\"thigh\"", "\"th&#27;[31m\"", kSyntax, "",
                "&#27; is not a character"},
        Refused{"reference_to_surrogate", "\"thigh\"", "\"th&#xD800;\"", kSyntax, "",
                "&#xD800; is not a character"},
        Refused{"reference_beyond", "\"thigh\"", "\"th&#x110000;\"", kSyntax, "",
                "&#x110000; is not a character"},
        Refused{"version", "<robot ", "<robot version=\"2.0\" ", kUnsupported, "robot",
                "version 2.0"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Numbers, RefusalTest,
    testing::Values(
        Refused{"nan", "\"5\"", "\"nan\"", kValue, "link 'trunk'",
                "<mass> in line 6: value has 'nan', which is not finite"},
        Refused{"inf", "\"0.3\"", "\"-inf\"", kValue, "link 'trunk'",
                "ixx has '-inf', which is not finite"},
        Refused{"huge", "\"5\"", "\"1e999\"", kValue, "link 'trunk'",
                "'1e999', which no double can hold"},
        Refused{"small", "\"5\"", "\"1e-999\"", kValue, "link 'trunk'",
                "'1e-999', which no double can hold; give 0, or a number from 1e-300 to 1e300"},
        Refused{"absurd", "\"5\"", "\"1e51\"", kValue, "link 'trunk'",
                "'1e51', which no robot has; check it and its unit"},
        Refused{"word", "\"5\"", "\"heavy\"", kValue, "link 'trunk'",
                "'heavy', which is not a number"},
        Refused{"comma", "\"0.3\"", "\"0,3\"", kValue, "link 'trunk'",
                "'0,3', which is not a number"},
        Refused{"unit", "\"20\"", "\"20Nm\"", kValue, "joint 'hip'", "effort has '20Nm'"},
        Refused{"hex", "\"20\"", "\"0x14\"", kValue, "joint 'hip'",
                "'0x14', which is not a number"},
        Refused{"two_signs", "\"20\"", "\"+-20\"", kValue, "joint 'hip'",
                "'+-20', which is not a number"},
        Refused{"empty", "\"20\"", "\"\"", kValue, "joint 'hip'",
                "effort has '', which is not a number"},
        Refused{"two_for_one", "\"20\"", "\"20 30\"", kValue, "joint 'hip'",
                "'20 30', which is not a number"},
        Refused{"xacro_expression", "\"5\"", "\"${m}\"", kValue, "link 'trunk'",
                "xacro expression"},
        Refused{"two_of_three", "\"0 1 0\"", "\"0 1\"", kValue, "joint 'hip'",
                "<axis> in line 26: xyz has '0 1', which is 2 numbers where three are needed"},
        Refused{"commas", "\"0 1 0\"", "\"0,1,0\"", kValue, "joint 'hip'",
                "xyz has '0,1,0', which is 1 number where three are needed"},
        Refused{"four_of_three", "\"0 0.1 -0.2\"", "\"0 0.1 -0.2 0\"", kValue, "joint 'hip'",
                "4 numbers"},
        Refused{"none_of_three", "\"0 1 0\"", "\"\"", kValue, "joint 'hip'", "0 numbers"},
        Refused{"nan_in_vector", "\"0.1 0.2 0.3\"", "\"0.1 nan 0.3\"", kValue, "joint 'hip'",
                "<origin> in line 25: rpy has 'nan', which is not finite"},
        Refused{"multiplier", "multiplier=\"2\"", "multiplier=\"inf\"", kValue, "joint 'knee'",
                "not finite"},
        Refused{"damping", "damping=\"0.5\"", "damping=\"x\"", kValue, "joint 'hip'",
                "damping has 'x'"},
        Refused{"armature", "armature=\"0.01\"", "armature=\"nan\"", kValue, "joint 'hip'",
                "not finite"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Elements, RefusalTest,
    testing::Values(
        Refused{"robot_unnamed", " name=\"sample\"", "", kStructure, "robot",
                "<robot> in line 2: the attribute 'name' is missing"},
        Refused{"link_unnamed", "<link name=\"thigh\">", "<link>", kStructure, "link",
                "<link> in line 10: the attribute 'name' is missing"},
        Refused{"link_empty_name", "\"thigh\"", "\" \"", kStructure, "link",
                "the attribute 'name' is empty"},
        Refused{"link_name_broken", "\"thigh\"", "\"thi&#10;gh\"", kValue, "link",
                "<link> in line 10: the attribute 'name' holds a line break, a tab or a control"},
        Refused{"joint_name_tab", "\"hip\"", "\"h\tip\"", kValue, "joint",
                "<joint> in line 22: the attribute 'name' holds a line break"},
        Refused{"robot_name_control", "\"sample\"", "\"sa\xC2\x9Bmple\"", kValue, "robot",
                "control character; remove it"},
        Refused{"joint_unnamed", "name=\"hip\"", "", kStructure, "joint",
                "<joint> in line 22: the attribute 'name' is missing"},
        Refused{"joint_untyped", " type=\"revolute\"", "", kStructure, "joint 'hip'",
                "the attribute 'type' is missing"},
        Refused{"link_twice", "name=\"shin\"", "name=\"thigh\"", kStructure, "link 'thigh'",
                "<link> in line 16: the name is taken by the one in line 10; rename one"},
        Refused{"joint_twice", "name=\"knee\"", "name=\"hip\"", kStructure, "joint 'hip'",
                "<joint> in line 31: the name is taken by the one in line 22"},
        Refused{"joint_type", "\"revolute\"", "\"hinge\"", kUnsupported, "joint 'hip'",
                "type 'hinge' is unknown; use revolute"},
        Refused{"joint_type_ball", "\"revolute\"", "\"ball\"", kUnsupported, "joint 'hip'",
                "put <stance type=\"ball\"/> inside"},
        Refused{"no_parent", "<parent link=\"trunk\"/>", "", kStructure, "joint 'hip'",
                "there is no <parent> in it; add <parent link"},
        Refused{"no_child", "<child link=\"thigh\"/>", "", kStructure, "joint 'hip'",
                "there is no <child> in it"},
        Refused{"parent_empty", "<parent link=\"trunk\"/>", "<parent/>", kStructure, "joint 'hip'",
                "<parent> in line 23: the attribute 'link' is missing"},
        Refused{"two_parents", "<parent", "<parent link=\"shin\"/><parent", kStructure,
                "joint 'hip'", "the second <parent>"},
        Refused{"two_axes", "<axis", "<axis xyz=\"1 0 0\"/><axis", kStructure, "joint 'hip'",
                "this is the second <axis>, the first is in line 26; keep one"},
        Refused{"two_inertials", "<inertial>", "<inertial/><inertial>", kStructure, "link 'trunk'",
                "the second <inertial>"},
        Refused{"two_masses", "<mass", "<mass value=\"1\"/><mass", kStructure, "link 'trunk'",
                "the second <mass>"},
        Refused{"two_origins", "<origin", "<origin/><origin", kStructure, "link 'trunk'",
                "the second <origin>"},
        Refused{"two_limits", "<limit", "<limit/><limit", kStructure, "joint 'hip'",
                "the second <limit>"},
        Refused{"axis_empty", "<axis xyz=\"0 1 0\"/>", "<axis/>", kStructure, "joint 'hip'",
                "the attribute 'xyz' is missing"},
        Refused{"no_limit", "<limit lower=\"-1\" upper=\"1\" effort=\"20\" velocity=\"8\"/>", "",
                kStructure, "joint 'hip'", "a revolute joint needs <limit"},
        Refused{"no_effort", "effort=\"20\"", "", kStructure, "joint 'hip'",
                "the attribute 'effort' is missing"},
        Refused{"no_velocity", "velocity=\"8\"", "", kStructure, "joint 'hip'",
                "the attribute 'velocity' is missing"},
        Refused{"mimic_of_nothing", "joint=\"hip\" ", "", kStructure, "joint 'knee'",
                "<mimic> in line 37: the attribute 'joint' is missing"},
        Refused{"no_mass", "<mass value=\"5\"/>", "", kStructure, "link 'trunk'",
                "there is no <mass> in it"},
        Refused{"mass_empty", "<mass value=\"5\"/>", "<mass/>", kStructure, "link 'trunk'",
                "the attribute 'value' is missing"},
        Refused{"no_inertia",
                "<inertia ixx=\"0.3\" ixy=\"0\" ixz=\"0\" iyy=\"0.4\" iyz=\"0\" izz=\"0.5\"/>", "",
                kStructure, "link 'trunk'", "all zero for a point mass"},
        Refused{"no_iyz", "iyz=\"0\" ", "", kStructure, "link 'trunk'",
                "<inertia> in line 7: the attribute 'iyz' is missing"},
        Refused{"quaternion", "<origin ", "<origin quat_xyzw=\"0 0 0 1\" ", kUnsupported,
                "link 'trunk'", "give the rotation as rpy"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Extension, RefusalTest,
    testing::Values(Refused{"attribute", "armature=\"0.01\"", "rotor=\"0.01\"", kUnsupported,
                            "joint 'hip'",
                            "unknown attribute 'rotor' of <stance> in line 29; it takes"},
                    Refused{"child", "<stance armature=\"0.01\"/>", "<stance><ball/></stance>",
                            kUnsupported, "joint 'hip'", "unknown element <ball>"},
                    Refused{"type", "<stance ", "<stance type=\"screw\" ", kUnsupported,
                            "joint 'hip'", "type 'screw' is unknown; \"ball\" is the only one"},
                    Refused{"ball_on_revolute", "<stance ", "<stance type=\"ball\" ", kUnsupported,
                            "joint 'hip'", "is for floating joints, and this one is revolute"},
                    Refused{"twice", "<stance ", "<stance/><stance ", kStructure, "joint 'hip'",
                            "the second <stance>"},
                    Refused{"in_link", "</link>", "<stance armature=\"1\"/></link>", kStructure,
                            "link 'trunk'", "belongs inside a <joint>"},
                    Refused{"in_robot", "</robot>", "<stance/></robot>", kStructure,
                            "robot 'sample'", "belongs inside a <joint>"},
                    Refused{"fixed", "type=\"revolute\"", "type=\"fixed\"", kUnsupported,
                            "joint 'hip'", "a fixed joint has no drive"}),
    [](const auto& row) { return std::string(row.param.name); });

void expect_refused(std::string_view xml, ErrorCode code, const std::string& part) {
  const auto result = parse_urdf(xml);
  ASSERT_FALSE(result) << xml.substr(0, 80);
  EXPECT_EQ(result.error().code, code);
  EXPECT_NE(result.error().text().find(part), std::string::npos) << result.error().text();
}

TEST(Refusals, WhatIsNotXml) {
  expect_refused("", kSyntax, "is empty");
  expect_refused(" \n\t", kSyntax, "is empty");
  expect_refused("hello", kSyntax, "line 1: there is text outside the root element");
  expect_refused("robot:\n  name: yaml\n", kSyntax, "line 1");
  expect_refused("<?xml version='1.0'?>", kSyntax, "holds no element");
  expect_refused("</robot>", kSyntax, "an end tag too many");
  expect_refused("<", kSyntax, "line 1");
  expect_refused(std::string_view("<robot name='a\0b'/>", 19), kSyntax, "line 1: the byte 0x00");
  expect_refused("\xFF\xFE<\0r\0", kSyntax, "is UTF-16 text; save it as UTF-8");
  expect_refused("\x7F\x45LF\x02\x01\x01", kSyntax, "not a URDF file");
  expect_refused("<robot name='\xED\xA0\x80'/>", kSyntax, "0xED");      // a surrogate
  expect_refused("<robot name='\xC0\xAF'/>", kSyntax, "0xC0");          // overlong
  expect_refused("<robot name='\xF5\x80\x80\x80'/>", kSyntax, "0xF5");  // beyond Unicode
  expect_refused("<robot name='\xE2\x82", kSyntax, "0xE2");             // cut inside a character
}

TEST(Refusals, WhatIsNotARobot) {
  expect_refused("<html><body/></html>", kSyntax,
                 "<html> in line 1: a URDF file begins with <robot");
  expect_refused("<sdf version='1.6'><model/></sdf>", kUnsupported, "this is an SDF file");
}

TEST(Refusals, NestingWithoutEnd) {
  std::string deep = "<robot name='deep'>";
  for (int i = 0; i < 400'000; ++i) deep += "<a>";
  expect_refused(deep, kSyntax, "nested too deeply");
}

TEST(Refusals, AttributesWithoutEnd) {
  // with blanks, with what looks like the end of the tag, and behind a quote that is none
  for (const char* value : {"=''", " = \"\"", "=\n''", "='<'", "='>'", "='<!--'"}) {
    for (const char* before : {"", "<?xml ' ?>", "<!-- ' -->", "<!DOCTYPE ' >"}) {
      std::string wide = std::string(before) + "<robot name='wide'>\n<link name='a'";
      for (int i = 0; i < 300'000; ++i) wide += " a" + std::to_string(i) + value;
      expect_refused(wide + "/></robot>", kSyntax, "an element has more than 1000 attributes");
    }
  }
  std::string few = "<robot name='r' ";
  for (int i = 0; i < 999; ++i) few.append("a").append(std::to_string(i)).append("='' ");
  EXPECT_TRUE(parse_urdf(few + "><!-- '' '' --><link name='b'/></robot>"));
}

TEST(Refusals, PartsWithoutEnd) {
  std::string many = "<robot name='many'>\n<link name='a'>";
  for (int i = 0; i < 2'000'000; ++i) many += "<a/>";
  expect_refused(many + "</link></robot>", kSyntax,
                 "line 2: there are more than 500000 tags and attributes");
}

// What is not used is counted, and told in a few words however much it is.
TEST(Refusals, RemarksWithoutEnd) {
  std::string many = "<robot name='many'>\n<link name='a'";
  for (int i = 0; i < 900; ++i) many += " a" + std::to_string(i) + "=''";
  many += ">";
  for (int i = 0; i < 100'000; ++i) many += "<a/>x<b" + std::to_string(i) + "/>";
  const auto robot = parse_urdf(many + "</link></robot>");
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_LT(robot->remarks.size(), 250U);
  const auto told = [&](const std::string& part) {
    return std::any_of(robot->remarks.begin(), robot->remarks.end(), [&](const Remark& remark) {
      return remark.text.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(told("unknown element <a> in line 2, 100000 of them"));
  EXPECT_TRUE(told("unknown elements of still other names, 99901 of them"));
  EXPECT_TRUE(told("and 800 more of <link> in line 2"));
  EXPECT_TRUE(told("text in <link> in 99900 more places"));
}

TEST(Refusals, EntitiesThatGrow) {
  expect_refused("<!DOCTYPE r [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>",
                 kSyntax, "text outside the root element");
}

TEST(Refusals, CutOffAnywhere) {
  const std::string whole(kSampleRobot.substr(0, kSampleRobot.find_last_of('>') + 1));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto result = parse_urdf(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(result) << "accepted " << length << " of " << whole.size() << " bytes";
    ASSERT_EQ(result.error().code, kSyntax) << length;
  }
  expect_refused(std::string_view(whole).substr(0, whole.size() / 2), kSyntax,
                 "there is no </robot>, so the file looks cut off");
}

TEST(Refusals, LongTextIsCutInTheMessage) {
  const auto result = parse_urdf(
      sample_with("\"0.3\"", "\"" + std::string(1'000'000, '7') + "x\""));
  ASSERT_FALSE(result);
  EXPECT_LT(result.error().message.size(), 250U);
  const auto named = parse_urdf(sample_with("\"thigh\"", "\"" + std::string(100'000, 'x') + "\""));
  ASSERT_FALSE(named);
  EXPECT_LT(named.error().text().size(), 250U);
  EXPECT_NE(named.error().message.find("the attribute 'name' has 100000 characters"),
            std::string::npos);
}

TEST(Refusals, WhatUrdfdomRefusesThoughWeReadIt) {
  // no k_velocity: a fault in an element that we do not use
  const auto result = make_robot(sample_with("<axis", "<safety_controller/><axis"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, kUnsupported);
  EXPECT_NE(
      result.error().message.find(
          "urdfdom, the parser of the ROS tools, refuses this file: joint safety: no k_velocity"),
      std::string::npos)
      << result.error().message;
}

}  // namespace
}  // namespace stance
