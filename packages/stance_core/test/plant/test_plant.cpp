// A plant as a controller meets it: cycles, modes, time, reset and snapshots.
#include "stance_core/plant/plant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/plants.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

// Nothing set and nothing commanded: the plant is the simulator, bit for bit, through impacts and re-roots.
TEST(Plant, WithoutSettingsIsTheSimulator) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto plant = make_plant(*model, settings, plant_settings);
  const auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->restore(plant_settings.keyframes[0].snapshot);
  int touchdowns = 0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_EQ(plant->simulator().hash(), simulator->hash()) << k;
    ContactEvent event;
    while (plant->pop_event(event)) touchdowns += event.kind == EventKind::kTouchdown;
  }
  EXPECT_GE(touchdowns, 3);
}

TEST(Plant, ServoHoldsAndMoves) {
  const auto model = pendulum();
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    const auto plant = pendulum_plant(*model, 0.7, 0, {}, 1e-3, method);
    ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
    ASSERT_EQ(plant->step(2000), Status::kOk);
    // sag: gravity's moment over kp, that is g sin(q) / (l w²)
    const double sag = 9.81 * std::sin(0.7) / (0.5 * 100 * 100);
    EXPECT_NEAR(plant->joint(kSwing).position, 0.7 - sag, 0.01 * sag);
    ASSERT_EQ(plant->write(kSwing, {.position = -0.4}), Status::kOk);
    ASSERT_EQ(plant->step(2000), Status::kOk);
    EXPECT_NEAR(plant->joint(kSwing).position, -0.4, 2e-3);
    EXPECT_NEAR(plant->joint(kSwing).velocity, 0, 1e-9);
  }
}

// The push-off is a command: it acts at the next touchdown, a reset takes it back, and a snapshot carries it.
TEST(Plant, PushesOffAtTheNextTouchdown) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  settings.push_off = {0, find_frame(*model, "hip")};
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto plant = make_plant(*model, settings, plant_settings);
  const auto impulse_of_next = [&] {  // of the push-off, if there is one before the touchdown
    double impulse = 0;
    for (int k = 0; k < 1000; ++k) {
      EXPECT_EQ(plant->step(), Status::kOk);
      ContactEvent event;
      while (plant->pop_event(event)) {
        if (event.kind == EventKind::kPushOff) impulse = norm(event.impulse_W);
        if (event.kind == EventKind::kTouchdown) return impulse;
      }
    }
    ADD_FAILURE() << "no touchdown";
    return impulse;
  };
  ASSERT_TRUE(plant->can_push_off());
  EXPECT_EQ(impulse_of_next(), 0);
  ASSERT_EQ(plant->write_push_off(0.25), Status::kOk);
  ASSERT_EQ(plant->write_push_off(std::nan("")), Status::kOk);  // not given: as before
  const auto saved = std::make_unique<PlantSnapshot>();
  plant->save(*saved);
  EXPECT_NEAR(impulse_of_next(), 0.25, 1e-15);
  ASSERT_EQ(plant->write_push_off(0), Status::kOk);
  EXPECT_EQ(impulse_of_next(), 0);
  plant->restore(*saved);
  EXPECT_NEAR(impulse_of_next(), 0.25, 1e-15);
  ASSERT_EQ(plant->reset(), Status::kOk);
  EXPECT_EQ(impulse_of_next(), 0);
}

TEST(Plant, RefusesAPushOffThatCannotBe) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto without = make_plant(*model, settings, plant_settings);
  EXPECT_FALSE(without->can_push_off());
  EXPECT_EQ(without->write_push_off(0.1), Status::kBadCommand);
  settings.push_off = {0.3, find_frame(*model, "hip")};
  const auto plant = make_plant(*model, settings, plant_settings);
  EXPECT_EQ(plant->write_push_off(-0.1), Status::kBadCommand);
  EXPECT_EQ(plant->write_push_off(HUGE_VAL), Status::kBadCommand);
  EXPECT_EQ(plant->refused_commands(), 2u);
  EXPECT_EQ(plant->simulator().settings().push_off.impulse, 0.3);
}

