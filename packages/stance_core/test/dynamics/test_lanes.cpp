// Limbs in lanes give what the walk body by body gives, for every processor this machine can be.
#include <gtest/gtest.h>

#include <cmath>

#include "processor/kernels.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/limbed_robot.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

class InLanes : public testing::TestWithParam<Processor> {
 protected:
  void SetUp() override {
    if (!runs_here(GetParam())) GTEST_SKIP() << "no such processor here";
  }
};

INSTANTIATE_TEST_SUITE_P(Processors, InLanes,
                         testing::Values(Processor::kAny, Processor::kAvx2, Processor::kAvx512),
                         [](const auto& test) { return std::string(to_string(test.param)); });

// Largest difference over the largest number.
double difference(const Model& model, const DofVector& a, const DofVector& b) {
  double largest = 0, worst = 0;
  for (int d = 0; d < model.dof_count; ++d) {
    largest = std::max(largest, std::abs(a[d]));
    worst = std::max(worst, std::abs(a[d] - b[d]));
  }
  return worst / largest;
}

// The same arithmetic in another order, and other fused products: what rounding is worth on these trees, whose
// accelerations span five orders of magnitude.
constexpr double kRounding = 1e-10;

// Trees that are mostly hinges, on every support, with and without forces on the bodies.
Case random_limbs(Random& random, int trial, Processor processor, bool geared = false) {
  const RobotKind kind{.bodies = 2 + pick(random, kMaxBodies - 1),
                       .only_revolute = trial % 4 != 0,
                       .branching = uniform(random, 0, 1),
                       .geared = geared};
  Case c = random_case(random, kind, kSupports[trial % 6]);
  c.model->processor = processor;
  if (trial % 2 == 1) c.f_ext.clear();
  return c;
}

TEST_P(InLanes, AbaIsTheWalkBodyByBody) {
  Random random(72);
  int in_lanes = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Case c = random_limbs(random, trial, GetParam());
    in_lanes += c.tree->lanes.group_count;
    DofVector a{}, b{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    ASSERT_EQ(aba_lanes(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, b), Status::kOk);
    EXPECT_LT(difference(*c.model, a, b), kRounding) << "trial " << trial;
  }
  EXPECT_GT(in_lanes, 200);
}

