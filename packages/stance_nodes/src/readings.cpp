#include "readings.hpp"

#include "stance_hardware/to_message.hpp"

namespace stance_nodes {

using stance::FootReading;
using stance::Plant;
using stance_msgs::msg::ContactState;

namespace {

template <class Message>
void set(Message& to, const stance::Vec3<double>& from) {
  to.x = from.x, to.y = from.y, to.z = from.z;
}
void set(geometry_msgs::msg::Quaternion& to, const stance::Quaternion& from) {
  to.x = from.x, to.y = from.y, to.z = from.z, to.w = from.w;
}

void set(ContactState& to, const FootReading& from) {
  to.status = from.contact == 0 ? ContactState::INACTIVE
              : from.slip > 0   ? ContactState::SLIPPING
                                : ContactState::ACTIVE;
  to.contact_raw = from.contact_raw != 0;
  to.support = from.support != 0;
  to.slip = from.slip;
  set(to.wrench.force, from.force);
  set(to.wrench.torque, from.torque);
  set(to.force_now, from.force_now);
  set(to.surface_normal, from.normal);
  set(to.pose.position, from.position);
  set(to.pose.orientation, from.orientation);
  set(to.velocity.linear, from.linear_velocity);
  set(to.velocity.angular, from.angular_velocity);
}

}  // namespace

Readings::Readings(const Plant& plant) {
  const auto& model = plant.model();
  for (int i = 1; i < model.body_count; ++i) {
    if (dof_count(model.joints[i].kind) != 1) continue;
    ids_.emplace_back(i);
    joints.name.emplace_back(model.joints[i].name.view());
  }
  for (auto* list : {&joints.position, &joints.velocity, &joints.effort}) list->resize(ids_.size());
  base.header.frame_id = contacts.header.frame_id = stance::kWorldFrame;
  base.child_frame_id = stance::frame_name(model, model.bodies[0].link);
  const auto& settings = plant.simulator().settings();
  for (int i = 0; i < settings.foot_count; ++i) {
    auto& contact = contacts.contacts.emplace_back();
    contact.name = stance::frame_name(model, settings.feet[i].frame);
    const stance::Material& material = settings.feet[i].material;
    if (material.slips()) contact.friction_coefficient = material.mu_static;
  }
}

void Readings::take(const Plant& plant, std::int64_t stamp) {
  joints.header.stamp = base.header.stamp = contacts.header.stamp = stance::to_time(stamp);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const stance::JointReading& reading = plant.joint(ids_[k]);
    joints.position[k] = reading.position;
    joints.velocity[k] = reading.velocity;
    joints.effort[k] = reading.effort;
  }
  set(base.pose.pose.position, plant.base().position);
  set(base.pose.pose.orientation, plant.base().orientation);
  set(base.twist.twist.linear, plant.base().linear_velocity);
  set(base.twist.twist.angular, plant.base().angular_velocity);
  for (std::size_t k = 0; k < contacts.contacts.size(); ++k)
    set(contacts.contacts[k], plant.foot(static_cast<int>(k)));
}

}  // namespace stance_nodes
