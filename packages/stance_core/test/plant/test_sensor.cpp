// What the sensors say: closed forms, finite differences, free-body balances, and that the root does not matter.
#include "stance_core/plant/sensor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/plants.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance, int line) {
  EXPECT_LT(norm(a - b), tolerance)
      << "line " << line << ": " << a.eigen().transpose() << " and " << b.eigen().transpose();
}
#define EXPECT_CLOSE(a, b, tolerance) expect_near(a, b, tolerance, __LINE__)

// An IMU at the bob of the free pendulum feels the rod alone: l w² + g cos q along it, and so does the joint, times m.
TEST(Sensor, PendulumFeelsItsRod) {
  const double m = 2, l = 0.5, g = 9.81;
  Description robot;
  robot.name = "pendulum";
  robot.links = {link("base", 1, {0, 0, 0}, {0.1, 0.1, 0.1}),
                 {"sole", std::nullopt},
                 link("bob", m, {0, 0, -l}, {0, 0, 0}),
                 {"tip", std::nullopt}};
  robot.joints = {joint("weld", JointType::kFixed, "base", "sole"),
                  joint("swing", JointType::kContinuous, "base", "bob"),
                  joint("mount", JointType::kFixed, "bob", "tip", {0, 0, -l})};
  const auto model = std::make_unique<Model>(*build_model(robot));
  const SimulatorSettings settings = welded(*model);
  PlantSettings plant_settings;
  plant_settings.imus = {{"tip_imu", find_frame(*model, "tip")},
                         {"base_imu", find_frame(*model, "base")}};
  plant_settings.force_torques = {{"swing_sensor", find_joint(*model, "swing")}};
  plant_settings.keyframes = {standing(*model, settings, {1.1}, {2.0})};
  const auto plant = make_plant(*model, settings, plant_settings);
  const int tip = plant->find_imu("tip_imu"), base = plant->find_imu("base_imu");
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const double q = plant->joint(kSwing).position, w = plant->joint(kSwing).velocity;
    const double tension = l * w * w + g * std::cos(q);
    EXPECT_CLOSE(plant->imu(tip).linear_acceleration, Vec3<double>(0, 0, tension), 1e-12);
    EXPECT_CLOSE(plant->imu(tip).angular_velocity, Vec3<double>(0, w, 0), 1e-12);
    EXPECT_NEAR(std::abs(plant->imu(tip).orientation.y), std::abs(std::sin(q / 2)), 1e-12);
    // at rest: g upwards
    EXPECT_CLOSE(plant->imu(base).linear_acceleration, Vec3<double>(0, 0, g), 1e-12);
    // the bob pulls the base down the rod
    EXPECT_CLOSE(plant->force_torque(0).force, Vec3<double>(0, 0, -m * tension), 1e-11);
    EXPECT_CLOSE(plant->force_torque(0).torque, Vec3<double>(), 1e-11);
    // the ground carries the base and the rod's pull
    const Vec3<double> pull = Vec3<double>(std::sin(q), 0, std::cos(q)) * (-m * tension);
    EXPECT_CLOSE(plant->foot(0).force_now, Vec3<double>(0, 0, g) - pull, 1e-11);
    EXPECT_EQ(plant->foot(0).contact, 1);
    EXPECT_EQ(plant->foot(0).state(), ContactState::kActive);
  }
}

// A motor that holds the pendulum level: the joint carries its weight and its moment.
TEST(Sensor, ServoedJointCarriesMoment) {
  const auto model = pendulum();
  PlantSettings settings;
  settings.force_torques = {{"swing_sensor", kSwing}};
  const auto plant = pendulum_plant(*model, M_PI / 2, 0, settings);
  ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
  ASSERT_EQ(plant->step(3000), Status::kOk);
  const double q = plant->joint(kSwing).position;
  // bob along -x of the world, its z axis along x: weight along -x of the bob's axes
  EXPECT_CLOSE(plant->force_torque(0).force,
               Vec3<double>(std::sin(q), 0, -std::cos(q)) * (2 * 9.81), 1e-6);
  EXPECT_NEAR(plant->force_torque(0).torque.y, -plant->joint(kSwing).effort, 1e-6);
  EXPECT_NEAR(plant->joint(kSwing).effort, 2 * 9.81 * 0.5 * std::sin(q), 1e-6);
}

struct Flight {
  std::unique_ptr<Model> model;
  SimulatorSettings settings;
  PlantSettings plant;
};

