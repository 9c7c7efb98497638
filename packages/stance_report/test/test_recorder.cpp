// Recording the passive compass: its steps, its tables, and what happens when they cannot be written.
#include "stance_report/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_report/verdict.hpp"
#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;
namespace fs = std::filesystem;

std::vector<std::vector<std::string>> read_csv(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(read_text(path));
  for (std::string line; std::getline(text, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    if (line.back() == ',') rows.back().emplace_back();
  }
  return rows;
}

TEST(Recorder, CountsTheStepsOfTheCompass) {
  Walk walk = compass_walk();
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, std::nullopt);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 45);
  const auto& steps = (*recorder)->steps();
  ASSERT_GT(steps.size(), 60u);
  EXPECT_TRUE(std::isnan(steps[0].period));
  // the first step is known by the foot that left the ground
  EXPECT_NEAR(steps[0].length, 2 * std::sin(0.5424 / 2), 1e-12);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].number, static_cast<int>(i) + 1);
    EXPECT_EQ(steps[i].foot, walk.settings.feet[i % 2 == 0 ? 1 : 0].frame);
    EXPECT_GT(steps[i].impulse, 0);
  }
  // an independent solution to its printed digits
  EXPECT_NEAR(steps.back().period, 0.7344, 5e-5);
  EXPECT_NEAR(steps.back().length, 0.5356, 5e-5);
  EXPECT_NEAR(steps.back().energy_lost, 1.1007, 5e-5);
  // a steady gait loses in each impact what the slope gives: m g times the descent
  EXPECT_NEAR(steps.back().energy_lost, 4 * 9.81 * std::sin(0.0524) * steps.back().length, 1e-8);
  EXPECT_TRUE(assess(steps).steady) << assess(steps).words;
  const auto files = (*recorder)->finish(ending(walk));
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->empty());
}

TEST(Recorder, WritesTablesThatReadBackAsTheSameNumbers) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("tables");
  auto recorder = Recorder::open(*walk.model, walk.settings,
                                 {"t", "compass", 0.01, {"trajectory", "events"}}, dir);
  ASSERT_TRUE(recorder) << recorder.error().text();
  watch(walk, **recorder, 3);
  const auto files = (*recorder)->finish(ending(walk));
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_EQ(*files, (std::vector<fs::path>{dir / "trajectory.csv", dir / "events.csv"}));

  const auto rows = read_csv(dir / "trajectory.csv");
  const std::vector<std::string> header = {"time",
                                           "root",
                                           "base.x",
                                           "base.y",
                                           "base.z",
                                           "base.qx",
                                           "base.qy",
                                           "base.qz",
                                           "base.qw",
                                           "base.vx",
                                           "base.vy",
                                           "base.vz",
                                           "base.wx",
                                           "base.wy",
                                           "base.wz",
                                           "base.ax",
                                           "base.ay",
                                           "base.az",
                                           "base.alphax",
                                           "base.alphay",
                                           "base.alphaz",
                                           "q.right_hip",
                                           "v.right_hip",
                                           "tau.right_hip",
                                           "a.right_hip",
                                           "kinetic",
                                           "potential",
                                           "grf.fx",
                                           "grf.fy",
                                           "grf.fz",
                                           "contact.left_foot.mode",
                                           "contact.left_foot.fx",
                                           "contact.left_foot.fy",
                                           "contact.left_foot.fz",
                                           "contact.right_foot.mode",
                                           "contact.right_foot.fx",
                                           "contact.right_foot.fy",
                                           "contact.right_foot.fz"};
  ASSERT_GT(rows.size(), 300u);
  EXPECT_EQ(rows[0], header);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  double time = -1;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), header.size());
    EXPECT_GT(std::stod(rows[i][0]), time);
    time = std::stod(rows[i][0]);
    // one foot stands at a time, and has all of the ground's force
    const std::string& foot = rows[i][1];
    const std::string other = foot == "left_foot" ? "right_foot" : "left_foot";
    EXPECT_EQ(rows[i][column(("contact." + foot + ".mode").c_str())], "stick");
    EXPECT_EQ(rows[i][column(("contact." + other + ".mode").c_str())], "open");
    EXPECT_EQ(std::stod(rows[i][column(("contact." + other + ".fz").c_str())]), 0);
    for (const std::string axis : {".fx", ".fz"}) {
      EXPECT_NEAR(std::stod(rows[i][column(("contact." + foot + axis).c_str())]),
                  std::stod(rows[i][column(("grf" + axis).c_str())]), 1e-9);
    }
    EXPECT_LE(i, 300 + 1 + 2 * (*recorder)->events().size());
  }
  // the last row is the state the simulator ended in
  const auto& last = rows.back();
  const State& state = walk.simulator->state();
  EXPECT_EQ(std::stod(last[0]), state.time);
  EXPECT_EQ(last[1], "right_foot");
  EXPECT_EQ(std::stod(last[21]), state.q[kSupportCoordinates]);
  EXPECT_EQ(std::stod(last[22]), state.v[kSupportDofs]);
  const auto base = body_motion(*walk.model, walk.simulator->tree(), state, BodyId(0));
  EXPECT_EQ(std::stod(last[2]), base.X_WH.p.x);
  EXPECT_EQ(std::stod(last[4]), base.X_WH.p.z);
  EXPECT_EQ(std::stod(last[13]), base.V_H.w.y);

  const auto events = read_csv(dir / "events.csv");
  ASSERT_EQ(events.size(), (*recorder)->events().size() + 1);
  for (std::size_t i = 1; i < events.size(); ++i) {
    const ContactEvent& event = (*recorder)->events()[i - 1];
    EXPECT_EQ(events[i][0], std::to_string(event.sequence));
    EXPECT_EQ(std::stod(events[i][1]), event.time);
    EXPECT_EQ(events[i][2], to_string(event.kind));
    const auto cell = [&](const char* name) {
      return events[i][static_cast<std::size_t>(
          std::find(events[0].begin(), events[0].end(), name) - events[0].begin())];
    };
    EXPECT_EQ(cell("body"), walk.model->frames[event.frame].name.view());
    EXPECT_EQ(cell("other"), "world");
    EXPECT_EQ(cell("law"), event.kind == EventKind::kTouchdown ? "newton" : "");
    EXPECT_EQ(std::stod(cell("point_x")), event.point_W.x);
    EXPECT_EQ(std::stod(cell("normal_z")), event.normal_W.z);
    EXPECT_EQ(std::stod(cell("velocity_before_z")), event.velocity_before_W.z);
    EXPECT_EQ(std::stod(cell("velocity_after_x")), event.velocity_after_W.x);
    EXPECT_EQ(std::stod(cell("impulse_z")), event.impulse_W.z);
    EXPECT_EQ(std::stod(cell("energy_lost")), event.energy_lost);
    EXPECT_EQ(cell("root"), walk.model->frames[event.root].name.view());
  }
}