// ---- commands

TEST(Plant, VelocityAloneRunsAndStandsStill) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model, 0.8, 0);
  ASSERT_EQ(plant->switch_commands(kSwing, kVelocityCommand), Status::kOk);
  ASSERT_EQ(plant->step(2000), Status::kOk);
  const double q = plant->joint(kSwing).position;
  EXPECT_NEAR(q, 0.8, 2e-3);  // the servo's sag
  ASSERT_EQ(plant->step(5000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).position, q, 1e-9);  // and no drift, under load
  ASSERT_EQ(plant->write(kSwing, {.velocity = 0.5}), Status::kOk);
  ASSERT_EQ(plant->step(2000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 0.5, 2e-3);  // the load changes with the angle
  EXPECT_NEAR(plant->joint(kSwing).position, q + 1, 2e-2);
  ASSERT_EQ(plant->write(kSwing, {}), Status::kOk);  // NaN: stop
  ASSERT_EQ(plant->step(1000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 0, 1e-9);
}

// A joint that cannot follow does not store up what it missed: told to come back, it comes at once.
TEST(Plant, VelocityDoesNotWindUp) {
  const auto model = pendulum(2, 0.5, 9.81, 4);  // 4 N m hold 0.42 rad, not more
  PlantSettings settings;
  settings.actuators[kSwing].viscous = 2;  // so that it rests there
  const auto plant = pendulum_plant(*model, 0, 0, settings);
  ASSERT_EQ(plant->switch_commands(kSwing, kVelocityCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.velocity = 1}), Status::kOk);
  ASSERT_EQ(plant->step(10000), Status::kOk);
  EXPECT_GT(plant->saturated_steps(), 5000u);
  EXPECT_NEAR(plant->joint(kSwing).position, std::asin(4 / 9.81), 1e-3);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 0, 1e-3);
  ASSERT_EQ(plant->write(kSwing, {.velocity = -1}), Status::kOk);
  ASSERT_EQ(plant->step(300), Status::kOk);
  EXPECT_LT(plant->joint(kSwing).velocity, -0.5);
}

TEST(Plant, NaNHoldsAndInfinityIsRefused) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model, 0.3, 0);
  const double infinity = std::numeric_limits<double>::infinity();
  ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {}), Status::kOk);
  ASSERT_EQ(plant->step(1000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).position, 0.3, 1e-3);  // where it stood at the switch
  ASSERT_EQ(plant->write(kSwing, {.position = 0.5}), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {}), Status::kOk);
  EXPECT_EQ(plant->write(kSwing, {.position = infinity}), Status::kBadCommand);
  EXPECT_EQ(plant->refused_commands(), 1u);
  ASSERT_EQ(plant->step(1000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).position, 0.5, 2e-3);  // the last one given
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = 3}), Status::kOk);
  ASSERT_EQ(plant->step(), Status::kOk);
  EXPECT_EQ(plant->joint(kSwing).effort, 3);
  ASSERT_EQ(plant->write(kSwing, {}), Status::kOk);
  ASSERT_EQ(plant->step(), Status::kOk);
  EXPECT_EQ(plant->joint(kSwing).effort, 0);
}