// A random robot in flight, an IMU on every kind of link, a force sensor in every joint.
Flight random_flight(Random& random, double step) {
  Flight f;
  Case c = random_case(random, {7, false, true, 0.5}, JointKind::kFree);
  f.model = std::move(c.model);
  f.settings.step = step;
  for (int k = 0; k < 4; ++k) {
    f.plant.imus.push_back(
        {"imu" + std::to_string(k), FrameId(pick(random, f.model->frame_count))});
  }
  for (int i = 1; i < f.model->body_count; ++i)
    f.plant.force_torques.push_back({"ft" + std::to_string(i), JointId(i)});
  // the same physical state, seen from every root
  const auto tree = std::make_unique<Tree>(make_tree(*f.model));
  const State state = random_state(random, *f.model, *tree);
  for (int root = 0; root < f.model->body_count; ++root) {
    SimulatorSnapshot s;
    s.mode.root = BodyId(root);
    s.state = state;
    const PoseTwist motion = body_motion(*f.model, *tree, state, s.mode.root);
    const auto rooted = std::make_unique<Tree>(make_tree(*f.model, s.mode.root, s.mode.support));
    set_root_motion(*rooted, motion.X_WH, motion.V_H, s.state);
    f.plant.keyframes.push_back({"root" + std::to_string(root), s});
  }
  return f;
}

// Readings are of the robot, not of the walk. Efforts act in all driven joints, and a push.
TEST(Sensor, ReadingsDoNotDependOnTheRoot) {
  Random random(1);
  for (int round = 0; round < 10; ++round) {
    const Flight f = random_flight(random, 1e-3);
    const auto plant = make_plant(*f.model, f.settings, f.plant);
    Wrench push;
    push.frame = FrameId(pick(random, f.model->frame_count));
    push.point_F = random_vector(random), push.force_W = random_vector(random, 20);
    push.duration = 1;
    const auto first = std::make_unique<PlantState>();
    for (int root = 0; root < f.model->body_count; ++root) {
      ASSERT_EQ(plant->reset(root), Status::kOk);
      ASSERT_EQ(plant->push(push), Status::kOk);
      for (int i = 1; i < f.model->body_count; ++i) {
        if (!plant->is_driven(JointId(i))) continue;
        ASSERT_EQ(plant->switch_commands(JointId(i), kHybridCommand), Status::kOk);
        ASSERT_EQ(plant->write(JointId(i), {0.1 * i, 0, 1.0 * i, 20, 1}), Status::kOk);
      }
      ASSERT_EQ(plant->step(1), Status::kOk);
      if (root == 0) {
        for (int i = 1; i < f.model->body_count; ++i) first->joints[i] = plant->joint(JointId(i));
        first->base = plant->base();
        for (int i = 0; i < 4; ++i) first->imus[i] = plant->imu(i);
        for (int i = 0; i + 1 < f.model->body_count; ++i)
          first->force_torques[i] = plant->force_torque(i);
        continue;
      }
      // one step of fourth order in coordinates that differ with the root, from velocities of a few units
      constexpr double kTolerance = 1e-7;
      for (int i = 1; i < f.model->body_count; ++i) {
        EXPECT_NEAR(plant->joint(JointId(i)).velocity, first->joints[i].velocity, kTolerance);
        EXPECT_NEAR(plant->joint(JointId(i)).effort, first->joints[i].effort, 1e-5);
      }
      EXPECT_CLOSE(plant->base().position, first->base.position, kTolerance);
      EXPECT_CLOSE(plant->base().linear_velocity, first->base.linear_velocity, kTolerance);
      EXPECT_CLOSE(plant->base().angular_velocity, first->base.angular_velocity, kTolerance);
      for (int i = 0; i < 4; ++i) {
        EXPECT_CLOSE(plant->imu(i).angular_velocity, first->imus[i].angular_velocity, kTolerance);
        EXPECT_CLOSE(plant->imu(i).linear_acceleration, first->imus[i].linear_acceleration, 1e-4);
      }
      for (int i = 0; i + 1 < f.model->body_count; ++i) {
        EXPECT_CLOSE(plant->force_torque(i).force, first->force_torques[i].force, 1e-4);
        EXPECT_CLOSE(plant->force_torque(i).torque, first->force_torques[i].torque, 1e-4);
      }
    }
  }
}