TEST(Recorder, ShowsTheStatesBeforeAndAfterAnEvent) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("around_events");
  // a period so long that every row but the first is there because of an event
  auto recorder = Recorder::open(*walk.model, walk.settings, {"", "", 100, {"trajectory"}}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 2);
  ASSERT_EQ((*recorder)->steps().size(), 3u);
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  const auto rows = read_csv(dir / "trajectory.csv");
  ASSERT_EQ(rows.size(), 1u + 1u + 2u * 2u);
  for (std::size_t i = 2; i < rows.size(); i += 2) {
    const double touchdown = (*recorder)->steps()[i / 2].time;
    EXPECT_LE(std::stod(rows[i][0]), touchdown);
    EXPECT_GE(std::stod(rows[i + 1][0]), touchdown);
    EXPECT_NEAR(std::stod(rows[i + 1][0]) - std::stod(rows[i][0]), 1e-3, 1e-12);
    EXPECT_NE(rows[i][1], rows[i + 1][1]);
  }
}

TEST(Recorder, KeepsTheTablesOfARunThatNeverFinishes) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("interrupted");
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 5);
  // read while the files are still open: what was flushed is there, in whole rows but for the last
  EXPECT_EQ(read_csv(dir / "events.csv").size(), (*recorder)->events().size() + 1);
  EXPECT_GT(read_csv(dir / "trajectory.csv").size(), 400u);
}

TEST(Recorder, NamesTheDirectoryThatCannotBeMade) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("occupied");
  fs::create_directories(dir.parent_path());
  std::ofstream(dir) << "a file, not a directory";
  const auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir / "out");
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().code, ErrorCode::kFile);
  EXPECT_NE(recorder.error().text().find((dir / "out").string()), std::string::npos)
      << recorder.error().text();
  fs::remove(dir);
}

TEST(Recorder, NamesTheFileThatCannotBeOpened) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("blocked");
  fs::create_directories(dir / "events.csv");
  const auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_FALSE(recorder);
  EXPECT_NE(recorder.error().text().find((dir / "events.csv").string()), std::string::npos);
}

