#include "stance_nodes/event_logger.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "event_row.hpp"
#include "spin.hpp"
#include "stance_hardware/event_qos.hpp"
#include "topics.hpp"

namespace stance_nodes {
namespace {

using stance_msgs::msg::ContactEvent;

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

rclcpp::NodeOptions file(const std::string& path) {
  return rclcpp::NodeOptions().parameter_overrides({{"file", path}});
}

class Logger : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { test::start_ros(71); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }
};

TEST_F(Logger, NamesKindsAsTheRunDoes) {
  using stance::EventKind;
  EXPECT_EQ(kind_name(ContactEvent::TOUCHDOWN), to_string(EventKind::kTouchdown));
  EXPECT_EQ(kind_name(ContactEvent::LIFTOFF), to_string(EventKind::kLiftoff));
  EXPECT_EQ(kind_name(ContactEvent::PUSH_OFF), to_string(EventKind::kPushOff));
  EXPECT_EQ(kind_name(ContactEvent::STOP), to_string(EventKind::kStop));
  EXPECT_EQ(kind_name(ContactEvent::RELEASE), to_string(EventKind::kRelease));
  EXPECT_EQ(kind_name(ContactEvent::FALL), to_string(EventKind::kFall));
  EXPECT_EQ(kind_name(ContactEvent::SLIDE), to_string(EventKind::kSlide));
  EXPECT_EQ(kind_name(ContactEvent::STICK), to_string(EventKind::kStick));
  EXPECT_EQ(kind_name(ContactEvent::BOUNCE), to_string(EventKind::kBounce));
  EXPECT_EQ(kind_name(ContactEvent::TIP), to_string(EventKind::kTip));
  EXPECT_EQ(kind_name(ContactEvent::SETTLE), to_string(EventKind::kSettle));
  EXPECT_EQ(law_name(ContactEvent::NONE), "");
  EXPECT_EQ(law_name(ContactEvent::NEWTON), to_string(stance::ImpactLaw::kNewton));
  EXPECT_EQ(law_name(ContactEvent::POISSON), to_string(stance::ImpactLaw::kPoisson));
  EXPECT_EQ(kind_name(99), "");
}

TEST_F(Logger, WritesRowsAndTellsGaps) {
  const auto logger = std::make_shared<EventLogger>(file("logged.csv"));
  const auto talker = std::make_shared<rclcpp::Node>("talker");
  const auto publisher = talker->create_publisher<ContactEvent>(kEventTopic, stance::event_qos());
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(logger);
  ContactEvent event;
  event.kind = ContactEvent::TOUCHDOWN;
  event.foot = "left_foot";
  event.law = ContactEvent::NEWTON;
  event.bodies = {"left_leg", "world"};
  event.restitution = 0.25;
  event.root_after = "left_foot";
  event.normal.z = 1;
  for (const std::uint64_t sequence : {0, 1, 4}) {  // 2 and 3 are lost
    event.sequence = sequence;
    event.time = 0.1 * static_cast<double>(sequence + 1);
    publisher->publish(event);
  }
  ASSERT_TRUE(test::spin_until(executor, [&] { return logger->written() == 3; }));
  EXPECT_EQ(logger->lost(), 2u);
  const auto rows = [] {
    const std::string text = contents("logged.csv");
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_TRUE(test::spin_until(executor, [&] { return rows() == 4; })) << "flushed while it runs";
  EXPECT_THAT(contents("logged.csv"),
              ::testing::HasSubstr(
                  "\n1,0.20000000000000001,touchdown,newton,left_foot,world,,0,0,0,0,0,1,0,0,0,"
                  "0,0,0,0,0,0,0.25,0,left_foot\n"));
}

TEST_F(Logger, SaysThatTheFileCannotBeMade) {
  try {
    EventLogger logger(file("no/such/folder/events.csv"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no/such/folder/events.csv"));
  }
}

}  // namespace
}  // namespace stance_nodes