// From any commands into any that hold: the joint stays, within the sag of its servo.
TEST(Plant, SwitchesWithoutAJump) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model, 0.3, 0);
  const CommandSet sets[] = {kPositionCommand, kVelocityCommand,
                             kPositionCommand | kVelocityCommand, kHybridCommand};
  for (const CommandSet from : sets) {
    for (const CommandSet to : sets) {
      ASSERT_EQ(plant->switch_commands(kSwing, from), Status::kOk);
      if (from == kHybridCommand) {
        ASSERT_EQ(plant->write(kSwing, {0.3, 0, 0, 5000, 100}), Status::kOk);
      }
      ASSERT_EQ(plant->step(500), Status::kOk);
      const double q = plant->joint(kSwing).position;
      ASSERT_EQ(plant->switch_commands(kSwing, to), Status::kOk);
      EXPECT_EQ(plant->commands(kSwing), to);
      if (to == kHybridCommand) {
        ASSERT_EQ(plant->write(kSwing, {.kp = 5000, .kd = 100}), Status::kOk);
      }
      for (int k = 0; k < 500; ++k) {
        ASSERT_EQ(plant->step(), Status::kOk);
        ASSERT_NEAR(plant->joint(kSwing).position, q, 1.5e-3) << int{from} << ' ' << int{to};
      }
    }
  }
  // what means nothing changes nothing
  EXPECT_EQ(plant->switch_commands(kSwing, kKpCommand), Status::kBadCommand);
  EXPECT_EQ(plant->switch_commands(kSwing, 64), Status::kBadCommand);
  EXPECT_EQ(plant->switch_commands(JointId(0), kEffortCommand), Status::kBadCommand);
  EXPECT_EQ(plant->switch_commands(JointId(), kEffortCommand), Status::kBadCommand);
  EXPECT_EQ(plant->write(JointId(9), {}), Status::kBadCommand);
  EXPECT_EQ(plant->commands(kSwing), kHybridCommand);
}

TEST(Plant, CommandsActAfterTheirDelay) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  for (const int n : {0, 1, 13}) {
    settings.actuators[kSwing].delay = n * 1e-3;
    const auto plant = pendulum_plant(*model, 0, 0, settings);
    ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
    for (int k = 0; k < 100; ++k) {
      ASSERT_EQ(plant->write(kSwing, {.effort = k + 1.0}), Status::kOk);
      ASSERT_EQ(plant->step(), Status::kOk);
      EXPECT_EQ(plant->joint(kSwing).effort, k < n ? 0 : k - n + 1) << n;
    }
  }
}

TEST(Plant, ArmatureOverrulesTheFile) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.actuators[kSwing].armature = 1.5;
  const auto plant = pendulum_plant(*model, 0, 0, settings);
  EXPECT_EQ(plant->model().joints[kSwing].armature, 1.5);
  EXPECT_EQ(model->joints[kSwing].armature, 0);
  // servo of the whole inertia: 100² and 2 * 100 times 2 kg m²
  EXPECT_NEAR(plant->actuator(kSwing).servo.kp, 2e4, 1e-8);
  EXPECT_NEAR(plant->actuator(kSwing).servo.kd, 400, 1e-10);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = 4}), Status::kOk);
  ASSERT_EQ(plant->step(1000), Status::kOk);
  EXPECT_NEAR(plant->joint(kSwing).velocity, 4 / (0.5 + 1.5), 1e-12);
}

// ---- pushes

// A free robot, tumbling: its momentum changes by the push's impulse and by gravity's, wherever it is pushed.
TEST(Plant, PushGivesItsImpulse) {
  Random random(3);
  double error[2] = {};
  for (int round = 0; round < 5; ++round) {
    const Case c = random_case(random, {6, false, false, 0.5}, JointKind::kFree);
    Wrench push;
    push.frame = FrameId(pick(random, c.model->frame_count));
    push.point_F = random_vector(random, 0.3);
    push.force_W = random_vector(random, 30);
    push.torque_W = random_vector(random, 3);
    push.start = 0.0113, push.duration = 0.0507, push.ramp = 0.011;
    const State start = random_state(random, *c.model, make_tree(*c.model));
    for (int fine = 0; fine < 2; ++fine) {
      SimulatorSettings settings;
      settings.step = fine == 0 ? 1e-3 : 5e-4;
      PlantSettings plant_settings;
      SimulatorSnapshot snapshot;
      snapshot.mode.root = BodyId(0);
      snapshot.state = start;
      plant_settings.keyframes = {{"start", snapshot}};
      const auto plant = make_plant(*c.model, settings, plant_settings);
      const auto momentum_now = [&] {
        kinematics(*c.model, plant->simulator().tree(), plant->simulator().state(), *c.w);
        return momentum(plant->simulator().tree(), *c.w).f;
      };
      const Vec3<double> before = momentum_now();
      ASSERT_EQ(plant->push(push), Status::kOk);
      ASSERT_EQ(plant->step(fine == 0 ? 100 : 200), Status::kOk);
      const Vec3<double> change = momentum_now() - before -
                                  c.model->gravity * (total_mass(*c.model) * 0.1);
      const Vec3<double> impulse = push.force_W * (push.duration - push.ramp);
      error[fine] += norm(change - impulse) / norm(impulse);
    }
  }
  // the direction of the force is that of the middle of the step: second order in the angle turned in it (five robots
  // whose links turn with up to a few tens of rad/s)
  EXPECT_LT(error[0], 1e-4);
  EXPECT_NEAR(error[0] / error[1], 4, 0.5);
}

