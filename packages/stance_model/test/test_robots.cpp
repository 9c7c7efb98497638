// Whole robots: our own, and third-party ones.
#include <gtest/gtest.h>

#include <string>

#include "robot_folders.hpp"
#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/parse_urdf.hpp"
#include "urdfdom_agreement.hpp"

namespace stance {
namespace {

void expect_loads_as_urdfdom_reads_it(const std::filesystem::path& path) {
  SCOPED_TRACE(path.filename().string());
  const auto robot = load_robot(path);
  ASSERT_TRUE(robot) << robot.error().text();
  const auto text = read_robot_file(path);
  ASSERT_TRUE(text);
  expect_urdfdom_agrees(*text, (*robot)->description);
  EXPECT_EQ((*robot)->model.frame_count, static_cast<int>((*robot)->description.links.size()));
}

TEST(Robots, TheSample) { expect_urdfdom_agrees(kSampleRobot, *parse_urdf(kSampleRobot)); }

TEST(Robots, OurOwn) {
  const auto files = urdf_files(own_folder());
  EXPECT_GE(files.size(), 7U) << "none in " << own_folder();
  for (const auto& file : files) expect_loads_as_urdfdom_reads_it(file);
}

TEST(Robots, OurOwnSizesAndMasses) {
  struct Row {
    const char* file;
    int bodies;
    double mass;
  };
  for (const Row& row : {Row{"compass", 3, 4}, Row{"biped", 13, 38.4}, Row{"quadruped", 13, 22.64},
                         Row{"humanoid_34", 29, 64.4}, Row{"humanoid_48", 43, 66.5}}) {
    const auto robot = load_robot(own_folder() / (std::string(row.file) + ".urdf"));
    ASSERT_TRUE(robot) << robot.error().text();
    const Model& model = (*robot)->model;
    double mass = 0;
    for (int i = 0; i < model.body_count; ++i)
      mass += model.bodies[static_cast<std::size_t>(i)].I.m;
    EXPECT_EQ(model.body_count, row.bodies) << row.file;
    EXPECT_NEAR(mass, row.mass, 1e-9) << row.file;
  }
}

TEST(Robots, ThirdParty) {
  const auto files = urdf_files(shared_robots_folder());
  if (files.empty()) {
    GTEST_SKIP() << "no robots in " << shared_robots_folder()
                 << "; set STANCE_SHARED to the folder that has robots/";
  }
  for (const auto& file : files) expect_loads_as_urdfdom_reads_it(file);
}

}  // namespace
}  // namespace stance
