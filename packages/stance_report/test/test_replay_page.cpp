#include "stance_report/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "page_template.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance {
namespace {

// A body that tumbles, and a wheel on it that goes round several times, over `count` instants.
Replay sample(int count = 50) {
  Replay replay;
  replay.title = "a \"title\" </script><!-- & more";
  replay.robot = "r";
  replay.bodies.resize(2);
  replay.bodies[0].name = "trunk";
  replay.bodies[0].shapes.push_back({ReplayShape::Kind::kBox, {}, {1, 2, 3}});
  replay.bodies[1].name = "wheel", replay.bodies[1].parent = 0;
  replay.contacts.resize(1);
  replay.contacts[0].name = "foot", replay.contacts[0].body = 1;
  replay.series = {{"Energy", "kinetic", "J", {}}};
  for (int i = 0; i < count; ++i) {
    const double t = 0.01 * i;
    replay.time.push_back(t);
    const Transform<double> X{rotation(exponential({t, 2 * t, std::sin(t)})), {t, 1 - t * t, 2}};
    const Transform<double> X_B{rotation(exponential({0, 0, 30 * t})), {0.5, 0, 0}};
    replay.bodies[0].pose_W.push_back(X);
    replay.bodies[1].pose_W.push_back(X * X_B);
    replay.contacts[0].state.push_back(i % 2 == 0 ? ReplayContact::kOpen : ReplayContact::kStick);
    replay.contacts[0].force_W.push_back({0, 0, 100 * t});
    replay.center_of_mass.push_back({t, 0, 1});
    replay.series[0].value.push_back(t * t);
  }
  replay.events.push_back({0.1, "touchdown", {"foot"}, {1, 2, 3}, {0, 0, 4}, 0.5});
  return replay;
}

TEST(ReplayPage, IsOnePageWithTheMotionInItsPlace) {
  const auto page = replay_page(sample());
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_TRUE(page->starts_with("<!doctype html>"));
  EXPECT_NE(page->find("\"words\": [\"touchdown\",\"foot\"]"), std::string::npos);
  EXPECT_EQ(page->find("{\"stance\":\"replay\"}"), std::string::npos);
  // nothing in the motion ends the script it is in
  EXPECT_NE(page->find("a \\\"title\\\" \\u003c/script>\\u003c!-- & more"), std::string::npos);
}

TEST(ReplayPage, AsksForNothingBeyondItself) {
  const std::string_view page = report::page_template();
  for (const char* what : {"src=\"http", "href=\"http", "@import", "url(http", "src=\"//"})
    EXPECT_EQ(page.find(what), page.npos) << what;
  EXPECT_LT(page.size(), 1000000U);
  EXPECT_GT(page.size(), 30000U);
}

TEST(ReplayPage, IsRefusedWhereItDoesNotFitTogether) {
  const auto refused = [](auto&& change, const char* told) {
    Replay replay = sample();
    change(replay);
    const auto page = replay_page(replay);
    ASSERT_FALSE(page) << told;
    EXPECT_NE(page.error().text().find(told), std::string::npos) << page.error().text();
  };
  refused([](Replay& r) { r.time.pop_back(); },
          "body 'trunk': has 50 entries where the replay has 49");
  refused([](Replay& r) { r.time[3] = 9; }, "must never fall");
  refused([](Replay& r) { r = {}; }, "holds no instant");
  refused([](Replay& r) { r.bodies[1].parent = 1; }, "body 'wheel', parent: 1 is no index below 1");
  refused([](Replay& r) { r.bodies[0].shapes[0].kind = ReplayShape::Kind::kMesh; },
          "body 'trunk', mesh");
  refused([](Replay& r) { r.meshes.push_back({{{0, 0, 0}}, {{0, 0, 1}}}); }, "mesh, corner: 1");
  refused([](Replay& r) { r.contacts[0].state.clear(); }, "contact 'foot', state: has 0 entries");
  refused([](Replay& r) { r.contacts[0].force_W.pop_back(); }, "contact 'foot', force: has 49");
  refused([](Replay& r) { r.contacts[0].body = 2; }, "contact 'foot', body: 2");
  refused([](Replay& r) { r.center_of_mass.pop_back(); }, "centre of mass: has 49");
  refused([](Replay& r) { r.series[0].value.pop_back(); }, "series 'kinetic': has 49");
  refused(
      [](Replay& r) {
        r.portraits.push_back({"p", 0, 1});
      },
      "portrait 'p': 1 is no index below 1");
}

TEST(ReplayPage, IsRenewedFromItself) {
  const auto page = replay_page(sample());
  ASSERT_TRUE(page);
  const auto renewed = renewed_replay_page(*page);
  ASSERT_TRUE(renewed) << renewed.error().text();
  EXPECT_EQ(*renewed, *page);
  for (const std::string& broken :
       {std::string("<html></html>"), page->substr(0, page->find("\"time\"")),
        std::string(report::page_template())}) {
    EXPECT_FALSE(renewed_replay_page(broken));
  }
}

// A minute of a quadruped at 100 Hz: every joint, foot, force and energy. Random, as no real motion is, in its last digits.
TEST(ReplayPage, OfAMinuteOfAQuadrupedIsSmall) {
  constexpr int kCount = 6000;
  std::mt19937 random(60);
  std::uniform_real_distribution<double> even(-1, 1);
  Replay replay;
  replay.title = "quadruped";
  replay.bodies.resize(13);
  std::vector<double> phase, size;
  for (int k = 0; k < 40; ++k)
    phase.push_back(3 * even(random)), size.push_back(0.5 + 0.3 * even(random));
  const auto swing = [&](int k, double t) {
    const auto i = static_cast<std::size_t>(k);
    return size[i] * (std::sin(2 * M_PI * 2 * t + phase[i]) +
                      0.3 * std::sin(2 * M_PI * 4 * t + 2 * phase[i]));
  };
  for (int k = 0; k < 12; ++k) {
    const std::string name = "joint_" + std::to_string(k);
    replay.series.push_back({"Joint positions", name, "rad", {}});
    replay.series.push_back({"Joint velocities", name, "rad/s", {}});
    replay.series.push_back({"Joint efforts", name, "N m", {}});
  }
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"})
    replay.series.push_back({"Base", name, "", {}});
  for (const char* name : {"kinetic", "potential", "total"})
    replay.series.push_back({"Energy", name, "J", {}});
  for (const char* name : {"fx", "fy", "fz"})
    replay.series.push_back({"Ground reaction", name, "N", {}});
  replay.contacts.resize(4);
  for (int b = 0; b < 13; ++b) {
    replay.bodies[static_cast<std::size_t>(b)].name = "body_" + std::to_string(b);
    replay.bodies[static_cast<std::size_t>(b)].parent = b == 0 ? -1 : (b - 1) % 3 == 0 ? 0 : b - 1;
  }
  for (int i = 0; i < kCount; ++i) {
    const double t = 0.01 * i;
    replay.time.push_back(t);
    replay.bodies[0].pose_W.push_back(
        {rotation(exponential({0.05 * swing(30, t), 0.05 * swing(31, t), 0.1 * t})),
         {0.5 * t, 0.02 * swing(32, t), 0.4 + 0.02 * swing(33, t)}});
    for (int b = 1; b < 13; ++b) {
      ReplayBody& body = replay.bodies[static_cast<std::size_t>(b)];
      const auto& parent = replay.bodies[static_cast<std::size_t>(body.parent)].pose_W.back();
      const Mat3<double> R = z_onto(
          {0, (b - 1) % 3 == 0 ? 0.0 : 1.0, (b - 1) % 3 == 0 ? 1.0 : 0.0});
      body.pose_W.push_back(
          parent *
          Transform<double>{R * rotation(exponential({0, 0, swing(b, t)})), {0.1, 0.05, -0.2}});
    }
    for (int c = 0; c < 4; ++c) {
      ReplayContact& contact = replay.contacts[static_cast<std::size_t>(c)];
      contact.body = 3 * c + 3;
      const bool on = std::fmod(2 * t + 0.5 * (c % 2), 1) < 0.6;
      contact.state.push_back(on ? ReplayContact::kStick : ReplayContact::kOpen);
      contact.force_W.push_back(
          on ? Vec3<double>{5 * swing(c, t), 3 * swing(c + 4, t), 60 + 20 * swing(c + 8, t)}
             : Vec3<double>{});
    }
    replay.center_of_mass.push_back({0.5 * t, 0.02 * swing(34, t), 0.38 + 0.02 * swing(35, t)});
    for (std::size_t k = 0; k < replay.series.size(); ++k)
      replay.series[k].value.push_back(10 * swing(static_cast<int>(k) % 40, t) +
                                       0.01 * even(random));
  }
  const auto page = replay_page(replay);
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_LT(page->size(), 2000000U);
  RecordProperty("bytes", static_cast<int>(page->size()));
}

}  // namespace
}  // namespace stance