TEST(Recorder, ReportsADiskThatFillsUp) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (const char* name : {"trajectory.csv", "events.csv", "summary.json", "phase.svg"}) {
    Walk walk = compass_walk();
    const auto dir = fresh_directory("full");
    fs::create_directories(dir);
    fs::create_symlink("/dev/full", dir / name);
    auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
    ASSERT_TRUE(recorder);
    watch(walk, **recorder, 2);
    const auto files = (*recorder)->finish(ending(walk));
    ASSERT_FALSE(files) << name;
    EXPECT_NE(files.error().text().find((dir / name).string()), std::string::npos)
        << files.error().text();
    // the others are there
    EXPECT_EQ(fs::is_regular_file(dir / "summary.json"), name != std::string("summary.json"));
    fs::remove_all(dir);
  }
}

TEST(Recorder, WritesOnlyWhatWasAskedFor) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("some_files");
  auto recorder = Recorder::open(*walk.model, walk.settings, {"", "", 0.01, {"strip", "summary"}},
                                 dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 2);
  const auto files = (*recorder)->finish(ending(walk));
  ASSERT_TRUE(files);
  EXPECT_EQ(*files, (std::vector<fs::path>{dir / "strip.svg", dir / "summary.json"}));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir), fs::directory_iterator()), 2);
}

TEST(Recorder, TakesTheFilesOfAnEarlierRunAway) {
  const auto dir = fresh_directory("stale");
  const auto record = [&](std::set<std::string> files) {
    Walk walk = compass_walk();
    RunInfo info;
    info.files = std::move(files);
    auto recorder = Recorder::open(*walk.model, walk.settings, info, dir);
    ASSERT_TRUE(recorder);
    watch(walk, **recorder, 2);
    ASSERT_TRUE((*recorder)->finish(ending(walk)));
  };
  record({});
  std::ofstream(dir / "notes.txt") << "mine";
  record({"trajectory"});
  EXPECT_TRUE(fs::exists(dir / "trajectory.csv"));
  EXPECT_TRUE(fs::exists(dir / "notes.txt"));  // not ours
  EXPECT_EQ(std::distance(fs::directory_iterator(dir), fs::directory_iterator()), 2);
}

TEST(Recorder, RefusesToOverwriteWhatTheRunIsMadeFrom) {
  Walk walk = compass_walk();
  const auto dir = fresh_directory("inputs");
  fs::create_directories(dir);
  std::ofstream(dir / "strip.svg") << "of an earlier run";
  std::ofstream(dir / "summary.json") << "a scenario";
  RunInfo info;
  info.files = {"strip"};  // not even where it would only be taken away
  info.inputs = {"no_such.urdf", dir / ".." / "inputs" / "summary.json"};
  const auto recorder = Recorder::open(*walk.model, walk.settings, info, dir);
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().text(),
            (dir / "summary.json").string() +
                ": is read by this command and would be overwritten: write somewhere else");
  EXPECT_EQ(read_text(dir / "summary.json"), "a scenario");
  EXPECT_EQ(read_text(dir / "strip.svg"), "of an earlier run");
}

// Newton's law for the whole robot: the rate of its momentum is weight, ground and push.
TEST(Recorder, TellsTheForceOfTheGround) {
  Walk walk = kneed_walker();
  const auto dir = fresh_directory("ground");
  RunInfo info;
  info.sample_period = walk.settings.step;
  Wrench push;
  push.frame = find_frame(*walk.model, "hip");
  push.force_W = {3, 0, 1};
  push.duration = 10;
  info.pushes = {push};
  auto recorder = Recorder::open(*walk.model, walk.settings, info, dir);
  ASSERT_TRUE(recorder);
  const Model& model = *walk.model;
  Simulator& simulator = *walk.simulator;
  const auto w = std::make_unique<Workspace>();
  std::vector<Force<double>> forces(static_cast<std::size_t>(model.body_count));
  std::vector<Vec3<double>> momenta;
  std::vector<double> times;
  (*recorder)->observe(simulator);
  for (int k = 0; k < 150; ++k) {  // before the knee strikes
    kinematics(model, simulator.tree(), simulator.state(), *w);
    momenta.push_back(momentum(simulator.tree(), *w).f);
    times.push_back(simulator.state().time);
    ASSERT_TRUE(wrench_forces(model, simulator.tree(), simulator.state(), info.pushes,
                              simulator.state().time, walk.settings.step, forces));
    ASSERT_EQ(simulator.step({}, forces), Status::kOk);
    (*recorder)->observe(simulator);
  }
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  const auto rows = read_csv(dir / "trajectory.csv");
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                    rows[0].begin());
  };
  ASSERT_LT(column("grf.fz"), rows[0].size());
  const double weight = total_mass(model) * 9.81;
  for (std::size_t k = 1; k + 1 < momenta.size(); ++k) {
    ASSERT_EQ(std::stod(rows[k + 1][0]), times[k]);
    const Vec3<double> rate = (momenta[k + 1] - momenta[k - 1]) *
                              (1 / (times[k + 1] - times[k - 1]));
    const Vec3<double> ground = rate - push.force_W - model.gravity * total_mass(model);
    // a central difference over a millisecond: 1e-6 s^2 of the force's second derivative
    EXPECT_NEAR(std::stod(rows[k + 1][column("grf.fx")]), ground.x, 1e-4 * weight);
    EXPECT_NEAR(std::stod(rows[k + 1][column("grf.fy")]), 0, 1e-9 * weight);
    EXPECT_NEAR(std::stod(rows[k + 1][column("grf.fz")]), ground.z, 1e-4 * weight);
  }
}

