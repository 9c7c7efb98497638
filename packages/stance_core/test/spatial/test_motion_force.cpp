#include "stance_core/spatial/motion_force.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// a velocity is no force: their sum and the product of two of a kind do not compile
template <class A, class B>
concept Add = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Dot = requires(A a, B b) {
  dot(a, b);
};
static_assert(Add<Motion<double>, Motion<double>> && !Add<Motion<double>, Force<double>>);
static_assert(Dot<Force<double>, Motion<double>> && !Dot<Motion<double>, Motion<double>>);
static_assert(!Dot<Force<double>, Force<double>>);

constexpr double kRounding = 1e-14;  // sums of six products of numbers up to 1

TEST(MotionForce, CrossProductsAreTheBooksMatrices) {
  Random random(21);
  for (int trial = 0; trial < 50; ++trial) {
    const Motion<double> v = random_motion(random), m = random_motion(random);
    const Force<double> f = random_force(random);
    const Matrix6 crm = cross_matrix(v), crf = -crm.transpose();  // RBDA 2.33: v ×* = -(v ×)ᵀ
    EXPECT_LT(distance(vector(cross(v, m)), crm * vector(m)), kRounding);
    EXPECT_LT(distance(vector(cross(v, f)), crf * vector(f)), kRounding);
    EXPECT_LT(distance(cross(v, v), Motion<double>{}), kRounding);
    EXPECT_NEAR(dot(cross(v, f), m), -dot(f, cross(v, m)), kRounding);
    EXPECT_NEAR(dot(f, m), vector(f).dot(vector(m)), kRounding);
  }
}

TEST(MotionForce, IsAVectorSpace) {
  Random random(22);
  const Motion<double> a = random_motion(random), b = random_motion(random);
  const Force<double> f = random_force(random), g = random_force(random);
  EXPECT_LT(distance(vector(a * 2.0 + b - (-a)), 3 * vector(a) + vector(b)), kRounding);
  EXPECT_LT(distance(vector(f * 2.0 + g - (-f)), 3 * vector(f) + vector(g)), kRounding);
  Motion<double> c = a;
  c += b;
  EXPECT_EQ(c, a + b);
  Force<double> h = f;
  h += g;
  h -= f;
  EXPECT_LT(distance(h, g), kRounding);
}

}  // namespace
}  // namespace stance
