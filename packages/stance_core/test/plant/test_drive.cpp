// The joints' law, friction and limits: identities on random robots, and closed forms on a pendulum.
#include "stance_core/plant/drive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stance_core/dynamics/aba.hpp"
#include "support/plants.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Driven {
  Case c;
  std::unique_ptr<Tree> scratch = std::make_unique<Tree>();
  std::array<Drive, kMaxBodies> drives{};
  std::array<Actuator, kMaxBodies> actuators{};

  DriveEfforts efforts(double h, double theta) {
    DriveEfforts e;
    struct Free final : Dynamics {
      Case& c;
      explicit Free(Case& of) : c(of) {}
      Status solve(const Tree& tree, const DofVector& tau, DofVector& a) noexcept override {
        return aba(*c.model, tree, c.state, tau, c.f_ext, *c.w, a);
      }
    };
    Free dynamics(c);
    EXPECT_EQ(drive_efforts(*c.model, *c.tree, c.state, drives, actuators, h, theta, dynamics,
                            *scratch, e),
              Status::kOk);
    return e;
  }
  // The accelerations that these efforts give, damping of the model included.
  DofVector accelerations(const DriveEfforts& e) {
    DofVector tau = e.total, a{};
    for (int i = 1; i < c.model->body_count; ++i) {
      const Joint& joint = c.model->joints[i];
      for (int j = 0; j < dof_count(joint.kind); ++j)
        tau[joint.v_index + j] -= joint.damping * c.state.v[joint.v_index + j];
    }
    EXPECT_EQ(aba(*c.model, *c.tree, c.state, tau, c.f_ext, *c.w, a), Status::kOk);
    return a;
  }
};

Driven random_driven(Random& random, JointKind support) {
  Driven d{random_case(random, {8, false, true, 0.5}, support)};
  Model& model = *d.c.model;
  std::array<bool, kMaxBodies> follows{};
  for (int k = 0; k < model.mimic_count; ++k) follows[model.mimics[k].joint] = true;
  for (int i = 1; i < model.body_count; ++i) {
    model.joints[i].damping = uniform(random, 0, 1);
    d.actuators[i].effort_limit = kInfinity;
    if (dof_count(model.joints[i].kind) != 1 || follows[i]) continue;
    d.drives[i] = {true,
                   uniform(random),
                   uniform(random),
                   std::pow(10, uniform(random, -2, 5)),
                   std::pow(10, uniform(random, -2, 3)),
                   uniform(random, -5, 5),
                   1};
  }
  derive(model);
  return d;
}

// The effort that is held is the law at the state theta h ahead, under the acceleration that it causes itself.
TEST(Drive, IsTheLawAheadOfTime) {
  Random random(1);
  for (const JointKind support : kSupports) {
    for (int round = 0; round < 10; ++round) {
      Driven d = random_driven(random, support);
      const Model& model = *d.c.model;
      for (const double theta : {0.5, 0.8, 1.0}) {
        const double h = 1e-3;
        const DriveEfforts e = d.efforts(h, theta);
        const DofVector a = d.accelerations(e);
        for (int i = 1; i < model.body_count; ++i) {
          const Drive& drive = d.drives[i];
          if (!drive.active) {
            EXPECT_EQ(e.motor[i], 0);
            continue;
          }
          const double v = d.c.state.v[model.joints[i].v_index] +
                           theta * h * a[model.joints[i].v_index];
          const double q = d.c.state.q[model.joints[i].q_index] + theta * h * v;
          const double law = drive.kp * (drive.q_target - q) + drive.kd * (drive.v_target - v) +
                             drive.feed_forward;
          // rounding of efforts of 1e5 through accelerations that h² kp amplifies
          EXPECT_NEAR(e.motor[i], law, 1e-7 * (1 + std::abs(law))) << to_string(support);
          EXPECT_EQ(e.total[model.joints[i].v_index], e.motor[i]);
        }
      }
    }
  }
}