// The powered compass is as steady as can be: its states coincide, and their names stand side by side.
TEST(Recorder, NamesWhatCoincidesTogether) {
  Walk walk = powered_compass();
  const auto dir = fresh_directory("coincide");
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 60);
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  const auto energy = read_text(dir / "energy.svg");
  for (const char* names : {">A, C, A\u2032, C\u2032</text>", ">P, P\u2032</text>"})
    EXPECT_NE(energy.find(names), std::string::npos) << names;
  const auto loses = energy.find(">loses ");
  ASSERT_NE(loses, std::string::npos);
  EXPECT_EQ(energy.find(">loses ", loses + 1), std::string::npos);  // once is enough
}

TEST(Recorder, DrawsTheSolesOfFeetThatRoll) {
  const auto lines_of = [](double radius) {
    Walk walk = compass_walk();
    for (int f = 0; f < 2; ++f) {
      if (radius > 0)
        walk.settings.feet[static_cast<std::size_t>(f)].support = JointKind::kRoll,
        walk.settings.feet[static_cast<std::size_t>(f)].radius = radius;
    }
    restart(walk);
    const auto dir = fresh_directory("soles");
    auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
    EXPECT_TRUE(recorder);
    watch(walk, **recorder, 0.05);
    EXPECT_TRUE((*recorder)->finish(ending(walk)));
    const auto strip = read_text(dir / "strip.svg");
    std::size_t longest = 0;  // points of a line
    for (auto at = strip.find("points=\""); at != std::string::npos;
         at = strip.find("points=\"", at + 1)) {
      const auto end = strip.find('"', at + 8);
      longest = std::max(longest, static_cast<std::size_t>(std::count(
                                      strip.begin() + static_cast<std::ptrdiff_t>(at),
                                      strip.begin() + static_cast<std::ptrdiff_t>(end), ',')));
    }
    return longest;
  };
  EXPECT_LT(lines_of(0), 5u);     // sticks
  EXPECT_GT(lines_of(0.2), 20u);  // an arc
}

// A walker that takes seven seconds a step: five seconds of it would say nothing.
TEST(Recorder, TheTimeLineHoldsWholeSteps) {
  Walk walk = compass_walk(false);
  walk.model->gravity = {0, 0, -0.0981};
  State joints = neutral_state(*walk.model, make_tree(*walk.model));
  joints.q[kSupportCoordinates] = -0.5424, joints.v[kSupportDofs] = 0.03117;
  start(walk, 0.3236, 0.14939, joints);
  ASSERT_EQ(walk.simulator->strike(1), Status::kOk);
  const auto dir = fresh_directory("slow");
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 60);
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  ASSERT_GE((*recorder)->steps().size(), 6u);
  const auto timeline = read_text(dir / "timeline.svg");
  const auto at = timeline.find("t = ");
  double from = 0, to = 0;
  ASSERT_EQ(std::sscanf(timeline.c_str() + at, "t = %lf to %lf s", &from, &to), 2);
  EXPECT_NEAR(to, 60, 0.01);
  EXPECT_NEAR(from, (*recorder)->steps()[(*recorder)->steps().size() - 5].time, 0.02);
}

