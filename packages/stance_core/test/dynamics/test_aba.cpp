// The articulated-body solve, and what the algorithms say about numbers they cannot use.
#include "stance_core/dynamics/aba.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"
#include "support/small_robots.hpp"

namespace stance {
namespace {

using namespace test;

using ForwardDynamics = Status (*)(const Model&, const Tree&, const State&, const DofVector&,
                                   std::span<const Force<double>>, Workspace&, DofVector&) noexcept;

TEST(Aba, SolveIsTheInverseOfTheMassMatrix) {
  Random random(141);
  for (int trial = 0; trial < 24; ++trial) {
    const Case c = random_case(random, {.bodies = 12}, kSupports[trial % 6]);
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    const int n = c.tree->dof_count;
    PerDof<double> b{}, x{};
    for (int d = 0; d < n; ++d) b[d] = uniform(random);
    aba_solve(*c.tree, *c.w, b, x);
    const auto lower = std::make_unique<MassMatrix>();
    lower->entries.fill(0);
    crba(*c.tree, *c.w, *lower);
    Eigen::MatrixXd M(n, n);
    for (int d = 0; d < n; ++d) {
      for (int e = 0; e <= d; ++e) M(d, e) = M(e, d) = (*lower)[d][e];
    }
    const Eigen::VectorXd residual = M * Eigen::Map<Eigen::VectorXd>(x.data(), n) -
                                     Eigen::Map<Eigen::VectorXd>(b.data(), n);
    // x is up to 1e3, M up to 1e3: what is left of their products
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-9);
  }
}

// Only the six numbers of a joint that moves are read: an unused axis of the support may hold anything.
TEST(Aba, DoesNotReadUnusedSupportAxes) {
  Random random(142);
  Case c = random_case(random, {.bodies = 5}, JointKind::kRevolute);
  DofVector a{}, b{};
  ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
  for (int j = 1; j < kSupportDofs; ++j) c.tau[j] = 1e6, c.state.v[j] = 1e6, b[j] = 5;
  ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, b), Status::kOk);
  EXPECT_EQ(a, b);  // bit for bit, with zeros on the unused axes
}

struct Algorithm {
  const char* name;
  ForwardDynamics run;
};
void PrintTo(const Algorithm& algorithm, std::ostream* out) { *out << algorithm.name; }

class BadNumbersTest : public testing::TestWithParam<Algorithm> {};
INSTANTIATE_TEST_SUITE_P(Algorithms, BadNumbersTest,
                         testing::Values(Algorithm{"aba", &aba}, Algorithm{"crba", &crba_dynamics}),
                         [](const auto& row) { return std::string(row.param.name); });

// The base is massless and the hinge leaves it free to turn about the hinge's axis.
TEST_P(BadNumbersTest, MasslessBaseInFlightIsSingular) {
  Description robot = leg();
  robot.links[0].inertial.reset();
  const Model model = *build_model(robot);
  const auto w = std::make_unique<Workspace>();
  const Tree flight = make_tree(model);
  State state = neutral_state(model, flight);
  state.q[7] = 0.3, state.q[8] = -0.4, state.v[6] = 1;
  DofVector tau{}, a;
  a.fill(42);
  EXPECT_EQ(GetParam().run(model, flight, state, tau, {}, *w, a), Status::kSingularInertia);
  for (const double x : a) EXPECT_EQ(x, 42);  // nothing was written
  // welded to the world the same robot is sound
  const Tree welded = make_tree(model, BodyId(0), support_of(JointKind::kFixed));
  EXPECT_EQ(GetParam().run(model, welded, state, tau, {}, *w, a), Status::kOk);
}

// A massless link between two hinges whose axes coincide: each sees inertia at load, together they are singular.
TEST_P(BadNumbersTest, MasslessLinkBetweenEqualAxesIsSingular) {
  Description robot = leg();
  robot.links[1].inertial.reset();
  robot.joints[1].origin.translation().setZero();
  const Model model = *build_model(robot);
  const auto w = std::make_unique<Workspace>();
  for (const JointKind kind : {JointKind::kFree, JointKind::kFixed}) {
    const Tree tree = make_tree(model, BodyId(0), support_of(kind));
    DofVector a{};
    EXPECT_EQ(GetParam().run(model, tree, neutral_state(model, tree), {}, {}, *w, a),
              Status::kSingularInertia);
  }
}

TEST_P(BadNumbersTest, NotFiniteInputIsToldAndNothingIsWritten) {
  Random random(143);
  for (int trial = 0; trial < 12; ++trial) {
    const Case sound = random_case(random, {.bodies = 8, .mimic = trial > 5}, kSupports[trial % 6]);
    const double bad = trial % 2 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : std::numeric_limits<double>::infinity();
    // the last joint is never a follower's leader only: its numbers always count
    const Joint& joint = sound.model->joints[sound.model->body_count - 1];
    bool follower = false;
    for (int k = 0; k < sound.model->mimic_count; ++k) {
      follower |= int(sound.model->mimics[k].joint) == sound.model->body_count - 1;
    }
    // a force counts but on a root that may be welded
    const int last = sound.model->body_count - 1;
    const auto pushed = static_cast<std::size_t>(int(sound.tree->root) == last ? last - 1 : last);
    for (int place = 0; place < 4; ++place) {
      State state = sound.state;
      DofVector tau = sound.tau, a;
      auto f_ext = sound.f_ext;
      if (place == 0) state.q[joint.q_index] = bad;
      if (place == 1) state.v[joint.v_index] = bad;
      if (place == 2) tau[joint.v_index] = bad;
      if (place == 3) f_ext[pushed].f.y = bad;
      a.fill(42);
      EXPECT_EQ(GetParam().run(*sound.model, *sound.tree, state, tau, f_ext, *sound.w, a),
                Status::kNonFinite)
          << "place " << place << (follower ? ", follower" : "");
      for (const double x : a) EXPECT_EQ(x, 42);
    }
    // and the workspace is as good as before
    DofVector a{};
    EXPECT_EQ(
        GetParam().run(*sound.model, *sound.tree, sound.state, sound.tau, sound.f_ext, *sound.w, a),
        Status::kOk);
  }
}

TEST(Rnea, NotFiniteInputIsToldAndNothingIsWritten) {
  Random random(144);
  for (const JointKind kind : kSupports) {
    const Case c = random_case(random, {.bodies = 6}, kind);
    const int last = c.model->joints[c.model->body_count - 1].v_index;
    DofVector a = random_dofs(random, *c.model), tau;
    tau.fill(42);
    a[last] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(rnea(*c.model, *c.tree, c.state, a, {}, *c.w, tau), Status::kNonFinite);
    State state = c.state;
    state.v[last] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rnea(*c.model, *c.tree, state, {}, {}, *c.w, tau), Status::kNonFinite);
    for (const double x : tau) EXPECT_EQ(x, 42);
  }
}

}  // namespace
}  // namespace stance