// Position, velocity and feed-forward superpose.
TEST(Drive, HybridIsTheSumOfItsParts) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    Driven d = random_driven(random, JointKind::kFree);
    const auto whole = d.drives;
    const auto part = [&](bool position, bool velocity, bool effort) {
      for (int i = 1; i < d.c.model->body_count; ++i) {
        d.drives[i].q_target = position ? whole[i].q_target : 0;
        d.drives[i].v_target = velocity ? whole[i].v_target : 0;
        d.drives[i].feed_forward = effort ? whole[i].feed_forward : 0;
      }
      return d.efforts(1e-3, 1);
    };
    const DriveEfforts none = part(false, false, false), all = part(true, true, true),
                       position = part(true, false, false), velocity = part(false, true, false),
                       effort = part(false, false, true);
    double size = 1;
    for (int i = 1; i < d.c.model->body_count; ++i) size = std::max(size, std::abs(all.motor[i]));
    for (int i = 1; i < d.c.model->body_count; ++i) {
      EXPECT_NEAR(all.motor[i],
                  position.motor[i] + velocity.motor[i] + effort.motor[i] - 2 * none.motor[i],
                  1e-9 * size);
    }
  }
}

// With no gains and no friction nothing is solved for: the effort is what was asked for, to the last bit.
TEST(Drive, EffortsPassThrough) {
  Random random(3);
  Driven d = random_driven(random, JointKind::kBall);
  for (Drive& drive : d.drives) drive.kp = drive.kd = 0;
  const DriveEfforts e = d.efforts(1e-3, 1);
  for (int i = 1; i < d.c.model->body_count; ++i)
    EXPECT_EQ(e.motor[i], d.drives[i].active ? d.drives[i].feed_forward : 0);
}

TEST(Drive, LimitsAndLossOfTorque) {
  Random random(4);
  int saturated = 0;
  for (int round = 0; round < 20; ++round) {
    Driven d = random_driven(random, JointKind::kFree);
    for (int i = 1; i < d.c.model->body_count; ++i) {
      d.actuators[i].effort_limit = 3;
      d.drives[i].strength = round % 2 == 0 ? 1 : 0.25;
    }
    const DriveEfforts e = d.efforts(1e-3, 1);
    for (int i = 1; i < d.c.model->body_count; ++i) {
      EXPECT_LE(std::abs(e.motor[i]), 3 * d.drives[i].strength * (1 + 1e-15));
      if (!e.saturated[i]) continue;
      EXPECT_NEAR(std::abs(e.motor[i]), 3 * d.drives[i].strength, 1e-14);
      ++saturated;
    }
  }
  EXPECT_GT(saturated, 20);
}

// ---- the pendulum without gravity: an inertia of 0.5 kg m²

constexpr double kInertia = 0.5;

// x'' = -w² x - 2 z w x', from (x0, v0)
double oscillator(double t, double w, double z, double x0, double v0) {
  const double d = w * std::sqrt(1 - z * z);
  return std::exp(-z * w * t) * (x0 * std::cos(d * t) + (v0 + z * w * x0) / d * std::sin(d * t));
}

// Largest error over one second.
double oscillator_error(double step, double theta, Method method) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.theta = theta;
  const auto plant = pendulum_plant(*model, 0.4, 1, settings, step, method);
  const double w = 15, z = 0.2;
  EXPECT_EQ(plant->switch_commands(kSwing, kHybridCommand), Status::kOk);
  EXPECT_EQ(plant->write(kSwing, {0.1, 0, 0, kInertia * w * w, 2 * z * w * kInertia}), Status::kOk);
  double error = 0;
  for (int k = 1; k * step <= 1; ++k) {
    EXPECT_EQ(plant->step(), Status::kOk);
    error = std::max(
        error, std::abs(plant->joint(kSwing).position - 0.1 - oscillator(k * step, w, z, 0.3, 1)));
  }
  return error;
}