// A body that does not turn: exact.
TEST(Plant, PushOnABodyIsExact) {
  Description robot;
  robot.name = "stone";
  robot.links = {link("stone", 2, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1})};
  const auto model = std::make_unique<Model>(*build_model(robot));
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    SimulatorSettings settings;
    settings.integrator.method = method;
    PlantSettings plant_settings;
    Wrench push;
    push.frame = FrameId(0), push.point_F = {0.1, 0.2, 0.3}, push.force_W = {3, 4, 5};
    push.start = 0.0123, push.duration = 0.3, push.ramp = 0.0456;
    plant_settings.wrenches = {push};
    const auto plant = make_plant(*model, settings, plant_settings);
    for (int run = 0; run < 2; ++run) {  // it comes again after a reset
      ASSERT_EQ(plant->step(500), Status::kOk);
      const double s = (0.3 - 0.0456) / 2;
      const Vec3<double> v = plant->base().linear_velocity;
      EXPECT_NEAR(v.x, 3 * s, 1e-12);
      EXPECT_NEAR(v.y, 4 * s, 1e-12);
      EXPECT_NEAR(v.z, 5 * s - 9.81 * 0.5, 1e-12);
      EXPECT_LT(norm(plant->base().angular_velocity), 1e-12);
      ASSERT_EQ(plant->reset(), Status::kOk);
    }
  }
}

TEST(Plant, PushesAndFaultsThatMeanNothingAreRefused) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model);
  const double infinity = std::numeric_limits<double>::infinity();
  Wrench sound;
  sound.frame = FrameId(0), sound.duration = 1, sound.ramp = 0.5;
  const auto bad = [&](auto change) {
    Wrench wrench = sound;
    change(wrench);
    EXPECT_EQ(plant->push(wrench), Status::kBadCommand);
  };
  bad([](Wrench& w) { w.frame = FrameId(); });
  bad([](Wrench& w) { w.frame = FrameId(99); });
  bad([&](Wrench& w) { w.force_W.x = infinity; });
  bad([&](Wrench& w) { w.point_F.y = NAN; });
  bad([&](Wrench& w) { w.torque_W.z = NAN; });
  bad([](Wrench& w) { w.start = -1; });
  bad([](Wrench& w) { w.start = NAN; });
  bad([](Wrench& w) { w.duration = 0; });
  bad([&](Wrench& w) { w.duration = infinity; });
  bad([](Wrench& w) { w.ramp = 0.51; });
  bad([](Wrench& w) { w.ramp = -0.1; });
  for (int k = 0; k < kMaxWrenches; ++k) EXPECT_EQ(plant->push(sound), Status::kOk);
  EXPECT_EQ(plant->push(sound), Status::kFull);
  plant->clear_pushes();
  EXPECT_EQ(plant->push(sound), Status::kOk);

  const auto bad_fault = [&](const Fault& fault) {
    EXPECT_EQ(plant->inject(fault), Status::kBadCommand);
  };
  bad_fault({FaultKind::kTorqueLoss, JointId(0), 0, 1, 1});
  bad_fault({FaultKind::kTorqueLoss, JointId(9), 0, 1, 1});
  bad_fault({FaultKind::kTorqueLoss, kSwing, -1, 1, 1});
  bad_fault({FaultKind::kTorqueLoss, kSwing, 0, 0, 1});
  bad_fault({FaultKind::kTorqueLoss, kSwing, 0, NAN, 1});
  bad_fault({FaultKind::kTorqueLoss, kSwing, 0, 1, 1.1});
  bad_fault({FaultKind::kTorqueLoss, kSwing, 0, 1, NAN});
  bad_fault({FaultKind::kLatencySpike, kSwing, 0, 1, plant->latency_room() * 1.01});
  EXPECT_GT(plant->latency_room(), 0.1);
  const Fault fault{FaultKind::kFrozenEncoder, kSwing};
  for (int k = 0; k < kMaxFaults; ++k) EXPECT_EQ(plant->inject(fault), Status::kOk);
  EXPECT_EQ(plant->inject(fault), Status::kFull);
  plant->clear_faults();
  EXPECT_EQ(plant->inject(fault), Status::kOk);
}

