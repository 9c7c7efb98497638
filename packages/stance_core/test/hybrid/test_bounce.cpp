// Impacts of a body with the ground against closed forms: bounces in a row, oblique and spinning impacts, a sole that lands.
#include <gtest/gtest.h>

#include "support/on_the_ground.hpp"
#include "support/random_robot.hpp"

namespace stance {
namespace {

using namespace test;

// Dropped from a gap of 1 m: the impacts at t_n with approach speeds v_1 e^(n-1), until one is slower than the capture speed.
TEST(Bounce, BallBouncesAsTheClosedFormAndComesToRest) {
  const double r = 0.1, h = 1, m = 2;
  const auto model = ball(m, r);
  for (const double e : {0.3, 0.5, 0.7}) {
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {0.5, 0.4, e}, r);
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          {Mat3<double>::identity(), {0, 0, h + r}}));
    Watched watched(*simulator);
    const double v1 = std::sqrt(2 * kGravity * h), t1 = v1 / kGravity;
    const double zeno = t1 * (1 + e) / (1 - e);
    std::vector<ContactEvent> events;
    while (simulator->state().time < zeno + 0.1) {
      ASSERT_TRUE(watched.step());
      for (const ContactEvent& event : read_events(*simulator)) events.push_back(event);
    }
    double t = t1, v = v1;
    std::size_t n = 0;
    for (; v > settings.capture_speed && n < events.size(); ++n) {
      const ContactEvent& event = events[n];
      if (event.kind == EventKind::kSettle || event.kind == EventKind::kTouchdown) break;
      EXPECT_EQ(event.kind, EventKind::kBounce) << n;
      EXPECT_NEAR(event.time, t, 1e-10) << n;
      EXPECT_NEAR(event.velocity_before_W.z, -v, 1e-9) << n;
      EXPECT_NEAR(event.velocity_after_W.z, e * v, 1e-9) << n;
      EXPECT_NEAR(event.impulse_W.z, m * (1 + e) * v, 1e-9) << n;
      EXPECT_NEAR(event.energy_lost, 0.5 * m * (1 - e * e) * v * v, 1e-9) << n;
      EXPECT_EQ(event.restitution, e);
      v *= e;
      t += 2 * v / kGravity;
    }
    EXPECT_EQ(n + 1, events.size());
    EXPECT_EQ(events.back().kind, EventKind::kTouchdown);
    EXPECT_LE(v, settings.capture_speed);
    // at rest: no event, and the weight in every step
    EXPECT_EQ(simulator->foot_mode(0), ContactMode::kStick);
    EXPECT_NEAR(simulator->impulses()[0].z, m * kGravity * settings.step, 1e-13);
    EXPECT_NEAR(motion_of_body(*simulator).X_WL.p.z, r, 1e-9);
    watched.expect_laws();
  }
}

// Higher: more bounces are left in its last millisecond than a step takes one by one, and the implicit step ends them. The
// numbers are those of a ball in another event-driven solver's tests (h 1 m, e 0.9): 44 impacts before 8.5 s.
TEST(Bounce, EndlessBouncesEndInAnImplicitStep) {
  const double r = 0.1;
  const auto model = ball(1, r);
  SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {0, 0, 0.9}, r);
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                        {Mat3<double>::identity(), {0, 0, 1 + r}}));
  Watched watched(*simulator);
  while (simulator->state().time < 8.4995) ASSERT_TRUE(watched.step());
  const auto events = read_events(*simulator);
  ASSERT_EQ(events.size(), 44u);
  EXPECT_NEAR(events[0].time, 0.451523640985731, 1e-12);
  // an instant is known to 1e-12 s
  EXPECT_NEAR(events[0].velocity_before_W.z, -4.429446918070019, 1e-11);
  EXPECT_NEAR(events[0].velocity_after_W.z, 3.986502226263017, 1e-11);
  EXPECT_NEAR(events[1].time, 1.264266194760045, 3e-12);
  EXPECT_NEAR(events[2].time, 1.995734493156927, 5e-12);
  EXPECT_NEAR(events[43].time, 8.491374026, 1e-9);
  while (simulator->state().time < 8.6) ASSERT_TRUE(watched.step());
  const auto last = read_events(*simulator);
  EXPECT_EQ(last.back().kind, EventKind::kSettle);
  EXPECT_NEAR(last.back().time, 8.578949178728887, settings.step);  // where bounces accumulate
  EXPECT_EQ(simulator->settled_steps(), 1u);
  EXPECT_NEAR(motion_of_body(*simulator).X_WL.p.z, r, 1e-9);
  watched.expect_laws();
}

