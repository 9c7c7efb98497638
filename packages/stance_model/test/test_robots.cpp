// Whole robots: our own, and third-party ones.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
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

// The table in urdf/README.md: | `file` | bodies | joints | mass | ...
TEST(Robots, OurOwnAreAsTheirReadmeSays) {
  std::ifstream readme(own_folder() / "README.md");
  int rows = 0;
  for (std::string line; std::getline(readme, line);) {
    char file[64];
    int bodies = 0, joints = 0;
    double mass = 0;
    if (std::sscanf(line.c_str(), "| `%63[^`]` | %d | %d | %lf |", file, &bodies, &joints, &mass) !=
        4) {
      continue;
    }
    ++rows;
    const auto robot = load_robot(own_folder() / file);
    ASSERT_TRUE(robot) << robot.error().text();
    const Model& model = (*robot)->model;
    double total = 0;
    for (int i = 0; i < model.body_count; ++i)
      total += model.bodies[static_cast<std::size_t>(i)].I.m;
    EXPECT_EQ(model.body_count, bodies) << file;
    EXPECT_EQ(model.dof_count - 6, joints) << file;  // one degree of freedom each
    EXPECT_NEAR(total, mass, 1e-9) << file;          // the sum of decimal numbers
  }
  EXPECT_GE(rows, 7);
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