// ---- faults: each from sub-step 10 to 30

constexpr double kStart = 0.01, kDuration = 0.02;

TEST(Plant, FrozenEncoderBlindsControllerAndDrive) {
  const auto model = pendulum(2, 0.5, 0);
  const auto plant = pendulum_plant(*model, 0, 1);
  ASSERT_EQ(plant->switch_commands(kSwing, kHybridCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {0, 0, 0, 10, 1}), Status::kOk);
  ASSERT_EQ(plant->inject({FaultKind::kFrozenEncoder, kSwing, kStart, kDuration}), Status::kOk);
  double frozen = 0;
  for (int k = 1; k <= 40; ++k) {
    const double before = plant->simulator().state().q[kSupportCoordinates];
    ASSERT_EQ(plant->step(), Status::kOk);
    const JointReading& joint = plant->joint(kSwing);
    if (k == 11) frozen = before;
    if (k > 10 && k <= 30) {
      EXPECT_EQ(joint.position, frozen);
      EXPECT_EQ(joint.velocity, 0);
      EXPECT_EQ(joint.effort, -10 * frozen);
    } else {
      EXPECT_EQ(joint.position, plant->simulator().state().q[kSupportCoordinates]) << k;
      EXPECT_LT(joint.effort, -0.9 + 0.01 * k);  // damping, mostly
    }
  }
}

TEST(Plant, DroppedCommandsHoldTheLast) {
  const auto model = pendulum(2, 0.5, 0);
  const auto plant = pendulum_plant(*model);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->inject({FaultKind::kDroppedCommands, JointId(), kStart, kDuration}),
            Status::kOk);
  for (int k = 1; k <= 40; ++k) {
    ASSERT_EQ(plant->write(kSwing, {.effort = double(k)}), Status::kOk);
    ASSERT_EQ(plant->step(), Status::kOk);
    EXPECT_EQ(plant->joint(kSwing).effort, k > 10 && k <= 30 ? 10 : k);
  }
}

TEST(Plant, TorqueLossLeavesAShare) {
  const auto model = pendulum(2, 0.5, 0);
  const auto plant = pendulum_plant(*model);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.effort = 8}), Status::kOk);
  ASSERT_EQ(plant->inject({FaultKind::kTorqueLoss, kSwing, kStart, kDuration, 0.75}), Status::kOk);
  for (int k = 1; k <= 40; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    EXPECT_EQ(plant->joint(kSwing).effort, k > 10 && k <= 30 ? 2 : 8) << k;
  }
}

TEST(Plant, LatencySpikeDelaysCommands) {
  const auto model = pendulum(2, 0.5, 0);
  PlantSettings settings;
  settings.actuators[kSwing].delay = 2e-3;
  const auto plant = pendulum_plant(*model, 0, 0, settings);
  ASSERT_EQ(plant->switch_commands(kSwing, kEffortCommand), Status::kOk);
  ASSERT_EQ(plant->inject({FaultKind::kLatencySpike, kSwing, kStart, kDuration, 5e-3}),
            Status::kOk);
  for (int k = 1; k <= 40; ++k) {
    ASSERT_EQ(plant->write(kSwing, {.effort = double(k)}), Status::kOk);
    ASSERT_EQ(plant->step(), Status::kOk);
    EXPECT_EQ(plant->joint(kSwing).effort, std::max(0, k - (k > 10 && k <= 30 ? 7 : 2))) << k;
  }
}

