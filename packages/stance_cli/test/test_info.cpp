#include "info.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "sample_robots.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

std::unique_ptr<Robot> robot(const std::string& urdf) {
  auto made = make_robot(urdf);
  if (!made) {
    ADD_FAILURE() << made.error().text();
    return nullptr;
  }
  return std::move(*made);
}

void expect_line(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find(line + "\n"), std::string::npos) << "no line '" << line << "' in\n" << text;
}

TEST(Info, TellsWhatTheRobotIs) {
  const auto text = info_text(*robot(sample::leg()), "leg.urdf", false);
  expect_line(text, "Robot 'leg' from leg.urdf");
  expect_line(text, "  root link           trunk");
  expect_line(text, "  links               4, which make 3 bodies");
  expect_line(text, "  joints              2 that move, 1 fixed");
  expect_line(text, "  degrees of freedom  2 in the joints, 8 with a free base");
  expect_line(text, "  total mass          8 kg");
  expect_line(text, "  joint  lower  upper  velocity  effort  damping  friction  armature");
  expect_line(text, "  hip       -2    2.5         8      60      0.7       0.1         -");
  expect_line(text, "  body   parent  mass    x      y    z");
  expect_line(text, "  thigh  trunk      2  0.1  -0.05  0.2");
  expect_line(text, "  lumped into the parent (1)");
}

TEST(Info, CenterOfMassIsThatOfTheParts) {
  // one link: its own centre
  const auto one = robot("<robot name='one'>" + sample::link("only") + "</robot>");
  EXPECT_EQ(robot_facts(one->model).center, (Vec3<double>{0.1, -0.05, 0.2}));
  // two links on a slider along z: the mean of both centres, weighted
  const auto two = robot(
      "<robot name='two'>" + sample::link("a", 3) + sample::link("b", 1) +
      "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><origin xyz='0 0 4'/>"
      "<axis xyz='0 0 1'/><limit lower='0' upper='1' velocity='1' effort='1'/></joint></robot>");
  const auto center = robot_facts(two->model).center;
  EXPECT_NEAR(center.x, 0.1, 1e-15);
  EXPECT_NEAR(center.z, 0.2 + 4.0 / 4, 1e-15);
}

TEST(Info, TellsMimicJoints) {
  const auto leg = robot(sample::mimic_leg());
  const auto text = info_text(*leg, "leg.urdf", false);
  expect_line(
      text,
      "  degrees of freedom  2 in the joints, 8 with a free base; 1 independent, 1 follow (mimic)");
  expect_line(text, "  knee   revolute  thigh   shank  -2 x hip +0.1");
  EXPECT_NE(info_json(*leg, "leg.urdf").find("\"multiplier\": -2"), std::string::npos);
}

TEST(Info, SaysThatARootWithoutMassCannotFloat) {
  const auto text = info_text(*robot(sample::grounded()), "g.urdf", false);
  expect_line(text, "  root link           ground (no mass: this robot needs --fixed-base)");
}

TEST(Info, FoldsLongLists) {
  std::string urdf = "<robot name='many'>" + sample::link("trunk");
  for (int i = 0; i < 20; ++i) {
    const std::string name = "marker_" + std::to_string(i);
    urdf += "<link name='" + name + "'/>" +
            sample::joint("fix_" + std::to_string(i), "fixed", "trunk", name);
  }
  const auto many = robot(urdf + "</robot>");
  const auto folded = info_text(*many, "many.urdf", false),
             whole = info_text(*many, "many.urdf", true);
  expect_line(folded, "  lumped into the parent (20)");
  expect_line(folded, "    ... and 15 more (--all)");
  EXPECT_EQ(folded.find("marker_19"), std::string::npos);
  EXPECT_NE(whole.find("marker_19"), std::string::npos);
  EXPECT_EQ(whole.find("more (--all)"), std::string::npos);
  EXPECT_NE(info_json(*many, "many.urdf").find("marker_19"), std::string::npos);
}

TEST(Info, FitsThePageWhateverTheNames) {
  const std::string name(60, 'x');
  const auto text = info_text(
      *robot("<robot name='wide'>" + sample::link("a" + name) + sample::link("b" + name) +
             sample::joint("j" + name, "revolute", "a" + name, "b" + name, sample::kLimit) +
             "</robot>"),
      "wide.urdf", true);
  std::istringstream in(text);
  bool tables = false;
  for (std::string line; std::getline(in, line);) {
    tables = tables || line == "Bodies (kg; centre of mass in m, in the frame of the link)";
    if (tables) {
      EXPECT_LE(letters(line), kPageWidth) << line;
    }
  }
  EXPECT_TRUE(tables);
}

}  // namespace
}  // namespace stance
