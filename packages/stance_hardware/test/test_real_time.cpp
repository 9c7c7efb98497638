// read and write: no heap, no file, no text, no wait, no exception, no lock of our own.

#include "bare_component.hpp"
#include "count_calls.hpp"

namespace stance::test {
namespace {

using hardware_interface::return_type;

TEST(RealTime, ReadAndWriteDoNothingForbidden) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions";
  BareComponent component(compass_urdf(full_tag(config("compass.yaml"))));
  const rclcpp::Time time(0, 0, RCL_STEADY_TIME);
  const rclcpp::Duration period(0, 1'000'000);
  const std::vector<std::string> hybrid = {"right_hip/position", "right_hip/velocity",
                                           "right_hip/effort", "right_hip/kp", "right_hip/kd"};
  ASSERT_EQ(component->prepare_command_mode_switch(hybrid, {}), return_type::OK);
  return_type status = return_type::OK;
  constexpr int kCycles = 5000;  // with impacts and re-roots, and reports
  const CountCalls calls;
  const auto switched = component->perform_command_mode_switch(hybrid, {});
  const long in_switch = calls.count(Call::kLock);
  for (int k = 0; k < kCycles && status == return_type::OK; ++k) {
    status = component->read(time, period);
    if (status == return_type::OK) status = component->write(time, period);
  }
  const long locks = calls.count(Call::kLock) - in_switch;
  for (const Call call :
       {Call::kHeap, Call::kFile, Call::kText, Call::kWait, Call::kThrow, Call::kSystem})
    EXPECT_EQ(calls.count(call), 0) << calls.text();
  EXPECT_EQ(switched, return_type::OK);
  EXPECT_EQ(status, return_type::OK);
  // The handles of the framework have a lock each, which is tried and let go, and never waited for.
  EXPECT_LE(locks, 2L * kCycles * static_cast<long>(component.state_count() + hybrid.size()));
}

}  // namespace
}  // namespace stance::test