// Specific force is the derivative of the velocity of the frame's origin, less gravity, in the frame's axes.
TEST(Sensor, ImuIsTheDerivativeOfItsVelocity) {
  Random random(2);
  for (int round = 0; round < 10; ++round) {
    const double h = 1e-5;
    const Flight f = random_flight(random, h);
    const auto plant = make_plant(*f.model, f.settings, f.plant);
    struct Seen {
      Vec3<double> v_W, w_W;
      Mat3<double> R;
      Vec3<double> f, w;
    } seen[3][4];
    for (auto& instant : seen) {
      ASSERT_EQ(plant->step(), Status::kOk);
      for (int i = 0; i < 4; ++i) {
        const Frame& frame = f.model->frames[f.plant.imus[static_cast<std::size_t>(i)].frame];
        const PoseTwist m = body_motion(*f.model, plant->simulator().tree(),
                                        plant->simulator().state(), frame.body);
        instant[i] = {m.X_WH.R * (m.V_H.v + cross(m.V_H.w, frame.X_HF.p)), m.X_WH.R * m.V_H.w,
                      m.X_WH.R * frame.X_HF.R, plant->imu(i).linear_acceleration,
                      plant->imu(i).angular_velocity};
      }
    }
    for (int i = 0; i < 4; ++i) {
      const Vec3<double> a = (seen[2][i].v_W - seen[0][i].v_W) * (1 / (2 * h));
      const Vec3<double> f_W = seen[1][i].R * seen[1][i].f;
      // central differences: h² and rounding over h, both near 1e-9; accelerations reach hundreds
      EXPECT_CLOSE(f_W, a - f.model->gravity, 1e-5 * (1 + norm(a)));
      EXPECT_CLOSE(seen[1][i].R * seen[1][i].w, seen[1][i].w_W, 1e-10);
    }
  }
}

TEST(Sensor, FreeFallWeighsNothing) {
  const auto model = std::make_unique<Model>(*build_model(leg()));
  PlantSettings settings;
  settings.imus = {{"trunk", find_frame(*model, "trunk")}, {"shin", find_frame(*model, "shin")}};
  settings.force_torques = {{"knee", find_joint(*model, "knee")}};
  const auto plant = make_plant(*model, {}, settings);
  ASSERT_EQ(plant->step(100), Status::kOk);
  EXPECT_CLOSE(plant->imu(0).linear_acceleration, Vec3<double>(), 1e-12);
  EXPECT_CLOSE(plant->imu(1).linear_acceleration, Vec3<double>(), 1e-12);
  EXPECT_CLOSE(plant->force_torque(0).force, Vec3<double>(), 1e-12);
  EXPECT_NEAR(plant->base().linear_velocity.z, -0.981, 1e-12);
}

// The ground's force on the foot is what changes the robot's momentum, beside gravity; through steps and on both feet.
TEST(Sensor, FootForceBalancesMomentum) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  settings.step = 1e-4;
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto plant = make_plant(*model, settings, plant_settings);
  const auto w = std::make_unique<Workspace>();
  const auto momentum_now = [&] {
    kinematics(*model, plant->simulator().tree(), plant->simulator().state(), *w);
    return momentum(plant->simulator().tree(), *w).f;
  };
  Vec3<double> before = momentum_now();
  int support = plant->simulator().support_foot();
  int on_feet[2] = {}, impacts = 0;
  for (int k = 0; k < 20000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const Vec3<double> after = momentum_now();
    const int foot = plant->simulator().support_foot(), other = 1 - foot;
    Vec3<double> force_W;
    for (int f = 0; f < 2; ++f) {
      const Mat3<double> R =
          frame_pose(*model, plant->simulator().tree(), *w, settings.feet[f].frame).R;
      force_W += R * plant->foot(f).force;
    }
    // a force is the impulse over the cycle, impacts among it: nothing is lost. Four orders of the step are left.
    ASSERT_LT(norm(after - before - (force_W + model->gravity * 4) * settings.step), 1e-11) << k;
    EXPECT_EQ(plant->foot(foot).contact_raw, 1);
    EXPECT_EQ(plant->foot(foot).support, 1);
    EXPECT_EQ(plant->foot(other).contact_raw, 0);
    EXPECT_EQ(plant->foot(other).force_now, Vec3<double>());
    EXPECT_EQ(plant->foot(other).state(), ContactState::kInactive);
    if (foot == support) {
      EXPECT_EQ(plant->foot(other).force, Vec3<double>());
      EXPECT_LT(norm(plant->foot(foot).force - plant->foot(foot).force_now), 0.1);
      ++on_feet[foot];
    } else {
      ++impacts;
      EXPECT_GT(norm(plant->foot(foot).force), 1000);  // of one that has just struck
    }
    before = after, support = foot;
  }
  EXPECT_GE(impacts, 2);
  EXPECT_GT(on_feet[0], 3000);
  EXPECT_GT(on_feet[1], 3000);
}

