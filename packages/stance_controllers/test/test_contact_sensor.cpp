#include "stance_controllers/contact_sensor.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "lent_interfaces.hpp"
#include "support/count_heap.hpp"

namespace semantic_components {
namespace {

using stance::test::CountHeap;
using stance::test::LentInterfaces;
using ::testing::ElementsAre;
using Status = ContactSensor::Status;

const std::vector<std::string> kAll = {"foot/contact",
                                       "foot/contact_raw",
                                       "foot/force.x",
                                       "foot/force.y",
                                       "foot/force.z",
                                       "foot/torque.x",
                                       "foot/torque.y",
                                       "foot/torque.z",
                                       "foot/slip",
                                       "foot/support",
                                       "foot/force_now.x",
                                       "foot/force_now.y",
                                       "foot/force_now.z",
                                       "foot/position.x",
                                       "foot/position.y",
                                       "foot/position.z",
                                       "foot/orientation.x",
                                       "foot/orientation.y",
                                       "foot/orientation.z",
                                       "foot/orientation.w",
                                       "foot/linear_velocity.x",
                                       "foot/linear_velocity.y",
                                       "foot/linear_velocity.z",
                                       "foot/angular_velocity.x",
                                       "foot/angular_velocity.y",
                                       "foot/angular_velocity.z",
                                       "foot/normal.x",
                                       "foot/normal.y",
                                       "foot/normal.z"};

TEST(ContactSensor, NamesItsInterfaces) {
  EXPECT_EQ(ContactSensor("foot").get_state_interface_names(), kAll);
  EXPECT_THAT(ContactSensor("toe", {"contact"}).get_state_interface_names(),
              ElementsAre("toe/contact"));
  EXPECT_THAT(
      ContactSensor("toe", {"contact", "support", "force"}).get_state_interface_names(),
      ElementsAre("toe/contact", "toe/support", "toe/force.x", "toe/force.y", "toe/force.z"));
}

TEST(ContactSensor, ReadsWhateverTheOrder) {
  LentInterfaces hardware;
  double value = 2;
  for (const auto& name : kAll) hardware[name] = value++;
  std::vector<std::string> mixed(kAll.rbegin(), kAll.rend());
  auto states = hardware.states(mixed);
  ContactSensor sensor("foot");
  ASSERT_TRUE(sensor.assign_loaned_state_interfaces(states));
  EXPECT_EQ(sensor.get_contact(), true);
  EXPECT_THAT(sensor.get_forces(), ElementsAre(4, 5, 6));
  EXPECT_THAT(sensor.get_torques(), ElementsAre(7, 8, 9));
  EXPECT_EQ(sensor.get_slip(), 10);
  EXPECT_THAT(sensor.get_force_now(), ElementsAre(12, 13, 14));
  EXPECT_THAT(sensor.get_position(), ElementsAre(15, 16, 17));
  EXPECT_THAT(sensor.get_orientation(), ElementsAre(18, 19, 20, 21));
  EXPECT_THAT(sensor.get_linear_velocity(), ElementsAre(22, 23, 24));
  EXPECT_THAT(sensor.get_angular_velocity(), ElementsAre(25, 26, 27));
  EXPECT_THAT(sensor.get_normal(), ElementsAre(28, 29, 30));
  geometry_msgs::msg::Wrench wrench;
  ASSERT_TRUE(sensor.get_values_as_message(wrench));
  EXPECT_EQ(wrench.force.y, 5);
  EXPECT_EQ(wrench.torque.z, 9);
  hardware["foot/contact"] = hardware["foot/contact_raw"] = hardware["foot/support"] = 0;
  EXPECT_EQ(sensor.get_contact(), false);
  EXPECT_EQ(sensor.get_contact_raw(), false);
  EXPECT_EQ(sensor.get_support(), false);
  sensor.release_interfaces();
}

TEST(ContactSensor, TellsTheStatus) {
  LentInterfaces hardware;
  auto states = hardware.states(kAll);
  ContactSensor sensor("foot");
  ASSERT_TRUE(sensor.assign_loaned_state_interfaces(states));
  const auto status = [&](double contact, double slip) {
    hardware["foot/contact"] = contact;
    hardware["foot/slip"] = slip;
    return sensor.get_status();
  };
  EXPECT_EQ(status(std::nan(""), 0), Status::kUnknown);
  EXPECT_EQ(status(0, 0), Status::kInactive);
  EXPECT_EQ(status(0, 0.3), Status::kInactive);
  EXPECT_EQ(status(1, 0), Status::kActive);
  EXPECT_EQ(status(1, std::nan("")), Status::kActive);
  EXPECT_EQ(status(1, 0.3), Status::kSlipping);
}

TEST(ContactSensor, KnowsNothingOfPartsThatAreNotThere) {
  LentInterfaces hardware;
  hardware["toe/contact"] = 1;
  auto states = hardware.states({"toe/contact"});
  ContactSensor sensor("toe", {"contact"});
  ASSERT_TRUE(sensor.assign_loaned_state_interfaces(states));
  EXPECT_EQ(sensor.get_status(), Status::kActive);
  EXPECT_FALSE(sensor.get_contact_raw());
  EXPECT_FALSE(sensor.get_support());
  EXPECT_TRUE(std::isnan(sensor.get_slip()));
  EXPECT_TRUE(std::isnan(sensor.get_orientation()[3]));
  geometry_msgs::msg::Wrench wrench;
  wrench.force.x = 7;
  EXPECT_FALSE(sensor.get_values_as_message(wrench));
  EXPECT_EQ(wrench.force.x, 7);
}

TEST(ContactSensor, MissesAnInterface) {
  LentInterfaces hardware;
  auto states = hardware.states({"foot/contact", "foot/slip"});
  ContactSensor sensor("foot");
  EXPECT_FALSE(sensor.assign_loaned_state_interfaces(states));
}

TEST(ContactSensor, RefusesPartsByName) {
  const auto text = [](const std::vector<std::string>& parts) -> std::string {
    try {
      ContactSensor sensor("foot", parts);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(text({"contact", "pressure"}),
            "contact sensor 'foot': part 'pressure' is not known; there are contact, contact_raw, "
            "force, torque, slip, support, force_now, position, orientation, linear_velocity, "
            "angular_velocity and normal");
  EXPECT_EQ(text({"force"}),
            "contact sensor 'foot': the first part must be 'contact'; the others are optional");
  EXPECT_NE(text({}), "");
}

TEST(ContactSensor, ReadsWithoutTheHeap) {
  LentInterfaces hardware;
  for (const auto& name : kAll) hardware[name] = 1;
  auto states = hardware.states(kAll);
  ContactSensor sensor("foot");
  ASSERT_TRUE(sensor.assign_loaned_state_interfaces(states));
  geometry_msgs::msg::Wrench wrench;
  const CountHeap heap;
  (void)sensor.get_status();
  (void)sensor.get_values_as_message(wrench);
  EXPECT_EQ(heap.calls(), 0);
}

}  // namespace
}  // namespace semantic_components