// ---- time, pause, reset, snapshots

// A walker with everything on: noise, delays, latencies, debouncing, a push, faults and a servo.
std::unique_ptr<Plant> busy_plant(const Model& model, std::uint64_t seed = 1) {
  const SimulatorSettings settings = compass_settings(model, 0.0524);
  PlantSettings p;
  p.seed = seed;
  p.keyframes = {walking_compass(model, settings)};
  p.joint_sensors[1] = {{0.1, 0.01}, {0, 0.02}, {0, 0.01}};
  p.joint_latency = 3e-3;
  p.base.position.deviation = 0.01;
  p.imus = {{"imu", find_frame(model, "hip"), {{}, 0.001}, {{}, 0.01}, {{}, 0.1}, 4e-3}};
  p.force_torques = {{"ft", JointId(1), {{}, 0.1}, {}, 1e-3}};
  p.feet[0] = {0.01, 0.02, {{}, 0.5}, {}, 2e-3};
  p.actuators[1].delay = 2e-3;
  p.actuators[1].friction = 0.01;
  Wrench push;
  push.frame = find_frame(model, "hip"), push.force_W = {0.5, 0, 0};
  push.start = 0.2, push.duration = 0.1, push.ramp = 0.02;
  p.wrenches = {push};
  auto plant = make_plant(model, settings, p);
  EXPECT_EQ(plant->switch_commands(JointId(1), kHybridCommand), Status::kOk);
  return plant;
}

// A controller that reads sensors, so that what they say matters.
void cycle(Plant& plant, int k) {
  const JointReading& hip = plant.joint(JointId(1));
  ASSERT_EQ(plant.write(JointId(1), {hip.position, 0, 0.02 * std::sin(0.01 * k), 0.2, 0.01}),
            Status::kOk);
  ASSERT_EQ(plant.step(2), Status::kOk);
}

// Counted beside the bound over a walk with touchdowns, a push and latencies.
TEST(Plant, WorkStaysWithinItsBound) {
  const auto model = compass();
  const auto plant = busy_plant(*model);
  const IntegratorSettings& integrator = plant->simulator().settings().integrator;
  const PlantWork worst = plant->worst_work(2);
  EXPECT_EQ(worst.drives, 4);
  EXPECT_EQ(worst.sensors, 4);  // latent: sampled in both sub-steps
  PlantWork most;
  for (int k = 0; k < 1000; ++k) {
    cycle(*plant, k);
    const PlantWork& work = plant->work();
    most.simulator.integrations = std::max(most.simulator.integrations,
                                           work.simulator.integrations);
    most.simulator.impacts = std::max(most.simulator.impacts, work.simulator.impacts);
    most.drives = std::max(most.drives, work.drives);
    EXPECT_EQ(work.sensors, worst.sensors);
    EXPECT_GE(work.drives, 2);
    EXPECT_GE(work.simulator.integrations, 2);
    EXPECT_LE(forward_dynamics(work, integrator), forward_dynamics(worst, integrator));
  }
  EXPECT_GT(most.simulator.integrations, 2);  // events were located
  EXPECT_GE(most.simulator.impacts, 1);
  EXPECT_LE(most.simulator.integrations, worst.simulator.integrations);
  EXPECT_LE(most.simulator.impacts, worst.simulator.impacts);
  EXPECT_LE(most.drives, worst.drives);
}

