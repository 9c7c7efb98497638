// The second opinion. A robot that stance loads is one that robot_state_publisher, RViz and the rest load as well;
// if urdfdom refuses a text whose links and joints we read, then for something we do not look at: a shape, a
// material, a safety controller.
#include "urdfdom_check.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <exception>
#include <mutex>
#include <string>

#include "refusal.hpp"

namespace stance {
namespace {

// Keeps what is logged while it lives. console_bridge has one handler for the whole process, hence the lock.
class LogCapture final : public console_bridge::OutputHandler {
 public:
  LogCapture() : lock_(mutex()), previous_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(this);
  }
  ~LogCapture() override { console_bridge::useOutputHandler(previous_); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  void log(const std::string& message, console_bridge::LogLevel level, const char* /*file*/,
           int /*line*/) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_WARN) messages.push_back(message);
  }

  std::vector<std::string> messages;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
  console_bridge::OutputHandler* previous_;
};

}  // namespace

void require_urdfdom_accepts(std::string_view xml, LoadReport& report) {
  LogCapture capture;
  bool accepted = false;
  try {
    accepted = urdf::parseURDF(std::string(xml)) != nullptr;
  } catch (const std::exception& exception) {
    capture.messages.emplace_back(exception.what());
  }
  if (!accepted) {
    const std::string what = fmt::format(
        "urdfdom, the parser of the ROS tools, refuses this file: {}",
        fmt::join(capture.messages, "; "));
    if (!report.lenient) {
      refuse(ErrorCode::kUnsupported, {},
             fmt::format("{}; correct it, check_urdf shows the same, or load it with --lenient "
                         "(lenient: yes), which takes it as read here",
                         what));
    }
    report.tell(Remark::Kind::kLenient, "urdfdom", what + "; --lenient takes it as read here");
    return;
  }
  for (const std::string& message : capture.messages) {
    report.tell(Remark::Kind::kIgnored, "urdfdom",
                fmt::format("the parser of the ROS tools complains: {}", message));
  }
}

}  // namespace stance
