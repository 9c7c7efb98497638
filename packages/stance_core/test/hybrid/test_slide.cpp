// Friction against closed forms: what stays, what slides, what rolls, and when one becomes the other.
#include <gtest/gtest.h>

#include "support/on_the_ground.hpp"
#include "support/random_robot.hpp"

namespace stance {
namespace {

using namespace test;

// A slope whose line of steepest descent points anywhere.
struct Slope {
  Ground ground;
  Vec3<double> down;       // of unit length
  Transform<double> X_WS;  // x down, z out of it
};
Slope slope(double theta, double azimuth) {
  Slope s;
  const Vec3<double> level{std::cos(azimuth), std::sin(azimuth), 0};
  s.down = level * std::cos(theta) - Vec3<double>{0, 0, std::sin(theta)};
  s.ground.normal = level * std::sin(theta) + Vec3<double>{0, 0, std::cos(theta)};
  s.ground.lateral = cross(s.ground.normal, s.down);
  s.X_WS.R = {s.down, s.ground.lateral, s.ground.normal};
  return s;
}

struct Scene {
  std::unique_ptr<Model> model;
  std::unique_ptr<Simulator> simulator;
};

// A box on its four corners on a slope, turned by `yaw` about the normal, with a speed down the slope.
Scene box_on(const Slope& s, const Eigen::Vector3d& h, double yaw, const Material& material,
             double speed) {
  Scene run{box(3, h), nullptr};
  SimulatorSettings settings;
  settings.ground = s.ground;
  settings.foot_count = 1;
  settings.feet[0] = box_foot(*run.model, h, material, 4);
  run.simulator = std::make_unique<Simulator>(*run.model, settings);
  run.simulator->start_in_flight(in_the_air(*run.model, s.ground, JointKind::kFree,
                                            s.X_WS * placed({0, 0, yaw}, {0, 0, h.z()}), {},
                                            s.down * speed));
  return run;
}

const Eigen::Vector3d kBox(0.2, 0.15, 0.1);

// It stays up to mu = tan(theta), that included, and does not creep: the sole is the root.
TEST(Slide, BlockStaysUpToItsAngleOfFriction) {
  Random random(3);
  for (int k = 0; k < 6; ++k) {
    const double theta = uniform(random, 0.05, 0.6), mu = std::tan(theta);
    const Slope s = slope(theta, uniform(random, -3, 3));
    for (const double factor : {1.0, 1.001, 2.0}) {
      const Scene run = box_on(s, kBox, uniform(random, -3, 3), {factor * mu, factor * mu, 0}, 0);
      Watched watched(*run.simulator);
      ASSERT_TRUE(watched.step());
      const Vec3<double> p = motion_of_body(*run.simulator).X_WL.p;
      ASSERT_EQ(count(read_events(*run.simulator), EventKind::kTouchdown), 1);
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(watched.step());
      EXPECT_LT(norm(motion_of_body(*run.simulator).X_WL.p - p), 1e-12) << theta << ' ' << factor;
      EXPECT_EQ(run.simulator->foot_mode(0), ContactMode::kStick);
      EXPECT_EQ(run.simulator->events().size(), 0);
      watched.expect_laws(1e-11);
    }
  }
}

TEST(Slide, BlockSlidesBeyondItByTheClosedForm) {
  Random random(4);
  for (int k = 0; k < 20; ++k) {
    const double theta = uniform(random, 0.1, 0.6), factor = uniform(random, 0, 0.999);
    const double mu_s = factor * std::tan(theta), mu_k = uniform(random, 0.5, 1) * mu_s;
    const Scene run = box_on(slope(theta, uniform(random, -3, 3)), kBox, uniform(random, -3, 3),
                             {mu_s, mu_k, 0}, 0);
    const Vec3<double> start = motion_of_body(*run.simulator).X_WL.p;
    Watched watched(*run.simulator);
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(watched.step());
    const double a = kGravity * (std::sin(theta) - mu_k * std::cos(theta)), t = 0.5;
    const BodyMotion end = motion_of_body(*run.simulator);
    const Slope s{run.simulator->settings().ground, {}, {}};
    const Vec3<double> down = cross(s.ground.lateral, s.ground.normal);
    EXPECT_LT(norm(end.v_W - down * (a * t)), 1e-11);
    EXPECT_LT(norm(end.X_WL.p - start - down * (0.5 * a * t * t)), 1e-11);
    EXPECT_LT(norm(end.w_W), 1e-10);
    EXPECT_EQ(run.simulator->foot_mode(0), ContactMode::kSlide);
    EXPECT_EQ(read_events(*run.simulator).size(), 1u);  // the touchdown
    watched.expect_laws();
  }
}

// Thrown down a slope that holds it: it stops at v/b after v²/2b, and stays. Its corners share the load so that the sum of
// squares is least while it slides (h/l of them moved forward by friction) and when it stands.
TEST(Slide, ThrownBlockStopsOnTimeAndStays) {
  const double theta = 0.3490658503988659, mu = 0.5, v = 2;
  const Scene run = box_on(slope(theta, 0.7), {0.2, 0.2, 0.1}, 0, {mu, mu, 0}, v);
  const Vec3<double> start = motion_of_body(*run.simulator).X_WL.p;
  Watched watched(*run.simulator);
  DofVector a;
  auto load = std::make_unique<Load>();
  ASSERT_TRUE(watched.step());
  ASSERT_EQ(run.simulator->observe({}, {}, a, *load), Status::kOk);
  const double weight = 3 * kGravity;
  const Vec3<double> n = run.simulator->settings().ground.normal;
  const auto normal_forces = [&](double lower, double upper) {
    for (std::size_t i = 0; i < 4; ++i)  // x points down the slope
      EXPECT_NEAR(dot(n, load->force_W[i]) / weight, i < 2 ? lower : upper, 1e-12);
  };
  normal_forces(0.29365394399559636, 0.17619236639735783);
  while (run.simulator->foot_mode(0) != ContactMode::kStick) ASSERT_TRUE(watched.step());
  const auto events = read_events(*run.simulator);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].kind, EventKind::kStick);
  EXPECT_NEAR(events[1].time, 1.5949285114815006, 1e-10);
  const Vec3<double> stop = motion_of_body(*run.simulator).X_WL.p;
  EXPECT_NEAR(norm(stop - start), 1.5949285114815006, 1e-10);
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(watched.step());
  EXPECT_LT(norm(motion_of_body(*run.simulator).X_WL.p - stop), 1e-12);
  ASSERT_EQ(run.simulator->observe({}, {}, a, *load), Status::kOk);
  normal_forces(0.27767567311218566, 0.1921706372807685);
  EXPECT_NEAR(run.simulator->energy().friction / 3, 7.351332222073674, 1e-9);
  watched.expect_laws();
}