// 49 balls would be 49 of these: 20 s of bounces without loss.
TEST(Bounce, ElasticBallKeepsItsEnergy) {
  const double r = 0.2;
  const auto model = ball(10, r);
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {0, 0, 1}, r);
    settings.impact_law = law;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          {Mat3<double>::identity(), {0, 0, 5 + r}}));
    const double start = mechanical_energy(*simulator) - 10 * kGravity * r;
    Watched watched(*simulator);
    while (simulator->state().time < 20) ASSERT_TRUE(watched.step());
    // half a fall, then whole ones
    const double fall = std::sqrt(2 * 5 / kGravity);
    const auto events = read_events(*simulator);
    ASSERT_EQ(events.size(), static_cast<std::size_t>((20 / fall - 1) / 2) + 1);
    for (std::size_t n = 0; n < events.size(); ++n)
      EXPECT_NEAR(events[n].time, (1 + 2 * static_cast<double>(n)) * fall, 1e-10);
    EXPECT_NEAR(mechanical_energy(*simulator) - 10 * kGravity * r, start, 1e-11 * start);
    watched.expect_laws(1e-11);
  }
}

// A sphere meets the ground with spin and at an angle, from any side: with u its contact's velocity
//   p_n = m (1 + e) |u_n|,  p_t = -min(2/7 m |u_t|, mu p_n) u_t/|u_t|
// as its normal and its tangents do not see each other; so Newton and Poisson agree.
TEST(Bounce, ObliqueImpactOfASpinningSphere) {
  Random random(5);
  const double r = 0.1, m = 2, e = 0.6;
  const auto model = ball(m, r);
  int slips = 0, sticks = 0;
  for (int k = 0; k < 40; ++k) {
    const double mu = uniform(random, 0.05, 0.5);
    const Vec3<double> v{uniform(random, -3, 3), uniform(random, -3, 3), uniform(random, -3, -1)};
    const Vec3<double> w = random_vector(random, 20);
    for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
      SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {mu, mu, e}, r);
      settings.impact_law = law;
      // any slope, about any level axis
      const Transform<double> X_tilt = placed(
          {uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), 0}, {});
      settings.ground.normal = X_tilt.R.c, settings.ground.lateral = X_tilt.R.b;
      auto simulator = std::make_unique<Simulator>(*model, settings);
      simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                            {Mat3<double>::identity(), X_tilt.R.c * r},
                                            X_tilt.R * w, X_tilt.R * v));
      ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
      const auto events = read_events(*simulator);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_EQ(events[0].kind, EventKind::kBounce);
      EXPECT_EQ(events[0].law, law);
      const Vec3<double> u{v.x - w.y * r, v.y + w.x * r, 0};
      const double p_n = -m * (1 + e) * v.z;
      const double needed = 2.0 / 7 * m * norm(u), p_t = std::min(needed, mu * p_n);
      (needed > mu * p_n ? slips : sticks) += law == ImpactLaw::kNewton;
      const Vec3<double> p = Vec3<double>{0, 0, p_n} - u * (p_t / norm(u));
      EXPECT_LT(norm(transpose_times(X_tilt.R, events[0].impulse_W) - p), 1e-12 * norm(p));
      const BodyMotion after = motion_of_body(*simulator);
      const Vec3<double> v_after = v + p * (1 / m);
      const Vec3<double> w_after = w + cross(Vec3<double>{0, 0, -r}, p) * (1 / (0.4 * m * r * r));
      EXPECT_LT(norm(transpose_times(X_tilt.R, after.v_W) - v_after), 1e-12 * norm(v));
      EXPECT_LT(norm(transpose_times(X_tilt.R, after.w_W) - w_after), 1e-12 * norm(w) + 1e-11);
      const double lost = 0.5 * m * (dot(v, v) - dot(v_after, v_after)) +
                          0.2 * m * r * r * (dot(w, w) - dot(w_after, w_after));
      EXPECT_NEAR(events[0].energy_lost, lost, 1e-12 * (m * dot(v, v) + m * r * r * dot(w, w)));
    }
  }
  EXPECT_GT(slips, 8);
  EXPECT_GT(sticks, 8);
}

