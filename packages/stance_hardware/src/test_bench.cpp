#include "test_bench.hpp"

#include <chrono>
#include <limits>

#include "hardware_version.hpp"
#include "stance_msgs/srv/apply_wrench.hpp"
#include "stance_msgs/srv/inject_fault.hpp"
#include "stance_msgs/srv/reset.hpp"
#include "stance_msgs/srv/set_pause.hpp"
#include "stance_msgs/srv/step.hpp"

namespace stance {
namespace {

using namespace std::chrono_literals;
namespace srv = stance_msgs::srv;

// The answer comes in the cycle after the request, but for steps, of which each takes its time.
constexpr auto kPatience = 2s;

std::string explain(const Answer& answer, const Request& request, const Plant& plant) {
  switch (answer.refusal) {
    case Refusal::kNone: return {};
    case Refusal::kCommanded:
      return "joint '" + std::string(plant.model().joints[answer.joint].name.view()) +
             "' is commanded by a controller, which would pull the robot back; deactivate the "
             "controllers first, or say force: true";
    case Refusal::kRunning: return "the simulation is not paused; pause it first";
    case Refusal::kFallen: return "the robot has fallen; reset it";
    case Refusal::kStatus: break;
  }
  switch (request.kind) {
    case RequestKind::kStep: return "steps must be above zero, and one request at a time";
    case RequestKind::kPush:
      if (answer.status == Status::kBadCommand)
        return "a number is not finite, the duration not above zero, the start below zero, or the "
               "ramp longer than half the duration";
      break;
    case RequestKind::kInject:
      if (answer.status == Status::kBadCommand)
        return "the start is below zero, or the amount does not fit: a torque loss is from 0 to 1, "
               "a latency spike from 0 to " +
               std::to_string(plant.latency_room()) + " s";
      break;
    default: break;
  }
  return to_string(answer.status);
}

bool set_fault(const srv::InjectFault::Request& request, Request& to) {
  using Fault = srv::InjectFault::Request;
  to.kind = RequestKind::kInject;
  switch (request.kind) {
    case Fault::FROZEN_ENCODER: to.fault.kind = FaultKind::kFrozenEncoder; return true;
    case Fault::DROPPED_COMMANDS: to.fault.kind = FaultKind::kDroppedCommands; return true;
    case Fault::TORQUE_LOSS: to.fault.kind = FaultKind::kTorqueLoss; return true;
    case Fault::LATENCY_SPIKE: to.fault.kind = FaultKind::kLatencySpike; return true;
    case Fault::CLEAR: to.kind = RequestKind::kClearFaults; return true;
    default: return false;
  }
}

Request request_of(RequestKind kind) {
  Request request;
  request.kind = kind;
  return request;
}

}  // namespace

template <class Service, class Handler>
void TestBench::offer(const char* name, Handler handler) {
  const auto callback = [handler](const std::shared_ptr<typename Service::Request> request,
                                  std::shared_ptr<typename Service::Response> response) {
    response->message = handler(*request);
    response->success = response->message.empty();
  };
  services_.push_back(
      node_->create_service<Service>(std::string("~/") + name, callback, services_qos(), group_));
}

TestBench::TestBench(const std::shared_ptr<rclcpp::Node>& node, LockStep& lock_step,
                     const std::atomic<bool>& active, const ShellNames& names)
    : node_(node), lock_step_(lock_step), active_(active), names_(names) {
  group_ = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  const Plant& plant = lock_step_.plant();

  offer<srv::Reset>("reset", [&](const srv::Reset::Request& asked) -> std::string {
    Request request = request_of(RequestKind::kReset);
    request.force = asked.force;
    if (!asked.keyframe.empty()) request.keyframe = plant.find_keyframe(asked.keyframe);
    if (request.keyframe < 0)
      return "there is no keyframe '" + asked.keyframe + "' in the scenario";
    return carry_out(request);
  });
  offer<srv::SetPause>("set_pause", [&](const srv::SetPause::Request& asked) {
    return carry_out(request_of(asked.paused ? RequestKind::kPause : RequestKind::kGoOn));
  });
  offer<srv::Step>("step", [&](const srv::Step::Request& asked) -> std::string {
    Request request = request_of(RequestKind::kStep);
    if (asked.steps > 1'000'000) return "steps must be at most a million at a time";
    request.steps = static_cast<int>(asked.steps);
    return carry_out(request);
  });
  offer<srv::ApplyWrench>(
      "apply_wrench", [&](const srv::ApplyWrench::Request& asked) -> std::string {
        Request request = request_of(RequestKind::kPush);
        Wrench& wrench = request.wrench;
        wrench.frame = find_frame(plant.model(), asked.link);
        if (!wrench.frame.valid()) return "link '" + asked.link + "' is not a link of the robot";
        const auto& [force, torque] = std::tie(asked.wrench.force, asked.wrench.torque);
        wrench.point_F = {asked.point.x, asked.point.y, asked.point.z};
        wrench.force_W = {force.x, force.y, force.z};
        wrench.torque_W = {torque.x, torque.y, torque.z};
        wrench.start = asked.start;
        wrench.duration = asked.duration;
        wrench.ramp = asked.ramp;
        return carry_out(request);
      });
  offer<srv::InjectFault>(
      "inject_fault", [&](const srv::InjectFault::Request& asked) -> std::string {
        Request request;
        if (!set_fault(asked, request))
          return "kind " + std::to_string(asked.kind) + " is not one of InjectFault's";
        if (!asked.joint.empty()) {
          const auto joint = plant.find_driven_joint(asked.joint);
          if (!joint) return joint.error().text();
          request.fault.joint = *joint;
        }
        request.fault.start = asked.start;
        request.fault.amount = asked.amount;
        request.fault.duration = asked.duration == 0 ? std::numeric_limits<double>::infinity()
                                                     : asked.duration;
        return carry_out(request);
      });

  executor_.add_callback_group(group_, node_->get_node_base_interface());
  thread_ = std::thread([this] { executor_.spin(); });
}

TestBench::~TestBench() {
  stop_ = true;
  while (!executor_.is_spinning() && rclcpp::ok()) std::this_thread::sleep_for(1ms);
  executor_.cancel();
  thread_.join();
  executor_.remove_callback_group(group_);
}

std::string TestBench::carry_out(Request request) {
  std::string not_active = std::string("the ") + names_.shell + " is not active; activate it first";
  if (!active_) return not_active;
  request.id = ++last_id_;
  if (!lock_step_.ask(request))
    return std::string("too many requests wait; is the ") + names_.caller + " running?";
  const auto steps_take = std::chrono::nanoseconds(
      request.kind == RequestKind::kStep
          ? 20 * lock_step_.period() * (1 + request.steps / lock_step_.sub_steps())
          : 0);
  const auto deadline = std::chrono::steady_clock::now() + kPatience + steps_take;
  Answer answer;
  for (bool last = false;; std::this_thread::sleep_for(500us)) {
    while (lock_step_.take(answer))
      if (answer.id == request.id) return explain(answer, request, lock_step_.plant());
    if (last) break;
    // what was answered just before the end still counts
    last = stop_ || !active_ || std::chrono::steady_clock::now() >= deadline;
  }
  if (!active_) return not_active;
  return std::string("no answer: the ") + names_.caller + " runs no cycles";
}

}  // namespace stance