// Thrown up a slope that does not: it turns round in one instant, and is back when the closed form says.
TEST(Slide, BlockThrownUpComesBack) {
  const Scene run = box_on(slope(0.4363323129985824, -2), {0.2, 0.2, 0.1}, 0, {0.3, 0.3, 0}, -2);
  const Vec3<double> start = motion_of_body(*run.simulator).X_WL.p;
  Watched watched(*run.simulator);
  const Vec3<double> down = slope(0.4363323129985824, -2).down;
  while (run.simulator->state().time < 0.923) ASSERT_TRUE(watched.step());
  const BodyMotion end = motion_of_body(*run.simulator);
  const double t = run.simulator->state().time - 0.29355001781059403, a = 1.4786213304274007;
  EXPECT_NEAR(dot(down, end.v_W), a * t, 1e-10);
  EXPECT_NEAR(dot(down, end.X_WL.p - start), -0.29355001781059403 + 0.5 * a * t * t, 1e-10);
  watched.expect_laws();
}

// A cube thrown flat along level ground lifts nowhere: friction of half its weight moves the load forward, not the cube.
TEST(Slide, ThrownCubeStaysFlat) {
  const Scene run = box_on(slope(0, 1.1), {0.05, 0.05, 0.05}, 0.5, {0.5, 0.5, 0}, 6);
  const Vec3<double> start = motion_of_body(*run.simulator).X_WL.p;
  Watched watched(*run.simulator);
  double lift = 0, stopped = 0;
  while (run.simulator->state().time < 1.3) {
    ASSERT_TRUE(watched.step());
    lift = std::max(lift, std::abs(motion_of_body(*run.simulator).X_WL.p.z - 0.05));
    for (const ContactEvent& event : read_events(*run.simulator)) {
      EXPECT_NE(event.kind, EventKind::kTip);
      if (event.kind == EventKind::kStick) stopped = event.time;
    }
  }
  EXPECT_NEAR(stopped, 1.2232415902140673, 1e-10);
  EXPECT_NEAR(norm(motion_of_body(*run.simulator).X_WL.p - start), 3.6697247706422016, 1e-10);
  EXPECT_LT(lift, 1e-12);
  watched.expect_laws();
}

