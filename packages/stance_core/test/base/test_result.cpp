#include "stance_core/base/result.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace stance {
namespace {

TEST(Result, HoldsAValue) {
  Result<std::string> result(std::string("robot"));
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "robot");
  EXPECT_EQ(result->size(), 5u);
  *result += "s";
  EXPECT_EQ(*std::as_const(result), "robots");
  EXPECT_THROW(result.error(), std::bad_variant_access);
}

TEST(Result, HoldsAnError) {
  const Result<int> result(Error{ErrorCode::kMimic, "joint 'knee'", "is wrong; do this"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kMimic);
  EXPECT_EQ(result.error().element, "joint 'knee'");
  EXPECT_EQ(result.error().text(), "joint 'knee': is wrong; do this");
  EXPECT_THROW(*result, std::bad_variant_access);
}

TEST(Result, ErrorWithoutElementIsItsMessage) {
  EXPECT_EQ((Error{ErrorCode::kFile, "", "cannot be opened"}.text()), "cannot be opened");
}

TEST(Result, LetsItsValueBeMovedOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 7);
}

}  // namespace
}  // namespace stance
