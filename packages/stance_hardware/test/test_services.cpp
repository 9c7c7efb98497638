// The test bench, called as a user calls it, while the controller manager's loop runs.
#include <atomic>
#include <cmath>
#include <thread>

#include "compass_rig.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/srv/apply_wrench.hpp"
#include "stance_msgs/srv/inject_fault.hpp"
#include "stance_msgs/srv/reset.hpp"
#include "stance_msgs/srv/set_pause.hpp"
#include "stance_msgs/srv/step.hpp"

namespace stance::test {
namespace {

using namespace std::chrono_literals;
using lifecycle_msgs::msg::State;
namespace srv = stance_msgs::srv;

class Services : public testing::Test {
 protected:
  Services()
      : rig_(compass_urdf(full_tag(config("compass.yaml")))),
        node_(std::make_shared<rclcpp::Node>("caller")),
        loop_([this] {
          while (!stop_) {
            if (!rig_.cycle()) failed_ = true;
            ++cycles_;
            std::this_thread::sleep_for(500us);
          }
        }) {}
  ~Services() override { stop_loop(); }
  void stop_loop() {
    stop_ = true;
    if (loop_.joinable()) loop_.join();
  }
  template <class Service>
  std::string call(const std::string& name, const typename Service::Request& request) {
    const auto client = node_->create_client<Service>("/stance/" + name);
    if (!client->wait_for_service(10s)) return "no service";
    auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
    if (rclcpp::spin_until_future_complete(node_, future, 20s) != rclcpp::FutureReturnCode::SUCCESS)
      return "no answer";
    const auto response = future.get();
    EXPECT_EQ(response->success, response->message.empty());
    return response->message;
  }
  std::string pause(bool paused) {
    srv::SetPause::Request request;
    request.paused = paused;
    return call<srv::SetPause>("set_pause", request);
  }
  std::string step(unsigned steps) {
    srv::Step::Request request;
    request.steps = steps;
    return call<srv::Step>("step", request);
  }
  std::string push(const std::string& link, double force, double duration) {
    srv::ApplyWrench::Request request;
    request.link = link;
    request.wrench.force.x = force;
    request.duration = duration;
    return call<srv::ApplyWrench>("apply_wrench", request);
  }
  void wait_cycles(long count) {
    const long until = cycles_ + count;
    while (cycles_ < until) std::this_thread::sleep_for(1ms);
  }
  // The next one that was asked for after now.
  stance_msgs::msg::SimulationStatus status() {
    using Status = stance_msgs::msg::SimulationStatus;
    int heard = 0;
    Status last;
    const auto subscription = node_->create_subscription<Status>("/stance/simulation_status", 10,
                                                                 [&](const Status& message) {
                                                                   ++heard;
                                                                   last = message;
                                                                 });
    for (int k = 0; k < 3000 && heard < 3; ++k) {
      rclcpp::spin_some(node_);
      std::this_thread::sleep_for(1ms);
    }
    EXPECT_GE(heard, 3);
    return last;
  }
  double state(const std::string& name) {
    return *rig_.manager().claim_state_interface(name).get_optional();
  }