// ---- errors

TEST(Sensor, BiasAndNoiseAreWhatIsSet) {
  const auto model = pendulum();
  PlantSettings settings;
  settings.joint_sensors[kSwing] = {{0.1, 0.01}, {-0.2, 0.02}, {0.3, 0.03}};
  settings.base.position = {{1, 2, 3}, 0.04};
  settings.base.orientation = {{0, 0, 0.5}, 0};
  settings.imus = {
      {"imu", find_frame(*model, "base"), {{}, 0.001}, {{0, 0, 1}, 0.05}, {{1, 0, 0}, 0.06}}};
  settings.feet[0].force = {{0, 5, 0}, 0.5};
  const auto plant = pendulum_plant(*model, 0, 0, settings);  // hangs at rest
  constexpr int kCount = 20000;
  // each: mean, deviation, sum, sum of squares
  double rows[6][4] = {{0.1, 0.01}, {-0.2, 0.02}, {0.3, 0.03}, {1, 0.04}, {9.81, 0.06}, {5, 0.5}};
  for (int k = 0; k < kCount; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    const JointReading& joint = plant->joint(kSwing);
    const double x[] = {joint.position,
                        joint.velocity,
                        joint.effort,
                        plant->base().position.x,
                        plant->imu(0).linear_acceleration.z,
                        plant->foot(0).force.y};
    for (int i = 0; i < 6; ++i) {
      const double d = x[i] - rows[i][0];
      rows[i][2] += d, rows[i][3] += d * d;
    }
  }
  for (const auto& row : rows) {  // five standard errors
    EXPECT_NEAR(row[2] / kCount, 0, 5 * row[1] / std::sqrt(kCount));
    EXPECT_NEAR(row[3] / kCount / (row[1] * row[1]), 1, 5 * std::sqrt(2.0 / kCount));
  }
  EXPECT_NEAR(plant->base().orientation.z, std::sin(0.25), 1e-12);
  EXPECT_NEAR(norm(plant->imu(0).orientation), 1, 1e-15);
  // the robot itself does not feel any of it
  EXPECT_EQ(plant->simulator().state().q[kSupportCoordinates], 0);
}

TEST(Sensor, OneSensorsNoiseIsNotAnothersBusiness) {
  const auto model = pendulum();
  PlantSettings settings;
  settings.joint_sensors[kSwing].position.deviation = 0.01;
  const auto alone = pendulum_plant(*model, 0.3, 0, settings);
  settings.base.position.deviation = 1;
  settings.imus = {{"imu", find_frame(*model, "base"), {{}, 1}, {{}, 1}, {{}, 1}}};
  const auto among = pendulum_plant(*model, 0.3, 0, settings);
  settings.seed = 2;
  const auto other = pendulum_plant(*model, 0.3, 0, settings);
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(alone->step(), Status::kOk);
    ASSERT_EQ(among->step(), Status::kOk);
    ASSERT_EQ(other->step(), Status::kOk);
    EXPECT_EQ(alone->joint(kSwing).position, among->joint(kSwing).position);
    EXPECT_NE(alone->joint(kSwing).position, other->joint(kSwing).position);
  }
}

TEST(Sensor, LatencyIsAWholeNumberOfSubSteps) {
  const auto model = pendulum();
  PlantSettings settings;
  settings.imus = {{"imu", find_frame(*model, "bob")}};
  settings.force_torques = {{"ft", kSwing}};
  const auto prompt = pendulum_plant(*model, 1, 0, settings);
  settings.joint_latency = 3e-3;
  settings.base.latency = 2e-3;
  settings.imus[0].latency = 7e-3;
  settings.force_torques[0].latency = 1e-3;
  settings.feet[0].latency = 5e-3;
  const auto late = pendulum_plant(*model, 1, 0, settings);
  std::vector<JointReading> joints;
  std::vector<ImuReading> imus;
  std::vector<ForceTorqueReading> forces;
  std::vector<FootReading> feet;
  const auto at = [](const auto& list, int k) {
    return list[static_cast<std::size_t>(std::max(k, 0))];
  };
  for (int k = 0; k < 100; ++k) {
    joints.push_back(prompt->joint(kSwing));
    imus.push_back(prompt->imu(0));
    forces.push_back(prompt->force_torque(0));
    feet.push_back(prompt->foot(0));
    EXPECT_EQ(late->joint(kSwing).position, at(joints, k - 3).position) << k;
    EXPECT_EQ(late->joint(kSwing).velocity, at(joints, k - 3).velocity) << k;
    EXPECT_EQ(late->imu(0).linear_acceleration, at(imus, k - 7).linear_acceleration) << k;
    EXPECT_EQ(late->force_torque(0).force, at(forces, k - 1).force) << k;
    EXPECT_EQ(late->foot(0).force, at(feet, k - 5).force) << k;
    ASSERT_EQ(prompt->step(), Status::kOk);
    // in a cycle of several sub-steps as well
    ASSERT_EQ(late->step(), Status::kOk);
  }
  ASSERT_EQ(late->step(10), Status::kOk);
  ASSERT_EQ(prompt->step(7), Status::kOk);
  EXPECT_EQ(late->joint(kSwing).position, prompt->joint(kSwing).position);
}

