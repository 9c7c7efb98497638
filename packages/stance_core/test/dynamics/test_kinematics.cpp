// Poses, velocities and accelerations are each other's derivatives, for every support and root.
#include "stance_core/dynamics/kinematics.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// Central differences over 2e-5 s: truncation h²/6 times third derivatives of up to 1e4 (eight joints in a row, each
// at up to 2.5 rad/s) and rounding 1e-15/h stay below 1e-6.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;

TEST(Kinematics, BodyMotionIsTheSameWalk) {
  Random random(91);
  for (int trial = 0; trial < 24; ++trial) {
    const Case c = random_case(random, {.bodies = 12}, kSupports[trial % 6]);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    for (int f = 0; f < c.model->frame_count; ++f) {
      const Frame& frame = c.model->frames[f];
      const PoseTwist motion = body_motion(*c.model, *c.tree, c.state, frame.body);
      // two texts of the same products: 12 transforms deep
      EXPECT_LT(distance(frame_pose(*c.model, *c.tree, *c.w, FrameId(f)), motion.X_WH * frame.X_HF),
                1e-12);
      EXPECT_LT(distance(frame_velocity(*c.model, *c.tree, *c.w, FrameId(f)),
                         to_child(frame.X_HF, motion.V_H)),
                1e-12);
    }
  }
}

TEST(Kinematics, VelocityIsTheDerivativeOfThePose) {
  Random random(92);
  for (int trial = 0; trial < 36; ++trial) {
    const Case c = random_case(random, {.bodies = 8, .mimic = trial % 2 == 0},
                               kSupports[trial % 6]);
    const auto w_before = std::make_unique<Workspace>(), w_after = std::make_unique<Workspace>();
    kinematics(*c.model, *c.tree, c.state, *c.w);
    kinematics(*c.model, *c.tree, moved(*c.model, *c.tree, c.state, c.state.v, -kStep), *w_before);
    kinematics(*c.model, *c.tree, moved(*c.model, *c.tree, c.state, c.state.v, kStep), *w_after);
    for (int k = 0; k < c.model->frame_count; ++k) {
      const FrameId f(k);
      const Motion<double> differenced = difference_quotient(
          frame_pose(*c.model, *c.tree, *c.w, f), frame_pose(*c.model, *c.tree, *w_before, f),
          frame_pose(*c.model, *c.tree, *w_after, f), 2 * kStep);
      EXPECT_LT(distance(frame_velocity(*c.model, *c.tree, *c.w, f), differenced), kTolerance);
    }
  }
}

// Along the trajectory that aba gives, and along one that rnea is asked about.
TEST(Kinematics, AccelerationIsTheDerivativeOfTheVelocity) {
  Random random(93);
  for (int trial = 0; trial < 36; ++trial) {
    const Case c = random_case(random, {.bodies = 8, .mimic = trial % 4 == 0},
                               kSupports[trial % 6]);
    DofVector a{}, tau{};
    if (trial % 2 == 0) {
      ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    } else {
      a = random_dofs(random, *c.model, 3);
      ASSERT_EQ(rnea(*c.model, *c.tree, c.state, a, c.f_ext, *c.w, tau), Status::kOk);
    }
    double size = 1;
    for (int d = 0; d < c.model->dof_count; ++d) size = std::max(size, std::abs(a[d]));
    const auto w_before = std::make_unique<Workspace>(), w_after = std::make_unique<Workspace>();
    kinematics(*c.model, *c.tree, flowed(*c.model, *c.tree, c.state, a, -kStep), *w_before);
    kinematics(*c.model, *c.tree, flowed(*c.model, *c.tree, c.state, a, kStep), *w_after);
    for (int k = 0; k < c.model->frame_count; ++k) {
      const FrameId f(k);
      const Motion<double> change = frame_velocity(*c.model, *c.tree, *w_after, f) -
                                    frame_velocity(*c.model, *c.tree, *w_before, f);
      EXPECT_LT(distance(frame_acceleration(*c.model, *c.tree, *c.w, f), change * (0.5 / kStep)),
                kTolerance * size);
    }
  }
}

}  // namespace
}  // namespace stance
