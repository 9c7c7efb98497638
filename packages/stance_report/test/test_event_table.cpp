#include "stance_report/event_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "stance_core/model/build_model.hpp"

namespace stance {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(EventTable, WritesARowWithAllDigits) {
  Description robot;
  robot.name = "brick";
  InertialDescription inertial;
  inertial.mass = 1;
  robot.links = {{"brick", inertial}};
  const auto model = build_model(robot);
  ASSERT_TRUE(model);
  ContactEvent event;
  event.sequence = 7;
  event.time = 0.1;
  event.kind = EventKind::kTouchdown;
  event.frame = FrameId(0);
  event.point_W = {1, 2, 3};
  event.normal_W = {0, 0, 1};
  event.impulse_W = {-0.25, 0, 1.0 / 3};
  event.velocity_before_W = {0.5, 0, -1};
  event.restitution = 0.25;
  event.energy_lost = 1e-20;
  auto table = EventTable::open("event_table.csv");
  ASSERT_TRUE(table) << table.error().text();
  table->add(event_row(event, *model));
  table->flush();
  const std::string expected =
      "sequence,time,kind,law,body,other,joint,point_x,point_y,point_z,normal_x,normal_y,normal_z,"
      "velocity_before_x,velocity_before_y,velocity_before_z,velocity_after_x,velocity_after_y,"
      "velocity_after_z,impulse_x,impulse_y,impulse_z,restitution,energy_lost,root\n"
      "7,0.10000000000000001,touchdown,newton,brick,world,,1,2,3,0,0,1,0.5,0,-1,0,0,0,-0.25,0,"
      "0.33333333333333331,0.25,9.9999999999999995e-21,\n";
  EXPECT_EQ(contents("event_table.csv"), expected);
  EXPECT_EQ(table->path(), "event_table.csv");
  table->close();
  EXPECT_FALSE(table->error());
}

TEST(EventTable, SaysWhyItCannotBeOpened) {
  const auto table = EventTable::open("no/such/folder/events.csv");
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().text().find("no/such/folder/events.csv"), std::string::npos);
}

TEST(SequenceWatch, CountsWhatIsMissing) {
  SequenceWatch watch;
  EXPECT_EQ(watch.take(0), 0u);
  EXPECT_EQ(watch.take(1), 0u);
  EXPECT_EQ(watch.take(5), 3u);
  EXPECT_EQ(watch.take(6), 0u);
  EXPECT_EQ(watch.lost(), 3u);
  EXPECT_EQ(watch.take(0), 0u) << "another run";
  EXPECT_EQ(watch.take(1), 0u);
  EXPECT_EQ(watch.lost(), 3u);
  SequenceWatch late;
  EXPECT_EQ(late.take(4), 4u) << "who comes late has missed the first";
}

}  // namespace
}  // namespace stance
