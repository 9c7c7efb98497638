// Standing: who carries what, that it does not matter who is the root, hands that grip and stops that press.
#include <gtest/gtest.h>

#include "support/on_the_ground.hpp"
#include "support/random_robot.hpp"

namespace stance {
namespace {

using namespace test;

double pressure(const Simulator& simulator, const Load& load, int site) {
  return dot(simulator.settings().ground.normal, load.force_W[static_cast<std::size_t>(site)]);
}

// A plate on four feet at (±1, ±0.6), 0.5 above the ground, its weight of 30 N at (x, y): as feet of their own, or as the
// corners of one sole.
struct Plate {
  std::unique_ptr<Model> model;
  std::unique_ptr<Simulator> simulator;
};
const double kA = 1, kB = 0.6, kWeight = 30;
Plate plate(double x, double y, int feet, bool sole) {
  const Vec3<double> p[] = {{kA, kB, -0.5}, {kA, -kB, -0.5}, {-kA, kB, -0.5}, {-kA, -kB, -0.5}};
  std::vector<Eigen::Vector3d> at;
  for (int k = 0; k < (sole ? 1 : feet); ++k)
    at.push_back(sole ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(p[k].x, p[k].y, p[k].z));
  Plate out{solid(kWeight / kGravity, {x, y, 0.2}, {0.4, 0.7, 0.9}, at), nullptr};
  SimulatorSettings settings = feet_of(*out.model, sole ? 1 : feet,
                                       sole ? JointKind::kFixed : JointKind::kBall, {0.8, 0.8, 0});
  if (sole) {
    settings.feet[0].corner_count = feet;
    for (int k = 0; k < feet; ++k) settings.feet[0].corners[static_cast<std::size_t>(k)] = p[k];
  }
  out.simulator = std::make_unique<Simulator>(*out.model, settings);
  out.simulator->start_in_flight(
      in_the_air(*out.model, settings.ground, JointKind::kFree, placed({}, {0, 0, 0.5})));
  return out;
}

// Of all forces that carry the weight the four give those whose sum of squares is least, as equal springs would:
// W/4 (1 ± x/a ± y/b). Where one would pull, it carries nothing, and statics of three say the rest.
void expect_least_norm(const std::vector<bool>& soles) {
  Random random(21);
  for (int k = 0; k < 40; ++k) {
    const double x = uniform(random, -0.95, 0.95) * kA;
    const double y = uniform(random, -0.95, 0.95) * kB;
    const double reach = std::abs(x) / kA + std::abs(y) / kB;
    for (const bool sole : soles) {
      const Plate p = plate(x, y, 4, sole);
      Watched watched(*p.simulator);
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(watched.step());
      DofVector a;
      auto load = std::make_unique<Load>();
      ASSERT_EQ(p.simulator->observe({}, {}, a, *load), Status::kOk);
      const double sx[] = {1, 1, -1, -1}, sy[] = {1, -1, 1, -1};
      for (int i = 0; i < 4; ++i) {
        double share = 0.25 * (1 + sx[i] * x / kA + sy[i] * y / kB);
        if (reach > 1) {  // the one opposite to the load is left out
          const double u = std::abs(x) / kA, v = std::abs(y) / kB;
          const bool near_x = sx[i] * x > 0, near_y = sy[i] * y > 0;
          share = near_x && near_y ? (u + v) / 2 : near_x ? (1 - v) / 2 : near_y ? (1 - u) / 2 : 0;
        }
        EXPECT_NEAR(pressure(*p.simulator, *load, i), kWeight * share, 1e-10 * kWeight)
            << x << ' ' << y << ' ' << i << ' ' << sole;
      }
      EXPECT_LT(norm(motion_of_body(*p.simulator).X_WL.p - Vec3<double>{0, 0, 0.5}), 1e-12);
      EXPECT_EQ(p.simulator->settled_steps(), 0u);
      watched.expect_laws(1e-11);
    }
  }
}

TEST(Stand, FourCornersShareByLeastNorm) { expect_least_norm({true}); }

// The same for feet of their own. Not yet: the root's foot is held by its joint, and the norm is that of the others alone.
TEST(Stand, FourFeetShareByLeastNorm) { expect_least_norm({false}); }

// Three are statically determined; nobody needs a norm.
TEST(Stand, ThreeFeetCarryWhatStaticsSay) {
  Random random(22);
  for (int k = 0; k < 20; ++k) {
    // weight within the triangle (a, b), (a, -b), (-a, b)
    double s[3] = {uniform(random, 0.05, 1), uniform(random, 0.05, 1), uniform(random, 0.05, 1)};
    const double sum = s[0] + s[1] + s[2];
    for (double& share : s) share /= sum;
    const double x = kA * (s[0] + s[1] - s[2]), y = kB * (s[0] - s[1] + s[2]);
    for (const bool sole : {false, true}) {
      const Plate p = plate(x, y, 3, sole);
      Watched watched(*p.simulator);
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(watched.step());
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(p.simulator->impulses()[i].z / p.simulator->settings().step, kWeight * s[i],
                    1e-10 * kWeight);
      watched.expect_laws(1e-11);
    }
  }
}

// On a line of three feet in the plane: equal springs give 7, 10 and 13 N at x = 0.2, and from 2/3 on the left one none.
// As four feet of their own: not yet.
TEST(Stand, BeamOnThreeFeet) {
  for (const double x : {0.2, 0.6, 0.8}) {
    const auto model = solid(kWeight / kGravity, {x, 0, 0.1}, {0.4, 0.7, 0.9},
                             {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}});
    const SimulatorSettings settings = feet_of(*model, 3, JointKind::kRevolute, {0.8, 0.8, 0});
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kPlanar, {}),
                               JointKind::kPlanar);
    Watched watched(*simulator);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(watched.step());
    const double springs[] = {10 - 15 * x, 10, 10 + 15 * x};
    const double two[] = {0, kWeight * (1 - x), kWeight * x};
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(simulator->impulses()[i].z / settings.step, x > 2.0 / 3 ? two[i] : springs[i],
                  1e-9)
          << x << ' ' << i;
    watched.expect_laws(1e-11);
  }
}

