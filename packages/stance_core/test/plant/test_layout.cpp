// Whoever uses the library may compile for another processor than the library was, and the library itself compiles its
// kernels for several: all must agree on where things lie.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/layout.hpp"

namespace stance {
namespace {

TEST(Layout, DoesNotDependOnTheProcessor) {
  constexpr auto kHere = test::layouts();
  for (std::size_t i = 0; i < kHere.size(); ++i) EXPECT_EQ(kHere[i], test::kLayoutsAvx512[i]) << i;
}

// Containers go by alignof, and a pack is read as a whole.
TEST(Layout, EveryWayToMakeOneIsAligned) {
  const auto aligned = [](const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % (kLimbLanes * sizeof(double)) == 0;
  };
  for (int k = 0; k < 4; ++k) {
    EXPECT_TRUE(aligned(std::make_unique<Model>().get()));
    EXPECT_TRUE(aligned(std::make_shared<Model>().get()));
    EXPECT_TRUE(aligned(std::vector<Workspace>(1).data()));
    EXPECT_TRUE(aligned(std::make_shared<Tree>().get()));
  }
}

}  // namespace
}  // namespace stance
