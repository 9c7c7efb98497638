// The parts of `stance run`: progress bar, table of steps, kick. Whole runs are in test/test_scenarios.py.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kick.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "step_table.hpp"

namespace stance {
namespace {

TEST(Progress, Line) {
  EXPECT_EQ(progress_line(0, 30, 0),
            "[>                             ]   0 %  0.0 of 30 s, 0 steps");
  EXPECT_EQ(progress_line(15, 30, 20),
            "[===============>              ]  50 %  15.0 of 30 s, 20 steps");
  EXPECT_EQ(progress_line(30.1, 30, 41),
            "[==============================] 100 %  30.1 of 30 s, 41 steps");
}

TEST(Kick, IsSmallAndRepeats) {
  InitialState a;
  a.angle = 0.3;
  a.rate = 1.5;
  a.joints = {{JointId(1), -0.5, 0.3}, {JointId(2), 0.1, 0}};
  InitialState b = a, c = a;
  kick(7, b);
  kick(7, c);
  EXPECT_EQ(b.rate, c.rate);
  EXPECT_NE(b.rate, a.rate);
  EXPECT_LE(std::abs(b.rate / a.rate - 1), kKickSize);
  EXPECT_LE(std::abs(b.joints[0].velocity / 0.3 - 1), kKickSize);
  EXPECT_NE(b.joints[0].velocity / 0.3, b.rate / 1.5);  // each has a number of its own
  EXPECT_EQ(b.joints[1].velocity, 0);
  EXPECT_EQ(b.angle, a.angle);
  EXPECT_EQ(b.joints[0].position, -0.5);
  kick(8, c);
  EXPECT_NE(b.rate, c.rate);
}

TEST(StepTable, OneLineAStepAndOneForWhatHappensBetween) {
  auto model = std::make_unique<Model>();
  model->frames[0].name = Name("left_foot");
  model->frames[1].name = Name("hip");
  model->joints[1].name = Name("knee");
  SimulatorSettings settings;
  settings.foot_count = 1;
  settings.feet[0].frame = FrameId(0);
  settings.stop_count = 1;
  settings.stops[0].joint = JointId(1);
  StepTable table(*model, settings);
  EXPECT_EQ(table.header(),
            " step     time, s  foot       length, m  period, s  impulse, Ns      lost, J\n");

  std::vector<ContactEvent> events(4);
  events[0].kind = EventKind::kStop, events[0].time = 0.5, events[0].joint = JointId(1);
  events[0].energy_lost = 0.25;
  events[1].kind = EventKind::kTouchdown, events[1].time = 1, events[1].frame = FrameId(0);
  events[2].kind = EventKind::kLiftoff, events[2].time = 1, events[2].frame = FrameId(0);
  events[3].kind = EventKind::kFall, events[3].time = 2, events[3].frame = FrameId(1);
  const std::vector<Step> steps = {
      {1, 1, FrameId(0), 0.5, std::numeric_limits<double>::quiet_NaN(), 2.5, 1e-5}};
  EXPECT_EQ(table.rows(events, steps),
            "           0.5000  stop knee                                          0.2500\n"
            "    1      1.0000  left_foot     0.5000          -       2.5000    1.000e-05\n"
            "           2.0000  fall hip\n");
  EXPECT_EQ(table.rows(events, steps), "");
}

TEST(Run, TeachesAndRefuses) {
  const auto help = run_stance("run --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Example"), std::string::npos);
  const auto missing = run_stance("run no_such.yaml");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "stance: no_such.yaml: does not exist; check the path\n");
}

}  // namespace
}  // namespace stance