// ---- a quadruped

// Legs of three hinges, lengths and masses of every leg its own, all feet on the ground with bent knees.
const double kThigh = 0.7, kShank = -0.7, kHip = 0.42;  // rad, rad, m
std::unique_ptr<Model> quadruped(Random& random) {
  Description robot;
  robot.name = "quadruped";
  robot.links = {link("trunk", 8, {0.02, 0.01, 0}, {0.1, 0.3, 0.35})};
  for (int k = 0; k < 4; ++k) {
    const std::string n = std::to_string(k);
    const double thigh = uniform(random, 0.24, 0.28);
    const double shank = (kHip - thigh * std::cos(kThigh)) / std::cos(kShank);
    const double m = uniform(random, 0.4, 0.8);
    robot.links.push_back(link("hip" + n, 0.5 * m, {0.01, 0, 0}, {1e-3, 1e-3, 1e-3}));
    robot.links.push_back(link("thigh" + n, m, {0, 0.01, -0.1}, {6e-3, 6e-3, 1e-3}));
    robot.links.push_back(link("shank" + n, 0.4 * m, {0, 0, -0.1}, {2e-3, 2e-3, 3e-4}));
    robot.links.push_back({"foot" + n, std::nullopt});
    const Eigen::Vector3d at((k & 2) != 0 ? -0.25 : 0.25, (k & 1) != 0 ? -0.15 : 0.15, 0);
    robot.joints.push_back(
        joint("abduct" + n, JointType::kRevolute, "trunk", "hip" + n, at, {1, 0, 0}));
    robot.joints.push_back(joint("flex" + n, JointType::kRevolute, "hip" + n, "thigh" + n));
    robot.joints.push_back(
        joint("knee" + n, JointType::kRevolute, "thigh" + n, "shank" + n, {0, 0, -thigh}));
    robot.joints.push_back(
        joint("ankle" + n, JointType::kFixed, "shank" + n, "foot" + n, {0, 0, -shank}));
  }
  for (JointDescription& j : robot.joints) {
    j.limits.lower = -3, j.limits.upper = 3;
    j.damping = 0.05;
  }
  return std::make_unique<Model>(*build_model(robot));
}

State standing(const Model& model) {
  State state = in_the_air(model, {}, JointKind::kFree, placed({}, {0, 0, kHip}));
  for (int k = 0; k < 4; ++k) {
    state.q[model.joints[find_joint(model, "flex" + std::to_string(k))].q_index] = kThigh;
    state.q[model.joints[find_joint(model, "knee" + std::to_string(k))].q_index] = kShank - kThigh;
  }
  return state;
}