// A drive at its limit solves twice, one without gains or friction not at all; sensors cost what they need, once a cycle.
TEST(Plant, WorkIsCountedAnewInEveryStep) {
  const auto model = pendulum(2, 0.5, 9.81, 1);
  const auto plant = pendulum_plant(*model, 0.3);
  EXPECT_EQ(forward_dynamics(plant->worst_work(0), {}), 0);
  ASSERT_EQ(plant->step(5), Status::kOk);
  EXPECT_EQ(plant->work().drives, 0);
  EXPECT_EQ(plant->work().sensors, 2);
  EXPECT_EQ(plant->work().simulator.integrations, 5);
  EXPECT_EQ(forward_dynamics(plant->work(), {}), 5 * 4 + 2);
  ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {.position = 3}), Status::kOk);
  ASSERT_EQ(plant->step(5), Status::kOk);
  EXPECT_EQ(plant->work().drives, 10);
  EXPECT_EQ(plant->work().drives, plant->worst_work(5).drives);

  PlantSettings blind;
  blind.foot_forces = false;
  const auto other = pendulum_plant(*model, 0.3, 0, blind);
  ASSERT_EQ(other->step(5), Status::kOk);
  EXPECT_EQ(other->work().sensors, 0);
  EXPECT_EQ(other->worst_work(5).sensors, 0);
}

TEST(Plant, SameSeedSameRun) {
  const auto model = compass();
  const auto a = busy_plant(*model), b = busy_plant(*model), c = busy_plant(*model, 2);
  for (int k = 0; k < 700; ++k) {
    cycle(*a, k), cycle(*b, k), cycle(*c, k);
    ASSERT_EQ(a->hash(), b->hash()) << k;
    ASSERT_NE(a->hash(), c->hash()) << k;
  }
}

TEST(Plant, RestoredSnapshotGoesOnToTheLastBit) {
  const auto model = compass();
  const auto plant = busy_plant(*model);
  const auto snapshot = std::make_unique<PlantSnapshot>();
  ASSERT_EQ(plant->inject({FaultKind::kTorqueLoss, JointId(1), 0.5, 0.4, 0.5}), Status::kOk);
  for (int part = 0; part < 5; ++part) {
    for (int k = 0; k < 113; ++k) cycle(*plant, k);
    plant->save(*snapshot);
    std::vector<std::uint64_t> hashes;
    for (int k = 0; k < 200; ++k) {
      cycle(*plant, k);
      hashes.push_back(plant->hash());
    }
    const double time = plant->time();
    plant->restore(*snapshot);
    EXPECT_DOUBLE_EQ(plant->time(), time);  // does not go back
    for (int k = 0; k < 200; ++k) {
      cycle(*plant, k);
      ASSERT_EQ(plant->hash(), hashes[static_cast<std::size_t>(k)]) << part << ' ' << k;
    }
    EXPECT_NEAR(plant->time(), time + 0.4, 1e-12);
    plant->restore(*snapshot);
  }
  EXPECT_EQ(plant->epoch(), 10u);
}

TEST(Plant, RunsAfterResetsAreTheSame) {
  const auto model = compass();
  const auto plant = busy_plant(*model);
  std::vector<std::uint64_t> hashes;
  double time = -1;
  std::uint64_t sequence = 0;
  for (int run = 0; run < 3; ++run) {
    for (int k = 0; k < 400; ++k) {
      cycle(*plant, k);
      if (run == 0) hashes.push_back(plant->hash());
      ASSERT_EQ(plant->hash(), hashes[static_cast<std::size_t>(k)]) << run << ' ' << k;
      ASSERT_GT(plant->time(), time);
      time = plant->time();
    }
    if (run == 2) break;
    // what breaks goes with the run
    ASSERT_EQ(plant->inject({FaultKind::kTorqueLoss, JointId(), 0, 10, 1}), Status::kOk);
    ASSERT_EQ(plant->reset(), Status::kOk);
    EXPECT_EQ(plant->time(), time);
    EXPECT_EQ(plant->commands(JointId(1)), kHybridCommand);
  }
  // events waited through the resets and have the times at which they happened
  double last = 0;
  ContactEvent event;
  int events = 0;
  while (plant->pop_event(event)) {
    EXPECT_EQ(event.sequence, sequence++);
    EXPECT_GE(event.time, last);
    last = event.time;
    ++events;
  }
  EXPECT_EQ(plant->dropped_events(), 0u);
  EXPECT_GE(events, 6);
  EXPECT_GT(last, 1.6);
  EXPECT_EQ(plant->reset(1), Status::kBadCommand);
  EXPECT_EQ(plant->reset(-1), Status::kBadCommand);
}

