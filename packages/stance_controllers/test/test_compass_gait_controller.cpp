// The controller through lent interfaces, with a plant behind them. The law itself is tested in stance_gait.
#include "stance_controllers/compass_gait_controller.hpp"

#include <gmock/gmock.h>

#include "lent_interfaces.hpp"
#include "pluginlib/class_loader.hpp"
#include "support/count_heap.hpp"
#include "support/plants.hpp"

namespace stance_controllers {
namespace {

using namespace stance::test;
using controller_interface::CallbackReturn;
using controller_interface::return_type;
using stance::ContactEvent;
using stance::EventKind;
using stance::Plant;
using stance::Status;

const rclcpp_lifecycle::State kState;
const rclcpp::Duration kPeriod(0, 1000000);

class Compass : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override {
    stance::SimulatorSettings settings = compass_settings(*model_, 0);
    settings.push_off = {0, find_frame(*model_, "hip")};
    const auto simulator = std::make_unique<stance::Simulator>(*model_, settings);
    start_compass(*simulator, 0.2, 1.1, -0.4, 0);
    ASSERT_EQ(simulator->strike(1), Status::kOk);
    stance::PlantSettings plant_settings;
    plant_settings.keyframes = {{"start", simulator->save()}};
    plant_ = make_plant(*model_, settings, plant_settings);
    hip_ = *plant_->find_driven_joint("right_hip");
    ASSERT_EQ(plant_->switch_commands(hip_, stance::kEffortCommand), Status::kOk);
  }

  void configure(const std::vector<rclcpp::Parameter>& parameters = {}) {
    ASSERT_EQ(stance::test::init(controller_, "gait", parameters), return_type::OK);
    ASSERT_EQ(controller_.on_configure(kState), CallbackReturn::SUCCESS);
    lend(hardware_, controller_);
    ASSERT_EQ(controller_.on_activate(kState), CallbackReturn::SUCCESS);
  }

  // What hardware does in a cycle.
  void read() {
    const auto& base = plant_->base();
    hardware_["right_hip/position"] = plant_->joint(hip_).position;
    hardware_["right_hip/velocity"] = plant_->joint(hip_).velocity;
    hardware_["base/orientation.y"] = base.orientation.y;
    hardware_["base/orientation.w"] = base.orientation.w;
    hardware_["base/angular_velocity.y"] = base.angular_velocity.y;
    hardware_["left_foot/support"] = plant_->foot(0).support;
    hardware_["right_foot/support"] = plant_->foot(1).support;
  }
  Status write() {
    (void)plant_->write(hip_, {.effort = hardware_["right_hip/effort"]});
    (void)plant_->write_push_off(hardware_["push_off/impulse"]);
    return plant_->step();
  }

  std::unique_ptr<stance::Model> model_ = compass();
  std::unique_ptr<Plant> plant_;
  stance::JointId hip_;
  LentInterfaces hardware_;
  CompassGaitController controller_;
};

TEST_F(Compass, WalksThroughTheInterfaces) {
  configure();
  EXPECT_THAT(controller_.command_interface_configuration().names,
              ::testing::ElementsAre("right_hip/effort", "push_off/impulse"));
  int touchdowns = 0;
  for (int k = 0; k < 60000; ++k) {
    read();
    ASSERT_EQ(controller_.update(rclcpp::Time(0, 0), kPeriod), return_type::OK);
    ASSERT_EQ(write(), Status::kOk) << k;
    ContactEvent event;
    while (plant_->pop_event(event)) touchdowns += event.kind == EventKind::kTouchdown;
  }
  EXPECT_GE(touchdowns, 105);
  EXPECT_NEAR(static_cast<double>(controller_.law().touchdowns()), touchdowns, 1);
  EXPECT_EQ(controller_.on_deactivate(kState), CallbackReturn::SUCCESS);
  EXPECT_EQ(hardware_["right_hip/effort"], 0);
}

TEST_F(Compass, UpdatesWithoutTheHeap) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  configure();
  read();
  const rclcpp::Time time(0, 0);
  const CountHeap heap;
  for (int k = 0; k < 100; ++k) (void)controller_.update(time, kPeriod);
  EXPECT_EQ(heap.calls(), 0);
}

TEST_F(Compass, WaitsForReadings) {
  configure();  // everything is NaN
  ASSERT_EQ(controller_.update(rclcpp::Time(0, 0), kPeriod), return_type::OK);
  EXPECT_TRUE(std::isnan(hardware_["right_hip/effort"]));
  read();
  ASSERT_EQ(controller_.update(rclcpp::Time(0, 0), kPeriod), return_type::OK);
  EXPECT_TRUE(std::isfinite(hardware_["right_hip/effort"]));
}

TEST_F(Compass, TakesNamesAndNumbersFromParameters) {
  configure({{"joint", "hip"},
             {"base", "imu"},
             {"left_foot", "l"},
             {"right_foot", "r"},
             {"push_off", ""},
             {"gait.surplus", 1.0},
             {"gait.leg_mass", 1.5}});
  EXPECT_THAT(controller_.command_interface_configuration().names,
              ::testing::ElementsAre("hip/effort"));
  EXPECT_THAT(controller_.state_interface_configuration().names,
              ::testing::ElementsAre("hip/position", "hip/velocity", "imu/orientation.y",
                                     "imu/orientation.w", "imu/angular_velocity.y", "l/support",
                                     "r/support"));
  EXPECT_EQ(controller_.law().gait().surplus, 1);
  EXPECT_EQ(controller_.law().gait().body.leg_mass, 1.5);
}

TEST_F(Compass, RefusesSenselessNumbers) {
  ASSERT_EQ(stance::test::init(controller_, "gait", {{"gait.leg_length", -1.0}}), return_type::OK);
  EXPECT_EQ(controller_.on_configure(kState), CallbackReturn::ERROR);
}

TEST_F(Compass, IsAPlugin) {
  pluginlib::ClassLoader<controller_interface::ControllerInterface> loader(
      "controller_interface", "controller_interface::ControllerInterface");
  EXPECT_NE(loader.createSharedInstance("stance_controllers/CompassGaitController"), nullptr);
}

}  // namespace
}  // namespace stance_controllers
