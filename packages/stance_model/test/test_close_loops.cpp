// A four-bar that starts open: the nearest pose that closes it, and what is said where that is not asked for or there is none.
#include "stance_model/close_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/model/build_model.hpp"

namespace stance {
namespace {

// Crank, coupler and rocker on a fixed base, all turning about y; the rocker's end is pinned to the base.
struct FourBar {
  Model model;
  Tree tree;
  std::vector<Loop> loops;
  State start;

  explicit FourBar(double rocker = 0.4, double rocker_limit = 3) {
    Description robot;
    robot.name = "four_bar";
    InertialDescription rod;
    rod.mass = 1;
    rod.inertia.diagonal() << 0.01, 0.01, 0.01;
    robot.links.push_back({"base", rod});
    const char* const kNames[] = {"crank", "coupler", "rocker"};
    const double from[] = {0, 0.2, 0.5};
    for (int k = 0; k < 3; ++k) {
      JointDescription joint;
      joint.name = std::string(kNames[k]) + "_hinge";
      joint.type = JointType::kRevolute;
      joint.parent = k == 0 ? "base" : kNames[k - 1];
      joint.child = kNames[k];
      joint.origin.translation() = Eigen::Vector3d(0, 0, k == 0 ? 0 : from[k]);
      joint.axis = Eigen::Vector3d::UnitY();
      joint.limits.lower = -3, joint.limits.upper = k == 2 ? rocker_limit : 3;
      robot.links.push_back({kNames[k], rod});
      robot.joints.push_back(joint);
    }
    model = *build_model(robot);
    Support fixed;
    fixed.kind = JointKind::kFixed;
    tree = make_tree(model, BodyId(0), fixed);
    Loop loop;
    loop.name = "ground_pin";
    loop.closure.kind = ClosureKind::kPin;
    // z of the pin is y of the world
    const Transform<double> about_y{Mat3<double>{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {}};
    loop.closure.a = {BodyId(0), {about_y.R, {0.4, 0, 0}}};
    const Frame& frame = model.frames[find_frame(model, "rocker")];
    loop.closure.b = {frame.body, frame.X_HF * Transform<double>{about_y.R, {0, 0, rocker}}};
    loops.push_back(loop);
    start = neutral_state(model, tree);
    set("crank_hinge", 0.3, 0.5), set("coupler_hinge", 1.2, 0), set("rocker_hinge", 1.4, 0);
  }
  void set(const char* joint, double q, double v) {
    const Joint& j = model.joints[find_joint(model, joint)];
    start.q[j.q_index] = q, start.v[j.v_index] = v;
  }
};

TEST(CloseLoops, NearestClosesToNineDigitsAndStartsMoving) {
  const auto f = std::make_unique<FourBar>();
  const auto closed = close_loops(f->model, f->tree, f->loops, f->start, Assemble::kNearest);
  ASSERT_TRUE(closed) << closed.error().text();
  const auto w = std::make_unique<Workspace>();
  kinematics(f->model, f->tree, *closed, *w);
  const ClosureResidual open = closure_residual(f->tree, *w, f->loops[0].closure);
  EXPECT_LT(open.position, kLoopOpen);
  EXPECT_LT(open.velocity, kLoopOpen);
  const Joint& crank = f->model.joints[find_joint(f->model, "crank_hinge")];
  EXPECT_GT(std::abs(closed->v[crank.v_index]), 0.01);
  // what is closed already is taken as it is
  const auto again = close_loops(f->model, f->tree, f->loops, *closed, Assemble::kAsGiven);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->q, closed->q);
}

TEST(CloseLoops, SayWhatIsOpenAndWhoCouldCloseIt) {
  const auto f = std::make_unique<FourBar>();
  const auto refused = close_loops(f->model, f->tree, f->loops, f->start, Assemble::kAsGiven);
  ASSERT_FALSE(refused);
  const std::string text = refused.error().text();
  EXPECT_NE(text.find("loop 'ground_pin' is open by "), text.npos) << text;
  EXPECT_NE(text.find("'crank_hinge', 'coupler_hinge', 'rocker_hinge'"), text.npos) << text;
  EXPECT_NE(text.find("assemble: nearest"), text.npos) << text;
}

TEST(CloseLoops, SayThatNothingCloses) {
  const auto f = std::make_unique<FourBar>(5.0);  // a rocker too long for the others
  const auto refused = close_loops(f->model, f->tree, f->loops, f->start, Assemble::kNearest);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("no pose was found"), std::string::npos);
  EXPECT_NE(refused.error().text().find("'ground_pin' open by "), std::string::npos);
}

TEST(CloseLoops, SayWhichLimitIsInTheWay) {
  const auto f = std::make_unique<FourBar>(0.4, 1.45);
  f->set("rocker_hinge", 0.2, 0);
  const auto refused = close_loops(f->model, f->tree, f->loops, f->start, Assemble::kNearest);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("beyond its limits"), std::string::npos)
      << refused.error().text();
}

}  // namespace
}  // namespace stance