// Dropped with spin, it hops away, each bounce by the law above, and in the end rolls: what it has left of its spin about
// the contact is its angular momentum about any point of the ground, which no friction changes. A solid sphere keeps 2/7.
TEST(Bounce, BallDroppedWithSpinRollsAway) {
  const double r = 0.1, m = 2;
  const auto model = ball(m, r);
  SimulatorSettings settings = feet_of(*model, 1, JointKind::kFree, {0.3, 0.3, 0.5}, r);
  settings.step =
      2e-4;  // 37 rad/s: in body axes velocities turn as fast, and RK4 is off by (w h)⁵/120 a step
  auto simulator = std::make_unique<Simulator>(*model, settings);
  const Vec3<double> w{12, -35, 7};
  simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                        {Mat3<double>::identity(), {0, 0, 0.3 + r}}, w));
  Watched watched(*simulator);
  while (simulator->state().time < 2) ASSERT_TRUE(watched.step());
  const auto events = read_events(*simulator);
  EXPECT_GE(count(events, EventKind::kBounce), 10);
  EXPECT_EQ(count(events, EventKind::kTouchdown), 1);
  const BodyMotion end = motion_of_body(*simulator);
  // (w x r n) of the ball at rest in the ground's frame is its rolling speed
  const Vec3<double> rolling = cross(w, Vec3<double>{0, 0, 2 * r / 7});
  EXPECT_LT(norm(end.v_W - rolling), 1e-9);
  EXPECT_NEAR(end.w_W.z, w.z, 1e-9);  // a point has no friction against turning
  EXPECT_LT(norm(simulator->site_velocity(0)), 1e-9);
  EXPECT_EQ(simulator->foot_mode(0), ContactMode::kStick);
  watched.expect_laws();
}

// A rod strikes the ground with one end, in the plane. With A = J M⁻¹ Jᵀ there, normal and tangent see each other, and the
// laws differ: Newton asks the velocity, Poisson the impulse.
//   slip throughout in -t:  p_t = mu p_n (friction pushes to +t), p_n = (1 + e) |u_n| / (A_nn + mu A_nt) for both
TEST(Bounce, RodSlipsThroughItsImpact) {
  const double a = 1, m = 1, theta = 0.9, mu = 0.2, e = 0.7;
  const double I = m * a * a / 3;
  const auto model = solid(m, {0, 0, 0}, {1e-4, I, I}, {{-a, 0, 0}});
  const double c = std::cos(theta), s = std::sin(theta);
  // of the tip at (-a c, -a s) from the centre
  const double nn = 1 / m + a * a * c * c / I, nt = -a * a * c * s / I;
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kRevolute, {mu, mu, e});
    settings.impact_law = law;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    // the tip arrives with 3 m/s along the ground and 1 m/s into it
    simulator->start_in_flight(
        in_the_air(*model, settings.ground, JointKind::kPlanar,
                   placed({0, -theta, 0}, {a * c, 0, a * s}), {}, {3, 0, -1}),
        JointKind::kPlanar);
    ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    const auto events = read_events(*simulator);
    ASSERT_EQ(events.size(), 1u);
    const double p_n = (1 + e) / (nn - mu * nt), p_t = -mu * p_n;
    EXPECT_NEAR(p_n, 0.69349509633708, 1e-13);
    EXPECT_NEAR(events[0].impulse_W.z, p_n, 1e-13);
    EXPECT_NEAR(events[0].impulse_W.x, p_t, 1e-13);
    EXPECT_NEAR(events[0].velocity_after_W.z, e, 1e-13);
    EXPECT_NEAR(events[0].velocity_after_W.x, 1.5929455553770429, 1e-13);
    EXPECT_NEAR(events[0].energy_lost, 0.42254278649027854, 1e-13);
  }
}

