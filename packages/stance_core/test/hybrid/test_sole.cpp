// Soles: a block that rocks, tips and comes to rest on its corners.
#include <gtest/gtest.h>

#include "support/on_the_ground.hpp"

namespace stance {
namespace {

using namespace test;

// Housner's block: half width b, half height h, released at rest, tilted by theta0 about one lower edge.
struct Block {
  double b = 0.25, h = 1, theta0 = 0.1, m = 1;
  double alpha() const { return std::atan2(b, h); }
  double reach() const { return std::hypot(b, h); }
};

struct Rocking {
  std::unique_ptr<Model> model;
  std::unique_ptr<Simulator> simulator;
};

// In the plane, on two corners; or in space, on the eight of a box. Tilted about the edge at -b, that edge on the ground.
Rocking rocking(const Block& block, bool planar, ImpactLaw law = ImpactLaw::kNewton) {
  const Eigen::Vector3d half(block.b, planar ? block.b : 0.4, block.h);
  Rocking r{box(block.m, half), nullptr};
  SimulatorSettings settings;
  settings.impact_law = law;
  settings.foot_count = 1;
  settings.feet[0] = box_foot(*r.model, half, {}, planar ? 4 : 8);
  if (planar) {
    settings.feet[0].corner_count = 2;
    settings.feet[0].corners[0] = {block.b, 0, -block.h};
    settings.feet[0].corners[1] = {-block.b, 0, -block.h};
  }
  r.simulator = std::make_unique<Simulator>(*r.model, settings);
  // about -y: the edge at +b rises
  Transform<double> X = placed({0, -block.theta0, 0}, {});
  X.p = -(X.R * Vec3<double>{-block.b, 0, -block.h});
  const JointKind kind = planar ? JointKind::kPlanar : JointKind::kFree;
  r.simulator->start_in_flight(in_the_air(*r.model, settings.ground, kind, X), kind);
  return r;
}

// The tilt falls as an inverted pendulum of inertia 4/3 m R²; the other edge strikes, plastic, and the first leaves without
// impulse: angular momentum about the new edge is kept, and the rate is multiplied by 1 - 3/2 sin²(alpha).
TEST(Sole, RockingBlockLosesWhatHousnerSays) {
  for (const bool planar : {true, false}) {
    for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
      const Block block;
      const Rocking r = rocking(block, planar, law);
      Watched watched(*r.simulator);
      std::vector<ContactEvent> events;
      while (events.size() < 2) {
        ASSERT_TRUE(watched.step());
        ASSERT_LT(r.simulator->state().time, 1);
        for (const ContactEvent& e : read_events(*r.simulator)) events.push_back(e);
      }
      EXPECT_EQ(events[0].kind, EventKind::kTouchdown);  // at the start
      const ContactEvent& strike = events[1];
      EXPECT_EQ(strike.kind, EventKind::kTip);
      EXPECT_NEAR(strike.time, 0.4185486604621036, 1e-10);
      // the edge that strikes comes down with 2 b times the rate
      EXPECT_NEAR(strike.velocity_before_W.z, -2 * block.b * 0.5258033392646012, 1e-10);
      EXPECT_NEAR(norm(strike.impulse_W -
                       Vec3<double>{-0.04639441228805305, 0, 0.2513030665602874} * block.m),
                  0, 1e-10);
      EXPECT_NEAR(strike.energy_lost,
                  0.5 * 4.0 / 3 * (block.b * block.b + block.h * block.h) * 0.5258033392646012 *
                      0.5258033392646012 * (1 - 0.8313148788927336),
                  1e-10);
      // up again on the other edge, to a peak that energy gives
      double tilt = 0;
      while (r.simulator->state().time < 1.2) {
        ASSERT_TRUE(watched.step());
        const Mat3<double> R = motion_of_body(*r.simulator).X_WL.R;
        tilt = std::max(tilt, std::atan2(R.c.x, R.c.z));
      }
      EXPECT_NEAR(tilt, 0.07890932548111591, 2e-6);  // sampled at 1 ms: rate² h² / 8
      watched.expect_laws();
    }
  }
}

TEST(Sole, RateAfterARockingImpactByShape) {
  for (const double slenderness : {2.0, 4.0, 10.0}) {
    Block block;
    block.h = slenderness * block.b;
    block.theta0 = 0.5 * block.alpha();
    const Rocking r = rocking(block, true);
    ASSERT_EQ(r.simulator->step({}), Status::kOk);
    (void)read_events(*r.simulator);
    while (r.simulator->events().size() == 0)
      ASSERT_EQ(r.simulator->step_to_event({}), Status::kOk);
    const ContactEvent strike = read_events(*r.simulator).at(0);
    const double before = strike.velocity_before_W.z / (-2 * block.b);
    const double after = motion_of_body(*r.simulator).w_W.y;
    const double s = std::sin(block.alpha());
    EXPECT_NEAR(after / before, 1 - 1.5 * s * s, 1e-12) << slenderness;
  }
}

// It rocks ever faster and lower, and stands still in the end: the work of no step is unbounded, and nothing is left over.
TEST(Sole, RockingBlockComesToRest) {
  for (const bool planar : {true, false}) {
    Block block;
    block.h = 0.5;
    const Rocking r = rocking(block, planar);
    Watched watched(*r.simulator);
    long long most = 0;
    int events = 0, settles = 0;
    double rest = 0;
    while (r.simulator->state().time < 4) {
      ASSERT_TRUE(watched.step());
      most = std::max(most, r.simulator->work().integrations);
      for (const ContactEvent& e : read_events(*r.simulator)) {
        ++events, settles += e.kind == EventKind::kSettle;
        rest = e.time;
      }
    }
    EXPECT_GT(events, 10);
    EXPECT_LT(events, 200);
    EXPECT_LT(rest, 3.5);
    const BodyMotion end = motion_of_body(*r.simulator);
    EXPECT_LT(norm(end.v_W) + norm(end.w_W), 1e-12);
    EXPECT_NEAR(end.X_WL.p.z, block.h, 1e-9);
    EXPECT_EQ(r.simulator->tree().support.kind, JointKind::kFixed);
    EXPECT_EQ(r.simulator->work().integrations, 1);
    watched.expect_laws();
  }
}

// Tilted beyond the angle at which its centre is above the edge, it falls away from its feet, onto its side.
TEST(Sole, BlockTiltedTooFarFallsOver) {
  for (const double factor : {0.999, 1.001}) {
    Block block;
    block.theta0 = factor * block.alpha();
    const Rocking r = rocking(block, false);
    Watched watched(*r.simulator);
    while (r.simulator->state().time < 6) ASSERT_TRUE(watched.step());
    const Mat3<double> R = motion_of_body(*r.simulator).X_WL.R;
    EXPECT_EQ(std::abs(R.c.z) < 0.5, factor > 1) << R.c.z;
    watched.expect_laws();
  }
}

// A box dropped on one corner, with spin, onto rough ground: it bounces, tips over edges and corners, slides, and comes to
// rest on a side, with its weight on it and its energy accounted for.
TEST(Sole, TumblingBoxComesToRest) {
  const Eigen::Vector3d half(0.1, 0.15, 0.08);
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    const auto model = box(2, half);
    SimulatorSettings settings;
    settings.impact_law = law;
    settings.step = 5e-4;
    settings.foot_count = 1;
    settings.feet[0] = box_foot(*model, half, {0.6, 0.5, 0.3}, 8);
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({0.5, 0.7, 0.2}, {0, 0, 0.5}), {1, -2, 0.5},
                                          {0.8, 0.3, 0}));
    Watched watched(*simulator);
    int events = 0;
    while (simulator->state().time < 3) {
      ASSERT_TRUE(watched.step());
      events += static_cast<int>(read_events(*simulator).size());
    }
    const BodyMotion end = motion_of_body(*simulator);
    Vec3<double> push;
    for (int i = 0; i < 8; ++i) push += simulator->impulses()[static_cast<std::size_t>(i)];
    EXPECT_GT(events, 10);
    EXPECT_LT(norm(end.v_W) + norm(end.w_W), 1e-12);
    EXPECT_LT(norm(push - Vec3<double>{0, 0, 2 * kGravity * settings.step}), 1e-12);
    watched.expect_laws();
  }
}

}  // namespace
}  // namespace stance