TEST(Drive, PendulumIsTheDampedOscillator) {
  // implicit Euler: first order
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    const double coarse = oscillator_error(1e-3, 1, method),
                 fine = oscillator_error(5e-4, 1, method);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);
  }
  // midpoint: second order
  const double coarse = oscillator_error(1e-3, 0.5, Method::kRungeKutta4),
               fine = oscillator_error(5e-4, 0.5, Method::kRungeKutta4);
  EXPECT_LT(coarse, 2e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

// The midpoint rule keeps the energy of a spring.
TEST(Drive, MidpointKeepsTheEnergyOfASpring) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.theta = 0.5;
  const auto plant = pendulum_plant(*model, 0.4, 0, settings, 1e-3);
  const double kp = 800;
  ASSERT_EQ(plant->switch_commands(kSwing, kHybridCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {0, 0, 0, kp, 0}), Status::kOk);
  const double energy = 0.5 * kp * 0.4 * 0.4;
  for (int k = 0; k < 20000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const JointReading& joint = plant->joint(kSwing);
    ASSERT_NEAR(0.5 * kp * joint.position * joint.position +
                    0.5 * kInertia * joint.velocity * joint.velocity,
                energy, 1e-9 * energy);  // rounding of 20,000 steps
  }
}

// Gains a million times beyond what an explicit law survives (h kd / I = 2e6): no matter.
TEST(Drive, IsStableForAnyGains) {
  const auto model = pendulum(1e-4, 0.1, 9.81);
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    for (const double kd : {0.0, 1.0, 2e3}) {
      for (const double kp : {1.0, 1e3, 1e6}) {
        const auto plant = pendulum_plant(*model, 0.5, 2, {}, 1e-3, method);
        ASSERT_EQ(plant->switch_commands(kSwing, kHybridCommand), Status::kOk);
        ASSERT_EQ(plant->write(kSwing, {-0.3, 0, 0, kp, kd}), Status::kOk);
        for (int k = 0; k < 5000; ++k) {
          ASSERT_EQ(plant->step(), Status::kOk);
          ASSERT_LT(std::abs(plant->joint(kSwing).position), 1.2) << kp << ' ' << kd;
        }
        if (kd >= kp) continue;  // not there yet
        EXPECT_NEAR(plant->joint(kSwing).position, -0.3, 1e-3) << kp << ' ' << kd;
      }
    }
  }
}

// ---- limits

TEST(Drive, MotorFollowsItsLine) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  Actuator& motor = settings.actuators[kSwing];
  motor.stall_effort = 10, motor.no_load_speed = 20;
  motor.effort_limit = kInfinity;
  settings.theta = 0.5;
  const auto plant = pendulum_plant(*model, 0, 0, settings);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = 1e6}), Status::kOk);
  const double tau = kInertia * 20 / 10;  // time constant, 1 s
  for (int k = 1; k <= 4000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const double v = 20 * (1 - std::exp(-k * 1e-3 / tau));
    ASSERT_NEAR(plant->joint(kSwing).velocity, v, 1e-6);  // (h / tau)² / 12 of 20
    // the effort is that of the middle of the step, to (h / tau)² / 8 of 10
    ASSERT_NEAR(plant->joint(kSwing).effort, 10 * std::exp(-(k - 0.5) * 1e-3 / tau), 2e-6);
  }
  EXPECT_EQ(plant->saturated_steps(), 4000u);
}

