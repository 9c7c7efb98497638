// The real-time contract of the dynamics: no heap call, no exception.
#include <gtest/gtest.h>

#include <vector>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/jacobian.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/count_heap.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

// Named values, so that only the call itself is judged and not the making of its arguments.
[[maybe_unused]] void may_not_throw(
    const Model& model, const Tree& tree, State& state, Workspace& w, DofVector& x,
    PerDof<double>& y, MassMatrix& M, std::span<const Force<double>> f, const Support& support,
    const Transform<double>& X, const Motion<double>& v, const Vec3<double>& p,
    const Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>>& J,
    const Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>>& Jp) {
  static_assert(noexcept(kinematics(model, tree, state, w)));
  static_assert(noexcept(rnea(model, tree, state, x, f, w, x)));
  static_assert(noexcept(aba(model, tree, state, x, f, w, x)));
  static_assert(noexcept(aba_solve(tree, w, y, y)));
  static_assert(noexcept(crba(tree, w, M)));
  static_assert(noexcept(factorize(tree, M)));
  static_assert(noexcept(ltl_solve(tree, M, y, y)));
  static_assert(noexcept(crba_forward_dynamics(model, tree, state, x, f, w, M, x)));
  static_assert(noexcept(frame_pose(model, tree, w, FrameId())));
  static_assert(noexcept(frame_velocity(model, tree, w, FrameId())));
  static_assert(noexcept(frame_acceleration(model, tree, w, FrameId())));
  static_assert(noexcept(frame_bias(model, tree, w, FrameId())));
  static_assert(noexcept(point_bias(tree, w, BodyId(), p)));
  static_assert(noexcept(kinetic_energy(tree, state, w)));
  static_assert(noexcept(potential_energy(model, tree, w)));
  static_assert(noexcept(momentum(tree, w, p)));
  static_assert(noexcept(center_of_mass(tree, w)));
  static_assert(noexcept(make_tree(model, BodyId(), support)));
  static_assert(noexcept(neutral_state(model, tree)));
  static_assert(noexcept(body_motion(model, tree, state, BodyId())));
  static_assert(noexcept(set_root_motion(tree, X, v, state)));
  static_assert(noexcept(apply_mimic(model, state)));
  // an Eigen::Ref is copied into the call, and its copy does not say noexcept: these two are judged without it
  frame_jacobian(model, tree, w, FrameId(0), J);
  point_jacobian(model, tree, w, BodyId(0), p, Jp);
}

template <class F>
constexpr bool kNoexcept = false;
template <class R, class... A>
constexpr bool kNoexcept<R (*)(A...) noexcept> = true;
static_assert(kNoexcept<decltype(&frame_jacobian)> && kNoexcept<decltype(&point_jacobian)> &&
              kNoexcept<decltype(&mass_matrix)>);
static_assert(!kNoexcept<decltype(&may_not_throw)>, "the check can fail");

TEST(CountHeap, SeesEveryWayToTheHeap) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  // through volatile, or the compiler removes what is only allocated and freed
  volatile std::size_t size = 100;
  CountHeap vector_heap;
  const std::vector<int> numbers(size);
  const int* const volatile in_vector = numbers.data();
  EXPECT_GT(vector_heap.calls(), 0);
  EXPECT_NE(in_vector, nullptr);

  const auto counts = [](auto allocate) {
    CountHeap heap;
    void* volatile p = allocate();
    const long after = heap.calls();
    std::free(p);
    return after >= 1 && heap.calls() >= after + 1;
  };
  EXPECT_TRUE(counts([&] { return std::malloc(size); }));
  EXPECT_TRUE(counts([&] { return std::calloc(size, 2); }));
  EXPECT_TRUE(counts([&] { return std::realloc(nullptr, size); }));
  EXPECT_TRUE(counts([&] { return std::aligned_alloc(64, 128); }));
  EXPECT_TRUE(counts([&] {
    void* p = nullptr;
    return posix_memalign(&p, 64, size) == 0 ? p : nullptr;
  }));
  CountHeap heap;
  Eigen::MatrixXd matrix(int(size), 1);  // Eigen calls malloc itself
  EXPECT_GT(heap.calls(), 0);
  CountHeap quiet;
  matrix(3, 0) = 2;
  EXPECT_EQ(quiet.calls(), 0);
}

