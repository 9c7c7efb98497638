#include "stance_nodes/contact_markers.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "markers.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "stance_hardware/event_qos.hpp"
#include "stance_hardware/to_message.hpp"
#include "topics.hpp"
#include "transform.hpp"

namespace stance_nodes {

using stance::Vec3;
using stance_msgs::msg::ContactState;

namespace {

constexpr std::size_t kMostImpulses = 64;  // arrows at a time

double seconds(const builtin_interfaces::msg::Time& time) { return time.sec + 1e-9 * time.nanosec; }

}  // namespace

ContactMarkers::ContactMarkers(const rclcpp::NodeOptions& options)
    : Node("contact_markers", options) {
  const auto contacts = declare_parameter<std::string>("contacts",
                                                       "/contact_state_broadcaster/contact_states");
  const auto events = declare_parameter<std::string>("events", kEventTopic);
  const auto odometry = declare_parameter<std::string>("odom", "/stance/odom");
  const auto pose = declare_parameter<std::string>("pose", "/pose_broadcaster/pose");
  const auto rate = declare_parameter<double>("rate", 30);
  scale_ = declare_parameter<double>("metres_per_newton_second", 0.1);
  lifetime_ = declare_parameter<double>("lifetime", 1);
  if (declare_parameter<bool>("publish_tf", false))
    tf_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
  if (!(rate > 0))
    throw std::runtime_error("parameter 'rate' is " + std::to_string(rate) +
                             "; it must be above zero");

  publisher_ = create_publisher<visualization_msgs::msg::MarkerArray>("~/markers", 10);
  listen("/robot_description", rclcpp::QoS(1).reliable().transient_local(),
         &ContactMarkers::take_robot);
  listen("/joint_states", rclcpp::SystemDefaultsQoS(), &ContactMarkers::take_joints);
  listen(odometry, rclcpp::SystemDefaultsQoS(), &ContactMarkers::take_odometry);
  listen(pose, rclcpp::SystemDefaultsQoS(), &ContactMarkers::take_pose);
  listen(contacts, rclcpp::SystemDefaultsQoS(), &ContactMarkers::take_contacts);
  listen(events, stance::event_qos(), &ContactMarkers::take_event);
  timer_ = create_wall_timer(std::chrono::duration<double>(1 / rate), [this] { publish(); });
}

template <class Message>
void ContactMarkers::listen(const std::string& topic, const rclcpp::QoS& qos,
                            void (ContactMarkers::*callback)(const Message&)) {
  subscriptions_.push_back(create_subscription<Message>(
      topic, qos, [this, callback](const Message& message) { (this->*callback)(message); }));
}

// ---- what comes in

void ContactMarkers::take_robot(const std_msgs::msg::String& description) {
  stance::LoadOptions options;  // what draws judges nothing
  options.lenient = true;
  options.min_armature = 1;
  auto robot = stance::make_robot(description.data, options);
  if (!robot) {
    RCLCPP_ERROR(get_logger(), "robot_description: %s", robot.error().text().c_str());
    return;
  }
  figure_.reset();
  robot_ = *std::move(robot);
  figure_ = std::make_unique<stance::Figure>(robot_->model);
}

void ContactMarkers::take_joints(const sensor_msgs::msg::JointState& joints) {
  if (!figure_) return;
  for (std::size_t k = 0; k < joints.name.size() && k < joints.position.size(); ++k)
    figure_->set_joint(joints.name[k], joints.position[k]);  // others' joints are left out
}

void ContactMarkers::take_odometry(const nav_msgs::msg::Odometry& odometry) {
  place_base(odometry.header, odometry.pose.pose);
}

void ContactMarkers::take_pose(const geometry_msgs::msg::PoseStamped& pose) {
  place_base(pose.header, pose.pose);
}

void ContactMarkers::place_base(const std_msgs::msg::Header& header,
                                const geometry_msgs::msg::Pose& pose) {
  if (!figure_) return;
  stamp_ = header.stamp;
  if (!header.frame_id.empty()) world_ = header.frame_id;
  const auto& [p, q] = std::tie(pose.position, pose.orientation);
  figure_->set_base({p.x, p.y, p.z}, {q.x, q.y, q.z, q.w});
  if (!tf_) return;
  const auto base = stance::frame_name(robot_->model, robot_->model.bodies[0].link);
  tf_->sendTransform(to_transform(header, base, pose));
}

void ContactMarkers::take_contacts(const stance_msgs::msg::ContactStates& contacts) {
  contacts_ = contacts;
}

void ContactMarkers::take_event(const stance_msgs::msg::ContactEvent& event) {
  if (event.impulse.x == 0 && event.impulse.y == 0 && event.impulse.z == 0) return;
  impulses_.push_back(event);
  if (impulses_.size() > kMostImpulses) impulses_.pop_front();
}

// ---- what goes out

void ContactMarkers::publish() {
  if (!figure_) {
    RCLCPP_INFO_THROTTLE(get_logger(), *get_clock(), 10000, "waiting for /robot_description");
    return;
  }
  visualization_msgs::msg::MarkerArray array;
  MarkerId id;
  id.header.stamp = stamp_;
  id.header.frame_id = world_;
  const auto name = [&](const char* ns, std::size_t number) -> const MarkerId& {
    id.ns = ns;
    id.id = static_cast<int>(number);
    return id;
  };

  bool rooted = false;
  for (std::size_t k = 0; k < contacts_.contacts.size(); ++k) {
    const ContactState& contact = contacts_.contacts[k];
    const auto foot = stance::find_frame(robot_->model, contact.name);
    if (!foot.valid()) continue;
    const Vec3<double> where = figure_->pose(foot).p;
    const bool slips = contact.status == ContactState::SLIPPING;
    array.markers.push_back(
        contact.status > ContactState::INACTIVE
            ? sphere(name("contacts", k), where, 0.05, slips ? kSlipColour : kContactColour)
            : removal(name("contacts", k)));
    if (contact.support) array.markers.push_back(disc(name("root", 0), where, 0.15, kRootColour));
    rooted = rooted || contact.support;
  }
  if (!rooted) array.markers.push_back(removal(name("root", 0)));

  const Vec3<double> mass = figure_->center_of_mass();
  array.markers.push_back(sphere(name("center_of_mass", 0), mass, 0.06, kMassColour));

  // an arrow keeps its number, so that the next array moves nothing
  while (!impulses_.empty() &&
         seconds(stamp_) - seconds(impulses_.front().header.stamp) > lifetime_) {
    array.markers.push_back(removal(name("impulses", impulses_.front().sequence % kMostImpulses)));
    impulses_.pop_front();
  }
  for (const auto& event : impulses_) {
    const double age = seconds(stamp_) - seconds(event.header.stamp);
    const auto& [p, j] = std::tie(event.point, event.impulse);
    array.markers.push_back(arrow(name("impulses", event.sequence % kMostImpulses),
                                  stance::arrow_at({p.x, p.y, p.z}, {j.x, j.y, j.z}, scale_),
                                  kImpulseColour, stance::fading(age, lifetime_)));
  }
  publisher_->publish(array);
}

}  // namespace stance_nodes

RCLCPP_COMPONENTS_REGISTER_NODE(stance_nodes::ContactMarkers)