// A ball thrown without spin in any direction: it slides until t = 2 v / (7 mu g), then rolls with 5/7 of its speed for ever.
TEST(Slide, SphereSlidesThenRolls) {
  Random random(6);
  const double r = 0.1;
  for (int k = 0; k < 10; ++k) {
    const auto model = ball(2, r);
    const double mu = uniform(random, 0.1, 0.5);
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {mu, mu, 0}, r);
    settings.step = 2.5e-4;  // it comes to turn by 15 rad/s: see BallDroppedWithSpinRollsAway
    auto simulator = std::make_unique<Simulator>(*model, settings);
    const Vec3<double> v{uniform(random, -2, 2), uniform(random, -2, 2), 0};
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed(random_vector(random), {0, 0, r}), {}, v));
    Watched watched(*simulator);
    const double t = 2 * norm(v) / (7 * mu * kGravity), end = t + 0.5;
    while (simulator->state().time < end) ASSERT_TRUE(watched.step());
    const auto events = read_events(*simulator);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, EventKind::kTouchdown);
    EXPECT_EQ(events[1].kind, EventKind::kStick);
    // a step that begins with a slip below kStill (1e-7 m/s) may turn it round by twice as much before it is seen
    EXPECT_NEAR(events[1].time, t, 5e-7 / (3.5 * mu * kGravity));
    const BodyMotion last = motion_of_body(*simulator);
    EXPECT_LT(norm(last.v_W - v * (5.0 / 7)), 1e-9);
    EXPECT_LT(norm(simulator->site_velocity(0)), 1e-9);
    const double distance = norm(v) * t * 6 / 7 + norm(v) * 5 / 7 * (simulator->state().time - t);
    EXPECT_NEAR(norm(last.X_WL.p - Vec3<double>{0, 0, r}), distance, 1e-9);
    EXPECT_NEAR(simulator->energy().friction, 2.0 / 7 * dot(v, v), 1e-8);  // m = 2: of v²/2 m, 2/7
    watched.expect_laws();
  }
}

// A cylinder in the plane, as an arc that may root the robot: v = 2/3 v0 at v0 / (3 mu g).
TEST(Slide, CylinderSlidesThenRolls) {
  const double r = 0.1, mu = 0.25, v = 2;
  const auto model = solid(1, {0, 0, 0}, {0.01, 0.5 * r * r, 0.01}, {{0, 0, 0}});
  const SimulatorSettings settings = feet_of(*model, 1, JointKind::kRoll, {mu, mu, 0}, r);
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kPlanar, placed({}, {0, 0, r}), {}, {v, 0, 0}),
      JointKind::kPlanar);
  Watched watched(*simulator);
  while (simulator->state().time < 1) ASSERT_TRUE(watched.step());
  const auto events = read_events(*simulator);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].kind, EventKind::kStick);
  EXPECT_NEAR(events[1].time, 0.27183146449201495, 1e-10);
  EXPECT_EQ(simulator->support_foot(), 0);
  EXPECT_EQ(simulator->tree().support.kind, JointKind::kRoll);
  EXPECT_NEAR(motion_of_body(*simulator).v_W.x, 4.0 / 3, 1e-10);
  EXPECT_NEAR(motion_of_body(*simulator).X_WL.p.x,
              0.45305244082002494 + 4.0 / 3 * (1 - 0.27183146449201495), 1e-9);
  EXPECT_NEAR(simulator->energy().friction, 2.0 / 3, 1e-9);
  watched.expect_laws();
}

// A ball from rest on a slope: it rolls with 5/7 g sin(theta) if mu is at least 2/7 tan(theta), else it slides and turns by
// 5/2 mu g cos(theta) / r. A cylinder: 2/3 and mu of 1/3 tan(theta).
TEST(Slide, SphereRollsDownASlopeIfFrictionIsEnough) {
  const double r = 0.05;
  const auto model = ball(0.1, r);
  Random random(8);
  for (int k = 0; k < 12; ++k) {
    const double theta = k == 0 ? M_PI / 12 : uniform(random, 0.1, 0.7);
    const double needed = 2.0 / 7 * std::tan(theta);
    const double mu = (k % 2 == 0 ? 1.001 : uniform(random, 0.3, 0.999)) * needed;
    const Slope s = slope(theta, uniform(random, -3, 3));
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {mu, mu, 0}, r);
    settings.ground = s.ground;
    settings.step = 2.5e-4;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(
        in_the_air(*model, s.ground, JointKind::kFree, s.X_WS * placed({}, {0, 0, r})));
    Watched watched(*simulator);
    const double t = 0.5;
    while (simulator->state().time < t) ASSERT_TRUE(watched.step());
    const bool rolls = k % 2 == 0;
    const double a = rolls ? 5.0 / 7 * kGravity * std::sin(theta)
                           : kGravity * (std::sin(theta) - mu * std::cos(theta));
    const double turn = rolls ? a / r : 2.5 * mu * kGravity * std::cos(theta) / r;
    EXPECT_EQ(simulator->foot_mode(0), rolls ? ContactMode::kStick : ContactMode::kSlide);
    const BodyMotion end = motion_of_body(*simulator);
    EXPECT_NEAR(dot(end.v_W, s.down), a * t, 1e-9 * a);
    EXPECT_NEAR(dot(end.w_W, s.ground.lateral), turn * t, 1e-9 * turn);
    watched.expect_laws();
  }
}

