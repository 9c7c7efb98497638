#include "stance_core/base/name.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace stance {
namespace {

static_assert(std::is_trivially_copyable_v<Name>);
static_assert(Name("knee").view() == "knee", "names are usable at compile time");

TEST(Name, KeepsItsTextThroughCopies) {
  Name name{std::string("left_knee")};  // the string is gone after this line
  const Name copy = name;
  name = Name("other");
  EXPECT_EQ(copy.view(), "left_knee");
  EXPECT_TRUE(copy == "left_knee");
  EXPECT_FALSE(copy == "left_kne");
  EXPECT_FALSE(copy == "left_knee_2");
  EXPECT_TRUE(Name() == "");
}

TEST(Name, HoldsTheLongestNameAndCutsBeyond) {
  const std::string longest(kMaxNameLength, 'x');
  EXPECT_EQ(Name(longest).view(), longest);
  EXPECT_EQ(Name(longest + "y").view(), longest);
}

}  // namespace
}  // namespace stance
