// Laws in the loop: what they ask of the ground, that robots stand and walk under them, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "stance_gait/body_control.hpp"
#include "stance_gait/make_law.hpp"
#include "stance_gait/trot_law.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Scenario> shipped(const char* name) {
  auto scenario = load_scenario(fs::path(STANCE_CONFIG_FOLDER) / name);
  EXPECT_TRUE(scenario) << scenario.error().text();
  return *std::move(scenario);
}

LawSettings law(const char* name, std::vector<std::pair<const char*, const char*>> entries = {}) {
  LawSettings settings;
  settings.name = name, settings.where = "walk.yaml:3:6";
  for (const auto& [key, text] : entries) settings.entries.push_back({key, text, "walk.yaml:4:2"});
  return settings;
}

// The forces asked for have the wrench asked for, push, and are the least: moving any of them along the null space costs.
TEST(BodyControl, GivesTheWrenchThatIsAsked) {
  const auto scenario = shipped("quadruped_stand.yaml");
  auto loop = make_control_loop(*scenario);
  ASSERT_TRUE(loop) << loop.error().text();
  BodyControl body(loop->plant());
  EXPECT_NEAR(body.mass(), 22.64, 1e-9);
  std::array<bool, kMaxFeet> all{};
  all.fill(true);
  const Vec3<double> F{8, -5, 230}, M{3, -2, 1};
  body.ask(all, F, M, 10);
  Vec3<double> sum, moment;
  for (int k = 0; k < 4; ++k) {
    sum += body.asked(k);
    moment += cross(body.foot_position(k) - body.center_of_mass(), body.asked(k));
    EXPECT_GT(body.asked(k).z, 0);
  }
  // kSoftness of the answer is left
  EXPECT_LT(norm(sum - F), 1e-3);
  EXPECT_LT(norm(moment - M), 1e-3);
  // on three feet the loads are the only ones there are; the fourth has none
  std::array<bool, kMaxFeet> three = all;
  three[0] = false;
  body.let_go();
  body.ask(three, {0, 0, 230}, {}, 10);
  EXPECT_EQ(body.asked(0), Vec3<double>());
  // a moment that would need a foot to pull leaves that foot out
  body.ask(all, {0, 0, 100}, {200, 0, 0}, 10);
  for (int k = 0; k < 4; ++k) EXPECT_GE(body.asked(k).z, 0);
  // and what is asked along the ground stays in the cone
  body.ask(all, {500, 0, 100}, {}, 0.5);
  for (int k = 0; k < 4; ++k)
    EXPECT_LE(std::hypot(body.asked(k).x, body.asked(k).y), 0.5 * body.asked(k).z + 1e-9);
}

// Gravity's efforts less J^T f: with them, and the forces on the feet, nothing accelerates.
TEST(BodyControl, CarriesTheRobotAtRest) {
  const auto scenario = shipped("biped_shift.yaml");
  scenario->law.entries = {};
  auto loop = make_control_loop(*scenario);
  ASSERT_TRUE(loop) << loop.error().text();
  for (int k = 0; k < 4000; ++k) ASSERT_EQ(loop->step(), Status::kOk);  // comes to rest
  BodyControl body(loop->plant());
  std::array<bool, kMaxFeet> all{};
  all.fill(true);
  body.ask(all, body.up() * (body.mass() * body.gravity()), {}, 10);
  const DofVector efforts = body.efforts();
  Simulator simulator(loop->plant().model(), scenario->settings);
  simulator.restore(loop->simulator().save());
  DofVector a;
  Load load;
  ASSERT_EQ(simulator.observe(efforts, {}, a, load), Status::kOk);
  for (int i = 1; i < simulator.model().body_count; ++i)
    EXPECT_NEAR(a[simulator.model().joints[i].v_index], 0, 1e-3) << i;  // kSoftness is left
}