TEST(Slide, DiscRollsDownASlopeIfFrictionIsEnough) {
  const double theta = 0.3490658503988659, r = 0.1, needed = 0.12132341142206746;
  const auto model = solid(1, {0, 0, 0}, {0.01, 0.5 * r * r, 0.01}, {{0, 0, 0}});
  for (const double mu : {0.5, needed / 2}) {
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kRoll, {mu, mu, 0}, r);
    settings.ground = sloped_ground(theta);
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kPlanar,
                                          placed({}, settings.ground.normal * r)),
                               JointKind::kPlanar);
    Watched watched(*simulator);
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(watched.step());
    const BodyMotion end = motion_of_body(*simulator);
    const Vec3<double> down = settings.ground.forward();
    // where it is not the root its velocity is kept in axes that turn with it, by 11 rad/s
    EXPECT_NEAR(dot(down, end.v_W), mu > needed ? 2.2368117373498735 : 2.7960146716873417, 1e-9);
    EXPECT_NEAR(r * end.w_W.y, mu > needed ? 2.2368117373498735 : 1.1184058686749367, 1e-9);
    EXPECT_NEAR(dot(down, end.X_WL.p), mu > needed ? 1.1184058686749367 : 1.3980073358436709, 1e-9);
    watched.expect_laws();
  }
}

// The tip of a rod that slides while the rod falls: the force and accelerations of Painlevé's rod where they are unique.
TEST(Slide, RodThatSlidesOnItsTip) {
  const double theta = 1, mu = 1.2, a = 1;
  const auto model = solid(1, {0, 0, 0}, {1e-4, 1.0 / 3, 1.0 / 3}, {{-a, 0, 0}});
  const SimulatorSettings settings = feet_of(*model, 1, JointKind::kRevolute, {mu, mu, 0});
  auto simulator = std::make_unique<Simulator>(*model, settings);
  const Vec3<double> r{a * std::cos(theta), 0, a * std::sin(theta)}, w{0, -1, 0};
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kPlanar, placed({0, -theta, 0}, r), w,
                 Vec3<double>{-3, 0, 0} + cross(w, r)),
      JointKind::kPlanar);
  ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
  EXPECT_EQ(simulator->state().time, 0);
  EXPECT_EQ(simulator->foot_mode(0), ContactMode::kSlide);
  DofVector acceleration;
  auto load = std::make_unique<Load>();
  ASSERT_EQ(simulator->observe({}, {}, acceleration, *load), Status::kOk);
  EXPECT_NEAR(load->force_W[0].z, 37.51825971294163, 1e-10);
  EXPECT_NEAR(load->force_W[0].x, 45.021911655529955, 1e-10);
  EXPECT_NEAR(acceleration[0], -52.84029031095243, 1e-10);  // planar: the turn first, about +y
}

// Friction beyond 4/3 has angles at which no force obeys Coulomb's law (Painlevé). The rest of such a step is implicit, which
// stops the tip: the event says it, numbers stay finite, and the rod then falls.
TEST(Slide, PainlevesRodIsStoppedAndSaidSo) {
  const double mu = 1.5, a = 1, theta = 1.1071487177940904;
  const auto model = solid(1, {0, 0, 0}, {1e-4, 1.0 / 3, 1.0 / 3}, {{-a, 0, 0}});
  const SimulatorSettings settings = feet_of(*model, 1, JointKind::kRevolute, {mu, mu, 0});
  auto simulator = std::make_unique<Simulator>(*model, settings);
  const Vec3<double> r{a * std::cos(theta), 0, a * std::sin(theta)}, w{0, -1, 0};
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kPlanar, placed({0, -theta, 0}, r), w,
                 Vec3<double>{-3, 0, 0} + cross(w, r)),
      JointKind::kPlanar);
  Watched watched(*simulator);
  ASSERT_TRUE(watched.step());
  const auto events = read_events(*simulator);
  ASSERT_GE(events.size(), 1u);
  EXPECT_EQ(count(events, EventKind::kSettle), 1);
  const double start = mechanical_energy(*simulator);
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(watched.step());
    ASSERT_TRUE(std::isfinite(mechanical_energy(*simulator)));
  }
  EXPECT_LE(mechanical_energy(*simulator), start * (1 + 1e-9));
  EXPECT_LE(watched.energy, 1e-8);
  // of order one: the rod turns during the step by what the impact has made of its rate
  EXPECT_LE(watched.momentum, 2e-3);
  EXPECT_LE(watched.below, 1e-7);
}

}  // namespace
}  // namespace stance