// A leg pushes down with a quarter of the weight through its knee, and everything shakes.
DofVector efforts(Random& random, const Model& model) {
  DofVector tau{};
  for (int i = 1; i < model.body_count; ++i)
    tau[model.joints[i].v_index] = uniform(random, -0.3, 0.3);
  for (int k = 0; k < 4; ++k)
    tau[model.joints[find_joint(model, "knee" + std::to_string(k))].v_index] += 0.25 *
                                                                                total_mass(model) *
                                                                                kGravity * 0.26 *
                                                                                std::sin(kThigh);
  return tau;
}

// Accelerations of all bodies, forces of all feet, and where the robot is after half a second: whichever of the feet that
// stand is the root, they are the same.
TEST(Stand, DISABLED_NothingDependsOnWhichFootIsTheRoot) {
  Random random(23);
  const auto model = quadruped(random);
  SimulatorSettings settings = feet_of(*model, 4, JointKind::kBall, {});
  auto first = std::make_unique<Simulator>(*model, settings);
  first->start_in_flight(standing(*model));
  for (int k = 0; k < 20; ++k) ASSERT_EQ(first->step(efforts(random, *model)), Status::kOk);
  const SimulatorSnapshot snapshot = first->save();
  std::vector<std::unique_ptr<Simulator>> twins;
  for (int f = 0; f < 4; ++f) {
    ASSERT_EQ(first->foot_mode(f), ContactMode::kStick);
    SimulatorSnapshot rooted = snapshot;
    Tree tree = first->tree();
    const Footing footing{JointKind::kBall, first->site_point(f), settings.ground.support_axes(),
                          0};
    (void)reroot(*model, model->frames[settings.feet[static_cast<std::size_t>(f)].frame].body,
                 footing, tree, rooted.state);
    rooted.mode.root = tree.root, rooted.mode.support = tree.support, rooted.mode.root_foot = f;
    twins.push_back(std::make_unique<Simulator>(*model, settings));
    twins.back()->restore(rooted);
    EXPECT_EQ(twins.back()->support_foot(), f);
  }
  double worst_a = 0, worst_f = 0, worst_p = 0;
  for (int k = 0; k < 300; ++k) {
    const DofVector tau = efforts(random, *model);
    DofVector a0, a1;
    auto load0 = std::make_unique<Load>(), load1 = std::make_unique<Load>();
    ASSERT_EQ(twins[0]->observe(tau, {}, a0, *load0), Status::kOk);
    for (int f = 1; f < 4; ++f) {
      if (k == 0) ASSERT_EQ(twins[static_cast<std::size_t>(f)]->support_foot(), f);
      ASSERT_EQ(twins[static_cast<std::size_t>(f)]->observe(tau, {}, a1, *load1), Status::kOk);
      double size = 1;
      for (int d = kSupportDofs; d < model->dof_count; ++d) size = std::max(size, std::abs(a0[d]));
      for (int d = kSupportDofs; d < model->dof_count; ++d)
        worst_a = std::max(worst_a, std::abs(a1[d] - a0[d]) / size);
      for (std::size_t i = 0; i < 4; ++i)
        worst_f = std::max(
            worst_f, norm(load1->force_W[i] - load0->force_W[i]) / (total_mass(*model) * kGravity));
      const BodyMotion m0 = motion_of_body(*twins[0]),
                       m1 = motion_of_body(*twins[static_cast<std::size_t>(f)]);
      worst_p = std::max(
          {worst_p, norm(m1.X_WL.p - m0.X_WL.p), norm(m1.v_W - m0.v_W), norm(m1.w_W - m0.w_W)});
    }
    for (const auto& twin : twins) ASSERT_EQ(twin->step(tau), Status::kOk);
  }
  EXPECT_LT(worst_a, 1e-9);
  EXPECT_LT(worst_f, 1e-9);
  EXPECT_LT(worst_p, 1e-9);
}