TEST(Plant, KeyframesByName) {
  const auto model = pendulum();
  const SimulatorSettings settings = welded(*model);
  PlantSettings p;
  p.keyframes = {standing(*model, settings, {0.1}), standing(*model, settings, {0.7}, {2}, "high")};
  const auto plant = make_plant(*model, settings, p);
  EXPECT_EQ(plant->joint(kSwing).position, 0.1);
  EXPECT_EQ(plant->find_keyframe("low"), -1);
  ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
  ASSERT_EQ(plant->step(100), Status::kOk);
  ASSERT_EQ(plant->reset(plant->find_keyframe("high")), Status::kOk);
  EXPECT_EQ(plant->joint(kSwing).position, 0.7);
  EXPECT_EQ(plant->joint(kSwing).velocity, 2);
  ASSERT_EQ(plant->step(2000), Status::kOk);  // held where it was put, not where it was before
  EXPECT_NEAR(plant->joint(kSwing).position, 0.7, 2e-3);
}

TEST(Plant, PauseAndSingleSteps) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model, 0.5, 0);
  const auto free = pendulum_plant(*model, 0.5, 0);
  plant->pause(true);
  const std::uint64_t hash = plant->hash();
  ASSERT_EQ(plant->step(10), Status::kOk);
  EXPECT_EQ(plant->hash(), hash);
  EXPECT_EQ(plant->time(), 0);
  plant->allow_steps(3);
  ASSERT_EQ(plant->step(2), Status::kOk);
  ASSERT_EQ(plant->step(5), Status::kOk);  // one is left
  ASSERT_EQ(free->step(2),
            Status::kOk);  // in as many cycles: the feet's forces are averages over one
  ASSERT_EQ(free->step(1), Status::kOk);
  EXPECT_EQ(plant->hash(), free->hash());
  plant->allow_steps(100);
  plant->pause(false);  // forgets them
  ASSERT_EQ(plant->step(4), Status::kOk);
  plant->pause(true);
  ASSERT_EQ(plant->step(4), Status::kOk);
  ASSERT_EQ(free->step(4), Status::kOk);
  EXPECT_EQ(plant->hash(), free->hash());
  EXPECT_TRUE(plant->paused());
}

TEST(Plant, FallenRobotStandsUpByReset) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0);
  PlantSettings p;
  const auto simulator = std::make_unique<Simulator>(*model, settings);
  start_compass(*simulator, 0.3, 0, -0.5, 0);
  p.keyframes = {{"lean", simulator->save()}};
  const auto plant = make_plant(*model, settings, p);
  Status status = Status::kOk;
  for (int k = 0; k < 5000 && status == Status::kOk; ++k) status = plant->step();
  EXPECT_EQ(status, Status::kFallen);
  EXPECT_TRUE(plant->fallen());
  ASSERT_EQ(plant->reset(), Status::kOk);
  EXPECT_FALSE(plant->fallen());
  EXPECT_EQ(plant->step(), Status::kOk);
}

// Work of the motor is what the energy changes by.
TEST(Plant, MotorWorkIsEnergy) {
  const auto model = pendulum();
  const auto plant = pendulum_plant(*model, 0.2, 0.5, {}, 1e-4);
  ASSERT_EQ(plant->switch_commands(kSwing, kHybridCommand), Status::kOk);
  ASSERT_EQ(plant->write(kSwing, {1.2, 0, 0.3, 25, 1}), Status::kOk);
  const auto energy = [&] {
    const JointReading& joint = plant->joint(kSwing);
    return 0.25 * joint.velocity * joint.velocity - 9.81 * std::cos(joint.position);
  };
  const double start = energy();
  double work = 0, q = plant->joint(kSwing).position;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    work += plant->joint(kSwing).effort * (plant->joint(kSwing).position - q);  // held in the step
    q = plant->joint(kSwing).position;
  }
  EXPECT_GT(std::abs(work), 1);
  EXPECT_NEAR(energy() - start, work, 1e-10);  // of the fourth order
}

}  // namespace
}  // namespace stance