  Rig rig_;
  std::shared_ptr<rclcpp::Node> node_;
  std::atomic<bool> stop_{false}, failed_{false};
  std::atomic<long> cycles_{0};
  std::thread loop_;
};

TEST_F(Services, PauseAndStep) {
  EXPECT_EQ(step(5), "the simulation is not paused; pause it first");
  EXPECT_EQ(pause(true), "");
  wait_cycles(5);
  const double before = state("base/position.x");
  wait_cycles(50);
  EXPECT_EQ(state("base/position.x"), before);
  EXPECT_EQ(step(0), "steps must be above zero, and one request at a time");
  EXPECT_EQ(step(100), "");
  wait_cycles(5);
  EXPECT_GT(std::abs(state("base/position.x") - before), 0.01);
  EXPECT_EQ(pause(false), "");
  EXPECT_FALSE(failed_);
}

TEST_F(Services, ResetAsksWhetherControllersAreActive) {
  const double start = state("base/position.x");
  wait_cycles(300);
  EXPECT_EQ(pause(true), "");
  EXPECT_TRUE(rig_.switch_mode({"right_hip/position"}));
  srv::Reset::Request request;
  const std::string refused = call<srv::Reset>("reset", request);
  EXPECT_EQ(refused,
            "joint 'right_hip' is commanded by a controller, which would pull the robot back; "
            "deactivate the controllers first, or say force: true");
  EXPECT_NE(state("base/position.x"), start);  // it goes on
  EXPECT_EQ(rig_.state_id(), State::PRIMARY_STATE_ACTIVE);
  request.force = true;
  EXPECT_EQ(call<srv::Reset>("reset", request), "");
  wait_cycles(5);
  EXPECT_NEAR(state("base/position.x"), start, 0.02);
  EXPECT_TRUE(rig_.switch_mode({}, {"right_hip/position"}));
  request.force = false;
  request.keyframe = "initial";
  EXPECT_EQ(call<srv::Reset>("reset", request), "");
  request.keyframe = "upside_down";
  EXPECT_EQ(call<srv::Reset>("reset", request),
            "there is no keyframe 'upside_down' in the scenario");
  EXPECT_FALSE(failed_);
}

// A fall is no error: the component stays active, and a reset sets the robot up again.
TEST_F(Services, AFallIsNoError) {
  const Log log;
  EXPECT_EQ(push("torso", 1, 1), "link 'torso' is not a link of the robot");
  EXPECT_EQ(
      push("hip", 1, -1),
      "a number is not finite, the duration not above zero, the start below zero, or the ramp "
      "longer than half the duration");
  EXPECT_EQ(push("hip", -200, 0.2), "");
  for (int k = 0; k < 100 && step(1).find("fallen") == std::string::npos; ++k) {
    wait_cycles(50);
    (void)pause(k % 2 == 0);
  }
  EXPECT_EQ(pause(true), "");
  EXPECT_EQ(step(1), "the robot has fallen; reset it");
  EXPECT_EQ(status().message, "the robot has fallen: 'hip' touched the ground; reset it");
  EXPECT_TRUE(log.has("the robot has fallen: 'hip' touched the ground at ")) << log.text();
  EXPECT_EQ(rig_.state_id(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_EQ(call<srv::Reset>("reset", srv::Reset::Request()), "");
  EXPECT_EQ(step(10), "");
  EXPECT_EQ(status().message, "");
  EXPECT_FALSE(failed_);
}

TEST_F(Services, Faults) {
  srv::InjectFault::Request request;
  request.kind = 77;
  EXPECT_EQ(call<srv::InjectFault>("inject_fault", request), "kind 77 is not one of InjectFault's");
  request.kind = srv::InjectFault::Request::FROZEN_ENCODER;
  request.joint = "knee";
  EXPECT_NE(call<srv::InjectFault>("inject_fault", request).find("knee"), std::string::npos);
  request.joint = "right_hip";
  EXPECT_EQ(call<srv::InjectFault>("inject_fault", request), "");
  wait_cycles(5);
  const double frozen = state("right_hip/position");
  wait_cycles(50);
  EXPECT_EQ(state("right_hip/position"), frozen);
  request.kind = srv::InjectFault::Request::CLEAR;
  EXPECT_EQ(call<srv::InjectFault>("inject_fault", request), "");
  wait_cycles(5);
  EXPECT_NE(state("right_hip/position"), frozen);
  request.kind = srv::InjectFault::Request::TORQUE_LOSS;
  request.amount = 2;
  EXPECT_NE(call<srv::InjectFault>("inject_fault", request).find("a torque loss is from 0 to 1"),
            std::string::npos);
}

// Nobody carries out what is asked: the caller hears why, and what was asked is not done later.
TEST_F(Services, SayThatNobodyIsThere) {
  stop_loop();
  EXPECT_EQ(pause(true), "no answer: the controller manager runs no cycles");
  ASSERT_TRUE(rig_.to(State::PRIMARY_STATE_INACTIVE, "inactive"));
  EXPECT_EQ(pause(true), "the hardware component is not active; activate it first");
  ASSERT_TRUE(rig_.to(State::PRIMARY_STATE_ACTIVE, "active"));
  const double before = state("base/position.x");
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(rig_.cycle());
  EXPECT_NE(state("base/position.x"), before) << "it is not paused";
}

// Numbers that leave the reals: write returns an error, the component is unconfigured and says why, and what happened
// before is on the topic. It can be configured again.
TEST_F(Services, DivergenceIsAnError) {
  const Log log;
  EXPECT_EQ(push("hip", 1e300, 0.2), "");
  for (int k = 0; k < 1000 && !failed_; ++k) std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(failed_);
  wait_cycles(3);
  EXPECT_EQ(rig_.state_id(), State::PRIMARY_STATE_UNCONFIGURED);
  EXPECT_TRUE(log.has("the simulation stopped at")) << log.text();
  EXPECT_TRUE(rig_.to(State::PRIMARY_STATE_ACTIVE, "active"));
  failed_ = false;
  wait_cycles(20);
  EXPECT_FALSE(failed_);
}

}  // namespace
}  // namespace stance::test