// The same robot under random efforts and friction: feet slip, lift, land, and the books stay balanced. Not yet: energy is
// off by 6e-6 of what was moved, momentum by 1e-6, where slides are slow (doc/contact.md).
TEST(Stand, DISABLED_QuadrupedThatStumblesKeepsItsBooks) {
  Random random(24);
  for (const JointKind support : {JointKind::kBall, JointKind::kFree}) {
    const auto model = quadruped(random);
    SimulatorSettings settings = feet_of(*model, 4, support, {0.5, 0.4, 0.2},
                                         support == JointKind::kFree ? 0.02 : 0);
    settings.step = 5e-4;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    State state = standing(*model);
    if (support == JointKind::kFree) state.q[2] += 0.02;
    simulator->start_in_flight(state);
    Watched watched(*simulator);
    int events = 0;
    DofVector tau = efforts(random, *model);
    for (int k = 0; k < 800; ++k) {
      if (k % 40 == 0) {
        tau = efforts(random, *model);
        for (double& t : tau) t *= uniform(random, 0.3, 2);
      }
      ASSERT_TRUE(watched.step(tau));
      events += static_cast<int>(read_events(*simulator).size());
    }
    EXPECT_GT(events, 10);
    watched.expect_laws();
  }
}

// ---- hands and stops

// A body that hangs from a ceiling by a hand: the hand pulls, which no foot would, and does not slip; as a pendulum about a
// point it keeps its energy, and its force on the ceiling is that of a pendulum.
TEST(Stand, AHandHoldsWhateverTheForce) {
  const double l = 0.3, m = 2, angle = 0.8;
  const auto model = solid(m, {0, 0, -l}, {0.01, 0.02, 0.015}, {{0, 0, 0}});
  for (const JointKind grip : {JointKind::kBall, JointKind::kFixed}) {
    SimulatorSettings settings = feet_of(*model, 1, grip, {0.1, 0.1, 0});
    settings.feet[0].grips = true;
    settings.ground.normal = {0, 0, -1};
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({0, angle, 0}, {0.1, 0.2, 0})));
    Watched watched(*simulator);
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(watched.step());
      ASSERT_LT(norm(simulator->site_point(0) - Vec3<double>{0.1, 0.2, 0}), 1e-13);
    }
    DofVector a;
    auto load = std::make_unique<Load>();
    ASSERT_EQ(simulator->observe({}, {}, a, *load), Status::kOk);
    const BodyMotion end = motion_of_body(*simulator);
    if (grip == JointKind::kFixed) {  // the turns are held as well: it hangs where it was
      EXPECT_LT(norm(end.w_W), 1e-14);
      EXPECT_NEAR(end.X_WL.R.c.x, std::sin(angle), 1e-14);
      EXPECT_LT(norm(load->force_W[0] - Vec3<double>{0, 0, m * kGravity}), 1e-11);
    } else {
      const double I = m * l * l + 0.02, s = end.X_WL.R.c.x, c = end.X_WL.R.c.z;
      // energy: I w²/2 = m g l (cos - cos0); tension m g cos + m l w², across: m g sin (1 - m l²/I)
      const double w2 = 2 * m * kGravity * l * (c - std::cos(angle)) / I;
      EXPECT_NEAR(dot(end.w_W, end.w_W), w2, 1e-9);
      const Vec3<double> along{s, 0, c}, across{c, 0, -s};
      EXPECT_NEAR(dot(load->force_W[0], along), m * kGravity * c + m * l * w2, 1e-8);
      EXPECT_NEAR(dot(load->force_W[0], across), -m * kGravity * s * (1 - m * l * l / I), 1e-8);
    }
    watched.expect_laws();
  }
}