// 10,000 rounds over robots of all kinds; every function in every round.
TEST(NoHeap, InTenThousandRoundsOfAllAlgorithms) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  Random random(181);
  std::vector<Case> cases;
  cases.reserve(24);
  for (int k = 0; k < 24; ++k) {
    cases.push_back(random_case(
        random, {.bodies = k == 0 ? kMaxBodies : 2 + pick(random, 10), .mimic = k % 2 == 1},
        kSupports[k % 6]));
  }
  int mimics = 0;
  for (const Case& c : cases) mimics += c.model->mimic_count;
  ASSERT_GT(mimics, 5);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, kMaxDofs);
  Eigen::Matrix<double, 3, Eigen::Dynamic> J_point(3, kMaxDofs);
  const auto lower = std::make_unique<MassMatrix>();
  MassMatrix& L = *lower;
  Eigen::MatrixXd M(kMaxDofs, kMaxDofs);
  DofVector a{}, tau{};
  PerDof<double> b{}, x{};
  double sum = 0;
  int bad = 0;

  CountHeap heap;
  for (int round = 0; round < 10000; ++round) {
    // the large robot comes once in a hundred
    Case& c = cases[round % 100 == 0 ? 0 : 1 + round % 23];
    const FrameId frame(round % c.model->frame_count);
    const BodyId body(round % c.model->body_count);
    Workspace& w = *c.w;
    bad += aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, w, a) != Status::kOk;
    aba_solve(*c.tree, w, b, x);
    bad += rnea(*c.model, *c.tree, c.state, a, c.f_ext, w, tau) != Status::kOk;
    sum += frame_acceleration(*c.model, *c.tree, w, frame).w.x;
    bad += crba_forward_dynamics(*c.model, *c.tree, c.state, c.tau, c.f_ext, w, L, a) !=
           Status::kOk;
    kinematics(*c.model, *c.tree, c.state, w);
    crba(*c.tree, w, L);
    if (round % 10 == 0) mass_matrix(*c.model, *c.tree, w, L, M);
    bad += factorize(*c.tree, L) != Status::kOk;
    ltl_solve(*c.tree, L, b, x);
    frame_jacobian(*c.model, *c.tree, w, frame, J);
    point_jacobian(*c.model, *c.tree, w, body, {1, 2, 3}, J_point);
    sum += frame_bias(*c.model, *c.tree, w, frame)[0];
    sum += point_bias(*c.tree, w, body, {1, 2, 3}).x;
    sum += frame_pose(*c.model, *c.tree, w, frame).p.x;
    sum += frame_velocity(*c.model, *c.tree, w, frame).v.x;
    sum += kinetic_energy(*c.tree, c.state, w) + potential_energy(*c.model, *c.tree, w);
    sum += momentum(*c.tree, w).n.x + center_of_mass(*c.tree, w).x;
    const PoseTwist motion = body_motion(*c.model, *c.tree, c.state, c.tree->root);
    set_root_motion(*c.tree, motion.X_WH, motion.V_H, c.state);
    apply_mimic(*c.model, c.state);
  }
  EXPECT_EQ(heap.calls(), 0);
  EXPECT_EQ(bad, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

// A tree is made in place for a new root, and a bad status costs no heap either.
TEST(NoHeap, WhenTreesAreMadeAndNumbersAreBad) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  Random random(182);
  Case c = random_case(random, {.bodies = 20}, JointKind::kFree);
  const Support support = random_support(random, JointKind::kRoll);
  DofVector a{};
  int refused = 0;
  CountHeap heap;
  for (int round = 0; round < 1000; ++round) {
    *c.tree = make_tree(*c.model, BodyId(round % c.model->body_count), support);
    c.state = neutral_state(*c.model, *c.tree);
    c.state.v[7] = std::numeric_limits<double>::quiet_NaN();
    refused += aba(*c.model, *c.tree, c.state, c.tau, {}, *c.w, a) == Status::kNonFinite;
  }
  EXPECT_EQ(heap.calls(), 0);
  EXPECT_EQ(refused, 1000);
}

}  // namespace
}  // namespace stance
