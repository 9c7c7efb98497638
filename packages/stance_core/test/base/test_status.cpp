#include "stance_core/base/status.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace stance {
namespace {

TEST(Status, EachHasASentenceOfItsOwn) {
  EXPECT_STREQ(to_string(Status::kOk), "ok");
  EXPECT_STREQ(to_string(Status::kNonFinite), "a number is not finite");
  EXPECT_STREQ(to_string(Status::kSingularInertia),
               "a joint moves no inertia, so its acceleration is not defined");
  EXPECT_STREQ(to_string(static_cast<Status>(1000)), "unknown status");
}

// Statuses are numbered without gaps from kOk: the first number without a sentence ends them.
TEST(Status, SentencesDiffer) {
  std::set<std::string> seen;
  int count = 0;
  for (; to_string(static_cast<Status>(count)) != std::string("unknown status"); ++count) {
    seen.insert(to_string(static_cast<Status>(count)));
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace stance