// A mass that slides on a post, which stands on its sole: dropped on its stop it bounces as the ball of test_bounce.cpp does,
// then presses with its weight; lifted by more than that it leaves, and the stop says so.
TEST(Stand, AStopIsPressedAndLeft) {
  Description robot;
  robot.name = "post";
  robot.links = {link("post", 10, {0, 0, 0}, {1, 1, 1}),
                 link("mass", 2, {0, 0, 0}, {0.01, 0.01, 0.01}),
                 {"foot0", std::nullopt}};
  robot.joints = {joint("slide", JointType::kPrismatic, "post", "mass", {0, 0, 0}, {0, 0, 1}),
                  joint("to_foot", JointType::kFixed, "post", "foot0", {0, 0, -1})};
  robot.joints[0].limits.lower = 0.1, robot.joints[0].limits.upper = 2;
  const auto model = std::make_unique<Model>(*build_model(robot));
  for (const double e : {0.0, 0.5}) {
    SimulatorSettings settings = feet_of(*model, 1, JointKind::kFixed, {});
    settings.feet[0].grips = true;
    settings.stop_count = 1;
    settings.stops[0] = {find_joint(*model, "slide"), true, -1, e};
    auto simulator = std::make_unique<Simulator>(*model, settings);
    State state = in_the_air(*model, settings.ground, JointKind::kFree, placed({}, {0, 0, 1}));
    const Joint& slide = model->joints[find_joint(*model, "slide")];
    const double h = 0.4;
    state.q[slide.q_index] = 0.1 + h;
    simulator->start_in_flight(state);
    Watched watched(*simulator);
    while (simulator->state().time < 1.5) ASSERT_TRUE(watched.step());
    auto events = read_events(*simulator);
    std::vector<double> stops;
    for (const ContactEvent& event : events) {
      if (event.kind == EventKind::kStop) stops.push_back(event.time);
    }
    double t = std::sqrt(2 * h / kGravity), v = kGravity * t;
    std::size_t n = 0;
    for (; n < stops.size(); ++n) {
      EXPECT_NEAR(stops[n], t, 1e-9);
      if (v <= settings.capture_speed || e == 0) break;
      v *= e, t += 2 * v / kGravity;
    }
    EXPECT_EQ(n + 1, stops.size());
    EXPECT_GE(stops.size(), e > 0 ? 10u : 1u);
    EXPECT_EQ(simulator->mode().stops[0], StopMode::kPressed);
    DofVector a, tau{};
    auto load = std::make_unique<Load>();
    ASSERT_EQ(simulator->observe({}, {}, a, *load), Status::kOk);
    EXPECT_NEAR(load->stop[0], 2 * kGravity, 1e-10);
    tau[slide.v_index] = 0.999 * 2 * kGravity;
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(watched.step(tau));
    EXPECT_EQ(simulator->events().size(), 0);
    EXPECT_NEAR(simulator->state().q[slide.q_index], 0.1, 1e-12);
    tau[slide.v_index] = 1.25 * 2 * kGravity;
    const double left = simulator->state().time;
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(watched.step(tau));
    events = read_events(*simulator);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, EventKind::kRelease);
    EXPECT_EQ(events[0].joint, find_joint(*model, "slide"));
    EXPECT_EQ(events[0].time, left);  // with the effort, at once
    EXPECT_NEAR(simulator->state().q[slide.q_index], 0.1 + 0.5 * 0.25 * kGravity * 0.04, 1e-11);
    watched.expect_laws();
  }
}

// Held between a palm and a finger that press with a constant effort, at 95 % of what friction holds: nothing creeps.
// The world is the palm here: a rod of 0.1 kg under a ceiling, pressed up with F = mg + N, pulled sideways with 0.95 mu N.
TEST(Stand, AGrippedRodDoesNotCreep) {
  const double m = 0.1, N = 2, mu = 0.6;
  const auto model = solid(m, {0, 0, 0}, {2e-3, 2e-3, 2e-3}, {{0, 0.05, 0.02}, {0, -0.05, 0.02}});
  SimulatorSettings settings = feet_of(*model, 2, JointKind::kBall, {mu, mu, 0});
  settings.ground.normal = {0, 0, -1};
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kFree, placed({}, {0, 0, -0.02})));
  std::vector<Force<double>> f_ext(static_cast<std::size_t>(model->body_count));
  const Vec3<double> f{0, 0.95 * mu * N, m * kGravity + N};
  const Vec3<double> at{0, 0, 0.02};  // between the pads
  f_ext[0] = {cross(at, f), f};
  ASSERT_EQ(simulator->step({}, f_ext), Status::kOk);
  const Vec3<double> p = motion_of_body(*simulator).X_WL.p;
  for (int k = 0; k < 5000; ++k) ASSERT_EQ(simulator->step({}, f_ext), Status::kOk);
  EXPECT_LT(norm(motion_of_body(*simulator).X_WL.p - p), 1e-12);
  EXPECT_EQ(count(read_events(*simulator), EventKind::kSlide), 0);
  f_ext[0].f.y = 1.5 * mu * N, f_ext[0].n = cross(at, f_ext[0].f);
  for (int k = 0; k < 50; ++k) ASSERT_EQ(simulator->step({}, f_ext), Status::kOk);
  EXPECT_NEAR(motion_of_body(*simulator).v_W.y, 0.5 * mu * N / m * 0.05, 1e-10);
}

}  // namespace
}  // namespace stance
