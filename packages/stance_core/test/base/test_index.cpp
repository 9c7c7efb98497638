// Most of this test is done by the compiler.
#include "stance_core/base/index.hpp"

#include <gtest/gtest.h>

#include <array>
#include <type_traits>

namespace stance {
namespace {

// a function that asks for a frame takes no body, no joint and no bare number
static_assert(!std::is_convertible_v<BodyId, FrameId>);
static_assert(!std::is_convertible_v<JointId, FrameId>);
static_assert(!std::is_convertible_v<BodyId, JointId>);
static_assert(!std::is_convertible_v<int, BodyId>);
static_assert(!std::is_assignable_v<BodyId&, FrameId>);
static_assert(!std::is_assignable_v<BodyId&, int>);

template <class Id>
concept FitsFrame = requires(void (*take)(FrameId), Id id) {
  take(id);
};
static_assert(FitsFrame<FrameId>);
static_assert(!FitsFrame<BodyId> && !FitsFrame<JointId> && !FitsFrame<int>);

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};
static_assert(Comparable<BodyId, BodyId>);
static_assert(!Comparable<BodyId, FrameId> && !Comparable<JointId, BodyId>);

static_assert(std::is_trivially_copyable_v<BodyId>);

TEST(Id, IsInvalidUntilItIsSet) {
  EXPECT_FALSE(BodyId().valid());
  EXPECT_TRUE(BodyId(0).valid());
  EXPECT_TRUE(BodyId(32767).valid());
  EXPECT_EQ(int(BodyId(32767)), 32767);
}

TEST(Id, IndexesAndCompares) {
  const std::array<int, 3> array{10, 11, 12};
  EXPECT_EQ(array[FrameId(2)], 12);
  EXPECT_EQ(FrameId(2), FrameId(2));
  EXPECT_NE(FrameId(2), FrameId(1));
  EXPECT_LT(FrameId(1), FrameId(2));
  EXPECT_LT(FrameId(), FrameId(0));
}

}  // namespace
}  // namespace stance