// Rods at every angle, sliding either way: whichever the law, friction and restitution bring no energy in, the tip does not
// go into the ground, and friction stays in its cone. Newton's law would at some of them (Kane): there it bounces less.
TEST(Bounce, NoImpactBringsEnergyIn) {
  Random random(11);
  const double a = 1, m = 1;
  const auto model = solid(m, {0, 0, 0}, {1e-4, m * a * a / 3, m * a * a / 3}, {{-a, 0, 0}});
  int lowered = 0, differ = 0;
  for (int k = 0; k < 300; ++k) {
    const double theta = uniform(random, 0.2, 1.5), mu = uniform(random, 0, 1.2);
    const double e = uniform(random, 0, 1), slip = uniform(random, -4, 4);
    double p_n[2] = {};
    for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
      SimulatorSettings settings = feet_of(*model, 1, JointKind::kRevolute, {mu, mu, e});
      settings.impact_law = law;
      auto simulator = std::make_unique<Simulator>(*model, settings);
      simulator->start_in_flight(
          in_the_air(*model, settings.ground, JointKind::kPlanar,
                     placed({0, -theta, 0}, {a * std::cos(theta), 0, a * std::sin(theta)}), {},
                     {slip, 0, -1}),
          JointKind::kPlanar);
      ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
      const auto events = read_events(*simulator);
      ASSERT_GE(events.size(), 1u);
      const ContactEvent& event = events[0];
      EXPECT_GE(event.energy_lost, -1e-12 * (1 + slip * slip)) << k;
      EXPECT_GE(event.velocity_after_W.z, -1e-9);
      EXPECT_LE(std::abs(event.impulse_W.x), mu * event.impulse_W.z + 1e-9);
      EXPECT_LE(event.restitution, e);
      lowered += law == ImpactLaw::kNewton && event.restitution < e - 1e-6;
      p_n[law == ImpactLaw::kPoisson] = event.impulse_W.z;
    }
    differ += std::abs(p_n[0] - p_n[1]) > 1e-3 * p_n[0];
  }
  EXPECT_GT(lowered, 0);
  EXPECT_GT(differ, 20);
}

// A cube falls flat: its four corners strike at one instant, and it stands at once, whatever friction.
TEST(Bounce, CubeLandsFlat) {
  const Eigen::Vector3d h(0.1, 0.1, 0.1);
  const auto model = box(5, h);
  for (const double mu : {0.0, 0.3, std::numeric_limits<double>::infinity()}) {
    SimulatorSettings settings;
    settings.foot_count = 1;
    settings.feet[0] = box_foot(*model, h, {mu, mu < 1 ? mu : 0, 0}, 8);
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({0, 0, 0.4}, {0, 0, 0.1}), {}, {0, 0, -2}));
    Watched watched(*simulator);
    ASSERT_TRUE(watched.step());
    const auto events = read_events(*simulator);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, EventKind::kTouchdown);
    EXPECT_NEAR(events[0].impulse_W.z, 10, 1e-13);
    EXPECT_NEAR(events[0].energy_lost, 10, 1e-13);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(simulator->impulses()[k].z, 2.5 + 5 * kGravity * settings.step / 4, 1e-12);
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(watched.step());
    EXPECT_EQ(simulator->events().size(), 0);
    EXPECT_LT(norm(motion_of_body(*simulator).X_WL.p - Vec3<double>{0, 0, 0.1}), 1e-12);
    watched.expect_laws(1e-11);
  }
}

}  // namespace
}  // namespace stance