TEST(StandLaw, MovesTheBodyAlongItsSine) {
  auto scenario = shipped("quadruped_stand.yaml");
  scenario->law.entries = {{"shift_y", "3 cm", ""}, {"shift_period", "2 s", ""}};
  auto loop = make_control_loop(*scenario);
  ASSERT_TRUE(loop) << loop.error().text();
  double most = 0, least = 0, forward = 0;
  for (int k = 0; k < 6000; ++k) {
    ASSERT_EQ(loop->step(), Status::kOk);
    const Vec3<double> p = loop->plant().base().position;
    if (k > 3000) most = std::max(most, p.y), least = std::min(least, p.y);
    forward = std::max(forward, std::abs(p.x));
  }
  // the law's bandwidth lets 3 cm through, less its lag: 12 rad/s against 3.1
  EXPECT_NEAR(most, 0.03, 0.003);
  EXPECT_NEAR(least, -0.03, 0.003);
  EXPECT_LT(forward, 0.002);
}

TEST(TrotLaw, GoesWhereItIsSteered) {
  auto scenario = shipped("quadruped_trot.yaml");
  scenario->plant.wrenches.clear();
  for (const double turn : {0.0, 0.3}) {
    auto started = make_plant(*scenario);
    ASSERT_TRUE(started);
    TrotSettings settings;
    settings.speed = 0.3, settings.turn = turn;
    auto trot = std::make_unique<TrotLaw>(settings, *started->plant);
    TrotLaw& watched = *trot;
    ControlLoop loop(std::move(started->plant), std::move(trot), 1, started->opening);
    for (int k = 0; k < 8000; ++k) ASSERT_EQ(loop.step(), Status::kOk) << k;
    EXPECT_FALSE(loop.simulator().fallen());
    EXPECT_GT(watched.steps(), 25);
    const BaseReading& base = loop.plant().base();
    const double heading = 2 * std::atan2(base.orientation.z, base.orientation.w);
    // 7.5 s, of which the first is the run-up
    EXPECT_NEAR(heading, 7 * turn, 0.15);
    if (turn == 0) {
      EXPECT_NEAR(base.position.x, 0.3 * 7, 0.3);
      EXPECT_NEAR(base.position.y, 0, 0.1);
    }
    EXPECT_NEAR(base.position.z, 0.387, 0.02);
  }
}

// The law of the compass in the loop of a scenario walks as compass_law.hpp says.
TEST(CompassLaw, WalksInAScenario) {
  auto scenario = shipped("compass_powered.yaml");
  scenario->law = law("compass");
  scenario->law.period = scenario->settings.step;
  auto loop = make_control_loop(*scenario);
  ASSERT_TRUE(loop) << loop.error().text();
  double last = 0, period = 0;
  ContactEvent event;
  for (int k = 0; k < 60000; ++k) {
    ASSERT_EQ(loop->step(), Status::kOk);
    while (loop->plant().events().pop(event)) {
      if (event.kind == EventKind::kTouchdown) period = event.time - last, last = event.time;
    }
  }
  EXPECT_NEAR(period, 0.557, 2e-3);
}

TEST(MakeLaw, RefusesByName) {
  const auto scenario = shipped("quadruped_stand.yaml");
  auto started = make_plant(*scenario);
  ASSERT_TRUE(started);
  const auto refusal = [&](const LawSettings& settings) {
    const auto made = make_law(settings, *started->plant);
    return made ? std::string("made") : made.error().text();
  };
  EXPECT_EQ(refusal(law("run")),
            "walk.yaml:3:6: law.name is 'run'; there are compass, stand, trot");
  EXPECT_EQ(refusal(law("stand", {{"bandwidth", "3 m"}})),
            "walk.yaml:4:2: law.bandwidth takes an angular rate, and '3 m' is a length");
  EXPECT_NE(refusal(law("stand", {{"bandwith", "3"}}))
                .find("law.bandwith is not known to the law 'stand', which takes bandwidth, "),
            std::string::npos);
  EXPECT_EQ(refusal(law("trot", {{"swing", "0 s"}})),
            "walk.yaml:4:2: law.swing must be above zero");
  EXPECT_NE(refusal(law("compass")).find("law.joint cannot be used: "), std::string::npos);
  const auto biped = shipped("biped_shift.yaml");
  auto two = make_plant(*biped);
  ASSERT_TRUE(two);
  const auto trot = make_law(law("trot"), *two->plant);
  ASSERT_FALSE(trot);
  EXPECT_EQ(trot.error().text(),
            "walk.yaml:3:6: law 'trot' is for four feet, and the scenario has 2");
}

}  // namespace
}  // namespace stance
