// The shell costs little beside the core's own step: handles, two looks at the clock, and the rings.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "bare_component.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_model/wiring.hpp"

namespace stance::test {
namespace {

using hardware_interface::return_type;

// Times of a batch of cycles, the least of many: what the machine does besides is not ours.
template <class Cycle>
double least_time(const Cycle& cycle) {
  double least = 1e9;
  for (int batch = 0; batch < 60; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; ++k) cycle();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / 100);
  }
  return least;
}

TEST(ShellTime, IsWithinAFifthOfTheCore) {
  BareComponent component;
  const rclcpp::Time time(0, 0, RCL_STEADY_TIME);
  const rclcpp::Duration period(0, 1'000'000);
  const auto scenario = load_scenario(config("compass.yaml"));
  const auto info = hardware_interface::parse_control_resources_from_urdf(
      compass_urdf(full_tag(config("compass.yaml"))))[0];
  HardwareTag tag;  // the same sensors
  for (const auto& sensor : info.sensors) {
    TagComponent& one = tag.sensors.emplace_back();
    one.name = sensor.name;
    one.parameters.insert(sensor.parameters.begin(), sensor.parameters.end());
  }
  auto wiring = wire(tag, **scenario);
  ASSERT_TRUE(wiring) << wiring.error().text();
  int bad = 0;
  double shell = 1e9, core = 1e9;
  // the least of both falls towards what they cost on an idle machine
  for (int round = 0; round < 3 || (round < 30 && shell > 1.2 * core); ++round) {
    core = std::min(core, least_time([&] { bad += wiring->plant->step(1) != Status::kOk; }));
    shell = std::min(shell, least_time([&] {
                       bad += component->read(time, period) != return_type::OK;
                       bad += component->write(time, period) != return_type::OK;
                     }));
  }
  EXPECT_EQ(bad, 0);
  RecordProperty("core_us", std::to_string(1e6 * core));
  RecordProperty("shell_us", std::to_string(1e6 * shell));
  std::printf("core %.2f us, shell %.2f us, ratio %.3f\n", 1e6 * core, 1e6 * shell, shell / core);
  EXPECT_LE(shell, 1.2 * core);
}

}  // namespace
}  // namespace stance::test