TEST(Recorder, DrawsTheSamePicturesTwice) {
  std::string drawn[2];
  for (auto& text : drawn) {
    Walk walk = kneed_walker();
    const auto dir = fresh_directory("twice");
    auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
    ASSERT_TRUE(recorder);
    watch(walk, **recorder, 3);
    const auto files = (*recorder)->finish(ending(walk));
    ASSERT_TRUE(files);
    EXPECT_EQ(files->size(), 8u);
    for (const auto& file : *files) text += read_text(file);
  }
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST(Recorder, LeavesTheSimulationAlone) {
  // watched or not, the walk is the same to the last bit
  Walk watched = compass_walk(), alone = compass_walk();
  auto recorder = Recorder::open(*watched.model, watched.settings, {}, fresh_directory("alone"));
  ASSERT_TRUE(recorder);
  watch(watched, **recorder, 3);
  while (alone.simulator->state().time < watched.simulator->state().time) {
    ASSERT_EQ(alone.simulator->step({}), Status::kOk);
  }
  EXPECT_EQ(alone.simulator->hash(), watched.simulator->hash());
}

TEST(Recorder, CountsKneeStrikesInTheEnergyOfAStep) {
  Walk walk = kneed_walker();
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, std::nullopt);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 20);
  const auto& steps = (*recorder)->steps();
  ASSERT_GT(steps.size(), 30u);
  // in a steady gait knee and foot together lose what the slope gives; the gait is steady to 1e-6 by now
  const double slope_gives = 16 * 9.81 * std::sin(0.0504) * steps.back().length;
  EXPECT_NEAR(steps.back().energy_lost, slope_gives, 1e-5 * slope_gives);
}

// The picture says what the push-off gives, and what the collision takes from there.
TEST(Recorder, DrawsThePushOff) {
  Walk walk = powered_compass();
  const auto dir = fresh_directory("push_off");
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 3);
  ASSERT_GT((*recorder)->steps().size(), 2u);
  double given = 0;
  for (const auto& event : (*recorder)->events()) {
    if (event.kind == EventKind::kPushOff) given = -event.energy_lost;
  }
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  const auto energy = read_text(dir / "energy.svg");
  EXPECT_NE(energy.find(">P</text>"), std::string::npos);
  EXPECT_NE(energy.find(fmt::format("push gives {:#.4g} J", given)), std::string::npos);
  const auto timeline = read_text(dir / "timeline.svg");
  EXPECT_NE(timeline.find("of push-offs (hollow)"), std::string::npos);
}

// A knee's stop acts inside the robot: it is marked, without an impulse from the ground.
TEST(Recorder, MarksStopsWithoutAnImpulse) {
  Walk walk = kneed_walker();
  const auto dir = fresh_directory("stops");
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, dir);
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 3);
  ASSERT_TRUE((*recorder)->finish(ending(walk)));
  EXPECT_NE(read_text(dir / "timeline.svg").find("a joint struck its stop, inside the robot"),
            std::string::npos);
}

TEST(Recorder, DrawsSomethingWhenThereIsNothing) {
  // never observed; and a robot without feet, in flight
  Walk walk = compass_walk();
  auto unseen = Recorder::open(*walk.model, walk.settings, {}, fresh_directory("unseen"));
  ASSERT_TRUE(unseen);
  EXPECT_TRUE((*unseen)->finish({}));

  walk.settings.foot_count = 0;
  walk.simulator = std::make_unique<Simulator>(*walk.model, walk.settings);
  walk.simulator->start_in_flight(neutral_state(*walk.model, make_tree(*walk.model)));
  auto recorder = Recorder::open(*walk.model, walk.settings, {}, fresh_directory("no_feet"));
  ASSERT_TRUE(recorder);
  watch(walk, **recorder, 0.1);
  const auto files = (*recorder)->finish(ending(walk));
  ASSERT_TRUE(files);
  EXPECT_EQ(files->size(), 8u);
  for (const auto& file : *files) EXPECT_GT(fs::file_size(file), 100u) << file;
}

TEST(Recorder, RefusesWhatItCannotReport) {
  Walk walk = compass_walk();
  const auto unknown = Recorder::open(*walk.model, walk.settings, {"", "", 0.01, {"movie"}},
                                      std::nullopt);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().text(),
            "report 'movie': is unknown; choose from trajectory, events, summary, phase, energy, "
            "strip, timeline, replay");
  EXPECT_FALSE(Recorder::open(*walk.model, walk.settings, {"", "", 0, {}}, std::nullopt));
  EXPECT_FALSE(Recorder::open(*walk.model, walk.settings, {"", "", NAN, {}}, std::nullopt));
}

}  // namespace
}  // namespace stance