// Gears that the walk takes as joints of many bodies, against the same gears as rows.
TEST_P(InLanes, GearsAreTheirRows) {
  Random random(78);
  int gears = 0, in_lanes = 0, locks = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const RobotKind kind{.bodies = 2 + pick(random, std::min(kMaxBodies - 1, 40)),
                         .only_revolute = trial % 4 != 0,
                         .branching = uniform(random, 0, 1),
                         .geared = true};
    Case c = random_case(random, kind, kSupports[trial % 6]);
    const Model& model = *c.model;
    c.model->processor = GetParam();
    if (trial % 2 == 1) c.f_ext.clear();
    ASSERT_TRUE(model.gears_are_joined);
    if (const JointId joint(1 + pick(random, std::max(1, model.body_count - 1)));
        trial % 5 == 0 && model.body_count > 1 && dof_count(model.joints[joint].kind) == 1) {
      lock_joint(model, joint, 0.3, *c.tree);
      ++locks;
    }
    gears += model.gear_count;
    for (int g = 0; g < c.tree->lanes.group_count; ++g) {
      const LimbGroup& group = c.tree->lanes.groups[g];
      for (int k = 0; k < group.pack_count; ++k)
        in_lanes += model.lanes.packs[group.first_pack + k].has_gears;
    }
    DofVector a{}, b{};
    ASSERT_EQ(aba(model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    // what an earlier call left must not matter
    const auto w = std::make_unique<Workspace>();
    std::fill_n(reinterpret_cast<char*>(w.get()), sizeof(Workspace), '\x7f');
    ASSERT_EQ(aba_lanes(model, *c.tree, c.state, c.tau, c.f_ext, *w, b), Status::kOk);
    EXPECT_LT(difference(model, a, b), 10 * kRounding) << "trial " << trial;
    for (int k = 0; k < model.mimic_count; ++k) {
      const Mimic& mimic = model.mimics[k];
      EXPECT_EQ(b[model.joints[mimic.joint].v_index],
                mimic.multiplier * b[model.joints[mimic.leader].v_index]);
    }
  }
  EXPECT_GT(gears, 500);
  EXPECT_GT(in_lanes, 100);
  EXPECT_GT(locks, 20);
}

// A gear between joints that are not next to each other is left to its rows.
TEST_P(InLanes, DistantGearsAreTheirRows) {
  Description robot = limbed_description({{"", 3}, {"", 3}, {"", 3}, {"", 3}});
  robot.joints[2].mimic = MimicDescription{robot.joints[0].name, 0.5, 0};
  BuildOptions options;
  options.processor = GetParam();
  const auto model = std::make_unique<Model>(*build_model(robot, options));
  EXPECT_FALSE(model->gears_are_joined);
  const Tree tree = make_tree(*model);
  Random random(79);
  const State state = random_state(random, *model, tree);
  const DofVector tau = random_dofs(random, *model);
  const auto w = std::make_unique<Workspace>();
  DofVector a{}, b{};
  ASSERT_EQ(aba(*model, tree, state, tau, {}, *w, a), Status::kOk);
  ASSERT_EQ(aba_lanes(*model, tree, state, tau, {}, *w, b), Status::kOk);
  EXPECT_EQ(a, b);
}

TEST_P(InLanes, RneaIsTheWalkBodyByBody) {
  Random random(76);
  for (int trial = 0; trial < 400; ++trial) {
    const Case c = random_limbs(random, trial, GetParam(), trial % 3 == 0);
    DofVector a{}, b{};
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    ASSERT_EQ(rnea_lanes(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, b), Status::kOk);
    EXPECT_LT(difference(*c.model, a, b), 1e-13) << "trial " << trial;
  }
}

TEST_P(InLanes, KinematicsIsTheWalkBodyByBody) {
  Random random(77);
  const auto distance = [](const auto& x, const auto& y) {
    const double *a = reinterpret_cast<const double*>(&x), *b = reinterpret_cast<const double*>(&y);
    double worst = 0;
    for (std::size_t k = 0; k < sizeof(x) / sizeof(double); ++k)
      worst = std::max(worst, std::abs(a[k] - b[k]) / (1 + std::abs(a[k])));
    return worst;
  };
  for (int trial = 0; trial < 100; ++trial) {
    const Case c = random_limbs(random, trial, GetParam());
    const auto plain = std::make_unique<Tree>(*c.tree);
    plain->lanes.group_count = 0;
    const auto w = std::make_unique<Workspace>();
    kinematics(*c.model, *c.tree, c.state, *c.w);
    kinematics(*c.model, *plain, c.state, *w);
    for (int i = 0; i < c.model->body_count; ++i) {
      EXPECT_LT(distance(c.w->X_WB[i], w->X_WB[i]), 1e-13);
      EXPECT_LT(distance(c.w->X_PB[i], w->X_PB[i]), 1e-13);
      EXPECT_LT(distance(c.w->v[i], w->v[i]), 1e-13);
      EXPECT_LT(distance(c.w->c[i], w->c[i]), 1e-13);
    }
  }
}

TEST_P(InLanes, GivesTheSameBitsEveryTime) {
  Random random(73);
  Case c = random_case(random, {.bodies = 20, .only_revolute = true}, JointKind::kFree);
  c.model->processor = GetParam();
  DofVector a{}, b{};
  ASSERT_EQ(aba_lanes(*c.model, *c.tree, c.state, c.tau, {}, *c.w, a), Status::kOk);
  c.w = std::make_unique<Workspace>();
  ASSERT_EQ(aba_lanes(*c.model, *c.tree, c.state, c.tau, {}, *c.w, b), Status::kOk);
  EXPECT_EQ(a, b);
}

// A knee that locks and lets go takes its leg out of the lanes and back.
TEST_P(InLanes, FollowsLocks) {
  const auto model = limbed_robot({{"", 3}, {"", 3}, {"", 3}, {"", 3}}, {.processor = GetParam()});
  Tree tree = make_tree(*model);
  Random random(74);
  State state = random_state(random, *model, tree);
  const JointId knee = find_joint(*model, "to_limb2_2");
  const auto w = std::make_unique<Workspace>();
  const DofVector tau = random_dofs(random, *model);
  for (const bool locked : {true, false}) {
    if (locked) {
      lock_joint(*model, knee, 0.3, tree);
      EXPECT_EQ(std::popcount(unsigned{tree.lanes.active[0]}), 3);
    } else {
      release_joint(*model, knee, tree);
      EXPECT_EQ(std::popcount(unsigned{tree.lanes.active[0]}), 4);
    }
    DofVector a{}, b{};
    ASSERT_EQ(aba(*model, tree, state, tau, {}, *w, a), Status::kOk);
    ASSERT_EQ(aba_lanes(*model, tree, state, tau, {}, *w, b), Status::kOk);
    EXPECT_LT(difference(*model, a, b), kRounding);
  }
}

TEST_P(InLanes, SaysWhatThePlainWalkSays) {
  const auto model = limbed_robot({{"", 3}, {"", 3}, {"", 3}, {"", 3}}, {.processor = GetParam()});
  const Tree tree = make_tree(*model);
  const auto w = std::make_unique<Workspace>();
  DofVector a{};
  State state = neutral_state(*model, tree);
  state.v[model->joints[find_joint(*model, "to_limb1_3")].v_index] = NAN;
  EXPECT_EQ(aba_lanes(*model, tree, state, {}, {}, *w, a), Status::kNonFinite);
}

// Every lane, over the whole range of angles, against the standard library in long double.
TEST_P(InLanes, SineAndCosineAreWithinOneUnitInTheLastPlace) {
  Random random(75);
  double worst = 0;
  const auto check = [&](const std::array<double, kLimbLanes>& x) {
    std::array<double, kLimbLanes> sine, cosine;
    kernels(GetParam()).sine_cosine(x.data(), sine.data(), cosine.data());
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const long double exact = x[lane];
      worst = std::max<double>(worst, std::abs(sine[lane] - std::sin(exact)));
      worst = std::max<double>(worst, std::abs(cosine[lane] - std::cos(exact)));
    }
  };
  for (const double size : {1e-3, 1.0, 10.0, 1000.0, 1.6e6, 1e9}) {
    for (int k = 0; k < 50000; ++k) {
      check({uniform(random, -size, size), uniform(random, -size, size),
             uniform(random, -size, size), uniform(random, -size, size)});
    }
  }
  for (int k = 0; k < 20000; ++k) {  // where quadrants change
    const double x = k * M_PI_4;
    check({x, -x, std::nextafter(x, 1e9), std::nextafter(x, -1e9)});
  }
  EXPECT_LE(worst, std::numeric_limits<double>::epsilon());
  std::array<double, kLimbLanes> sine, cosine;
  const std::array<double, kLimbLanes> odd{NAN, 0.5, INFINITY, -0.3};
  kernels(GetParam()).sine_cosine(odd.data(), sine.data(), cosine.data());
  EXPECT_TRUE(std::isnan(sine[0]) && std::isnan(cosine[2]));
  EXPECT_NEAR(sine[1], std::sin(0.5), 2e-16);
  EXPECT_NEAR(sine[3], std::sin(-0.3), 2e-16);
}

}  // namespace
}  // namespace stance