TEST(Drive, LimitFirstThenTheLine) {
  const auto model = pendulum(2, 0.5, 0, 5);  // the file's limit
  PlantSettings settings;
  Actuator& motor = settings.actuators[kSwing];
  motor.stall_effort = 10, motor.no_load_speed = 20;
  const auto plant = pendulum_plant(*model, 0, 0, settings, 1e-4);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = -100}), Status::kOk);
  // 5 N m up to 10 rad/s, reached after 1 s; then the line
  ASSERT_EQ(plant->step(9000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, -9, 1e-9);
  EXPECT_DOUBLE_EQ(plant->joint(kSwing).effort, -5);
  ASSERT_EQ(plant->step(21000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, -20 + 10 * std::exp(-2.0), 2e-3);
  // braking is up to the limit
  ASSERT_EQ(plant->write(kSwing, {.effort = 100}), Status::kOk);
  ASSERT_EQ(plant->step(), Status::kOk);
  EXPECT_DOUBLE_EQ(plant->joint(kSwing).effort, 5);
}

// Driven beyond its no-load speed from outside, the motor gives nothing.
TEST(Drive, NothingBeyondNoLoadSpeed) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.actuators[kSwing].stall_effort = 10, settings.actuators[kSwing].no_load_speed = 20;
  const auto plant = pendulum_plant(*model, 0, 30, settings);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = 8}), Status::kOk);
  ASSERT_EQ(plant->step(100), Status::kOk);
  EXPECT_EQ(plant->joint(kSwing).effort, 0);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 30, 1e-12);
}

// ---- friction

TEST(Drive, DryFrictionStopsAJointInTimeAndNeverTurnsItRound) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.actuators[kSwing].friction = 2;
  const auto plant = pendulum_plant(*model, 0, 4, settings);
  double before = 4;
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const double v = plant->joint(kSwing).velocity;
    ASSERT_GE(v, 0);
    ASSERT_LE(v, before);
    // c / I = 4 rad/s²: a stop after 1 s; implicit, it is late by h c / I ln(v0 / v) or so
    before = v;
    if (k > 900) continue;
    ASSERT_NEAR(v, 4 - 4 * k * 1e-3, 0.02);
  }
  EXPECT_LT(before, 1e-9);
  EXPECT_NEAR(plant->joint(kSwing).position, 2, 0.02);  // v0² / (2 c / I)
}

TEST(Drive, DryFrictionHoldsButForACreep) {
  const auto model = pendulum();  // gravity's moment at 0.3 rad: 2.9 N m
  const double load = 2 * 9.81 * 0.5 * std::sin(0.3);
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    PlantSettings settings;
    settings.actuators[kSwing].friction = 4;
    const auto plant = pendulum_plant(*model, 0.3, 0, settings, 1e-3, method);
    ASSERT_EQ(plant->step(1000), Status::kOk);
    // it has crept 0.7 mrad, and that takes 0.2 % off the load
    EXPECT_NEAR(plant->joint(kSwing).velocity, -1e-3 * load / 4, 3e-6);
    EXPECT_EQ(plant->joint(kSwing).effort, 0);  // friction is not the motor's
    // and slips above it
    settings.actuators[kSwing].friction = 2;
    const auto slipping = pendulum_plant(*model, 0.3, 0, settings, 1e-3, method);
    ASSERT_EQ(slipping->step(100), Status::kOk);
    EXPECT_LT(slipping->joint(kSwing).velocity, -0.1);
  }
}

TEST(Drive, FrictionOfALightJointDoesNotChatter) {
  const auto model = pendulum(1e-4, 0.1, 0);  // 1e-6 kg m²: h c / (I v_s) = 1e6
  PlantSettings settings;
  settings.actuators[kSwing].friction = 1;
  const auto plant = pendulum_plant(*model, 0, 5, settings);
  double before = 5;
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    ASSERT_GE(plant->joint(kSwing).velocity, -1e-12);
    ASSERT_LE(plant->joint(kSwing).velocity, before);
    before = plant->joint(kSwing).velocity;
  }
}

TEST(Drive, ViscousFrictionIsExponential) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.theta = 0.5;
  settings.actuators[kSwing].viscous = 1.5;
  const auto plant = pendulum_plant(*model, 0, 4, settings);
  ASSERT_EQ(plant->step(1000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 4 * std::exp(-1.5 / kInertia), 1e-6);
}

}  // namespace
}  // namespace stance
