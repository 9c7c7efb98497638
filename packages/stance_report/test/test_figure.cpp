#include "stance_report/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stance_core/model/build_model.hpp"

namespace stance {
namespace {

// A base of 3 kg and, hinged to it about y, a rod with 1 kg at 2 m below the hinge, where its foot is.
std::unique_ptr<Model> pendulum() {
  Description robot;
  robot.name = "pendulum";
  const auto mass = [](double kg, double z) {
    InertialDescription inertial;
    inertial.mass = kg;
    inertial.center = {0, 0, z};
    return inertial;
  };
  robot.links = {{"base", mass(3, 0)}, {"rod", mass(1, -2)}, {"foot", std::nullopt}};
  JointDescription hinge, end;
  hinge.name = "hinge", hinge.parent = "base", hinge.child = "rod";
  hinge.type = JointType::kContinuous;
  hinge.axis = Eigen::Vector3d::UnitY();
  end.name = "end", end.parent = "rod", end.child = "foot";
  end.origin.translation() = Eigen::Vector3d(0, 0, -2);
  robot.joints = {hinge, end};
  return std::make_unique<Model>(*build_model(robot));
}

void expect_near(const Vec3<double>& a, const Vec3<double>& b) { EXPECT_LT(norm(a - b), 1e-14); }

TEST(Figure, PlacesLinksAndCenterOfMass) {
  const auto model = pendulum();
  const FrameId foot = find_frame(*model, "foot");
  Figure figure(*model);
  expect_near(figure.pose(foot).p, {0, 0, -2});
  expect_near(figure.center_of_mass(), {0, 0, -0.5});
  // a quarter turn about y swings the rod to -x, and the base's quarter turn about z from there to -y
  ASSERT_TRUE(figure.set_joint("hinge", M_PI / 2));
  expect_near(figure.pose(foot).p, {-2, 0, 0});
  figure.set_base({5, 6, 7}, {0, 0, std::sqrt(0.5), std::sqrt(0.5)});
  expect_near(figure.pose(foot).p, {5, 4, 7});
  expect_near(figure.center_of_mass(), {5, 5.5, 7});
  EXPECT_FALSE(figure.set_joint("end", 1)) << "fixed";
  EXPECT_FALSE(figure.set_joint("knee", 1));
  expect_near(figure.pose(foot).p, {5, 4, 7});
}

TEST(Figure, DrawsArrows) {
  const Arrow arrow = arrow_at({1, 1, 0}, {0, 3, 4}, 0.1);
  EXPECT_EQ(arrow.tail, (Vec3<double>{1, 1, 0}));
  expect_near(arrow.head, {1, 1.3, 0.4});
  EXPECT_DOUBLE_EQ(arrow.shaft, 0.03);
  EXPECT_DOUBLE_EQ(arrow.tip, 0.06);
  expect_near(arrow_at({}, {0, 30, 40}, 0.1, 1).head, {0, 0.6, 0.8});  // not longer than this
  EXPECT_DOUBLE_EQ(arrow_at({}, {0, 0, 1e-3}, 0.1).shaft, 0.005);      // still seen
  EXPECT_EQ(arrow_at({1, 2, 3}, {}, 0.1).head, (Vec3<double>{1, 2, 3}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(arrow_at({1, 2, 3}, {0, 0, nan}, 0.1).head, (Vec3<double>{1, 2, 3}));
}

TEST(Figure, Fades) {
  EXPECT_EQ(fading(0, 2), 1);
  EXPECT_EQ(fading(0.5, 2), 0.75);
  EXPECT_EQ(fading(3, 2), 0);
  EXPECT_EQ(fading(-1, 2), 1);
  EXPECT_EQ(fading(1, 0), 0);
}

}  // namespace
}  // namespace stance
