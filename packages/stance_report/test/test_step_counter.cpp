#include "step_counter.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance::report {
namespace {

ContactEvent event(EventKind kind, double time, int frame, int root, double x, double impulse,
                   double lost) {
  ContactEvent e;
  e.kind = kind, e.time = time;
  e.frame = FrameId(frame), e.root = FrameId(root);
  e.point_W = {x, 0, 0};
  e.normal_W = {0, 0, 1};
  e.impulse_W = {0.3, 0, impulse};
  e.energy_lost = lost;
  return e;
}

TEST(StepCounter, MakesAStepOfEveryFootThatComesDown) {
  StepCounter counter{Ground{}};
  std::vector<Step> steps;
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 1, 0, 0, 0.5, 2, 1), steps));
  EXPECT_TRUE(std::isnan(steps[0].length));
  EXPECT_FALSE(counter.take(event(EventKind::kLiftoff, 1, 1, 0, -0.25, 0, 0), steps));
  EXPECT_EQ(steps[0].length, 0.75);
  // into double support: the other foot is the root still
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 1.5, 1, 0, 1, 2, 1), steps));
  EXPECT_FALSE(counter.take(event(EventKind::kLiftoff, 1.6, 0, 1, 0.5, 0, 0), steps));
  EXPECT_FALSE(counter.take(event(EventKind::kStop, 1.75, 5, 0, 0, 0, 0.25), steps));
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 2.5, 0, 1, 1.25, 4, 1), steps));
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].length, 0.5);
  EXPECT_EQ(steps[1].period, 0.5);
  EXPECT_EQ(steps[2].number, 3);
  EXPECT_EQ(steps[2].length, 0.25);
  EXPECT_EQ(steps[2].period, 1);
  EXPECT_EQ(steps[2].impulse, 4);
  EXPECT_EQ(steps[2].energy_lost, 1.25);
}

// A wheel or a four-legged robot brings two feet down together: one step, with both impulses and both losses.
TEST(StepCounter, CountsFeetThatLandTogetherOnce) {
  StepCounter counter{Ground{}};
  std::vector<Step> steps;
  (void)counter.take(event(EventKind::kTouchdown, 1, 0, 0, 0.5, 2, 1), steps);
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 2, 1, 1, 1, 4, 1), steps));
  (void)counter.take(event(EventKind::kLiftoff, 2, 0, 1, 0.5, 0, 0), steps);
  EXPECT_FALSE(counter.take(event(EventKind::kTouchdown, 2, 2, 2, 1.25, 1, 0.5), steps));
  (void)counter.take(event(EventKind::kLiftoff, 2, 1, 2, 1, 0, 0), steps);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].foot, FrameId(2));
  EXPECT_EQ(steps[1].period, 1);
  EXPECT_EQ(steps[1].length, 0.75);
  EXPECT_EQ(steps[1].impulse, 5);
  EXPECT_EQ(steps[1].energy_lost, 1.5);
  (void)counter.take(event(EventKind::kTouchdown, 3, 0, 0, 2, 4, 1), steps);
  EXPECT_EQ(steps[2].period, 1);
  EXPECT_EQ(steps[2].length, 0.75);
}

// A trot sets a diagonal down within a millisecond or two, and a foot may leave once more as it lands.
TEST(StepCounter, CountsADiagonalOnceAndNoFootThatOnlyBounced) {
  StepCounter counter{Ground{}};
  std::vector<Step> steps;
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 1, 0, 2, 0.5, 2, 1), steps));
  EXPECT_FALSE(counter.take(event(EventKind::kTouchdown, 1.002, 1, 2, -0.1, 1, 0.5), steps));
  (void)counter.take(event(EventKind::kLiftoff, 1.003, 0, 2, 0.5, 0, 0), steps);
  EXPECT_FALSE(counter.take(event(EventKind::kTouchdown, 1.013, 0, 2, 0.5, 1, 0.25), steps));
  EXPECT_TRUE(counter.take(event(EventKind::kTouchdown, 1.25, 2, 0, 0.6, 2, 1), steps));
  EXPECT_FALSE(counter.take(event(EventKind::kTouchdown, 1.251, 3, 0, 0.0, 2, 1), steps));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].impulse, 3);
  EXPECT_EQ(steps[1].period, 0.25);
  EXPECT_NEAR(steps[1].length, 0.1, 1e-15);  // hind foot to hind foot
  EXPECT_EQ(steps[1].energy_lost, 2.25);
}

// Out of the air onto two feet: no foot stood before, so there is no length, whichever of the two lifts again.
TEST(StepCounter, HasNoLengthWhenAJumpLandsOnTwoFeet) {
  StepCounter counter{Ground{}};
  std::vector<Step> steps;
  (void)counter.take(event(EventKind::kTouchdown, 1, 0, 0, 0.5, 2, 1), steps);
  (void)counter.take(event(EventKind::kTouchdown, 1, 1, 1, 1, 2, 1), steps);
  (void)counter.take(event(EventKind::kLiftoff, 1, 0, 1, 0.5, 0, 0), steps);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(std::isnan(steps[0].length));
  EXPECT_EQ(steps[0].energy_lost, 2);
}

}  // namespace
}  // namespace stance::report