// The force of a foot is the impulse of the controller's period over the period, with the touchdown's in it, whatever else is
// delayed: what a plant without any latency says. A foot's own latency shifts the window: what comes out in all is the same.
TEST(Sensor, ForceIsTheImpulseOfThePeriod) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings prompt_settings;
  prompt_settings.keyframes = {walking_compass(*model, settings)};
  prompt_settings.imus = {{"imu", find_frame(*model, "hip")}};
  PlantSettings beside = prompt_settings, late_settings = prompt_settings;
  beside.imus[0].latency = 3e-3;
  for (int i = 0; i < 2; ++i) late_settings.feet[i].latency = 3e-3;
  const auto prompt = make_plant(*model, settings, prompt_settings);
  const auto among = make_plant(*model, settings, beside);
  const auto late = make_plant(*model, settings, late_settings);
  const auto fine = make_plant(*model, settings, prompt_settings);
  constexpr int kSubSteps = 4;
  const double h = settings.step, period = kSubSteps * h;
  std::vector<Vec3<double>> fine_forces{fine->foot(0).force};  // by sub-step, in the foot's axes
  double largest = 0;
  for (int k = 0; k < 1000; ++k) {
    for (Plant* plant : {prompt.get(), among.get(), late.get()})
      ASSERT_EQ(plant->step(kSubSteps), Status::kOk);
    for (int j = 0; j < kSubSteps; ++j) {
      ASSERT_EQ(fine->step(), Status::kOk);
      fine_forces.push_back(fine->foot(0).force);
    }
    largest = std::max(largest, norm(prompt->foot(0).force));
    // the foot's axes turn by a degree or so in a period
    Vec3<double> mean, late_mean;
    for (int j = 0; j < kSubSteps; ++j) {
      mean += fine_forces[fine_forces.size() - 1 - j] * (1.0 / kSubSteps);
      if (k > 0) late_mean += fine_forces[fine_forces.size() - 4 - j] * (1.0 / kSubSteps);
    }
    const double scale = norm(mean) + 1;
    EXPECT_CLOSE(among->foot(0).force, mean, 1e-12 * scale);
    EXPECT_CLOSE(prompt->foot(0).force, mean, 0.02 * scale);
    if (k > 0) EXPECT_CLOSE(late->foot(0).force, late_mean, 1e-12 * (norm(late_mean) + 1));
  }
  EXPECT_GT(largest * period, 0.3 * total_mass(*model)) << "no touchdown in any period";
}

TEST(Sensor, ContactIsDebounced) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  plant_settings.feet[0] = {0.02, 0.05};
  plant_settings.feet[1] = {0, 0};
  const auto plant = make_plant(*model, settings, plant_settings);
  int since[2] = {1000, 1000};  // sub-steps since the raw value changed
  double raw[2] = {plant->foot(0).contact_raw, plant->foot(1).contact_raw};
  int changes = 0;
  for (int k = 0; k < 4000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    for (int i = 0; i < 2; ++i) {
      const FootReading& foot = plant->foot(i);
      since[i] = foot.contact_raw == raw[i] ? since[i] + 1 : 0;
      changes += since[i] == 0;
      raw[i] = foot.contact_raw;
      const int wait = i == 1 ? 0 : raw[i] == 1 ? 20 : 50;
      EXPECT_EQ(foot.contact, since[i] >= wait ? raw[i] : 1 - raw[i]) << k;
    }
  }
  EXPECT_GE(changes, 8);
}

}  // namespace
}  // namespace stance
