// Lines that depend on nothing but their number, whoever made them, and what an end that nobody planned costs.
#include "stance_gait/work_list.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>

namespace stance {
namespace {

namespace fs = std::filesystem;

class WorkListTest : public testing::Test {
 protected:
  WorkListTest()
      : folder_(fs::temp_directory_path() / ("stance_work_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~WorkListTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  WorkPlan plan(const std::string& name, std::size_t count = 1003) {
    WorkPlan plan;
    plan.file = folder_ / name;
    plan.header = "index,square";
    plan.count = count;
    plan.chunk = 10;
    plan.threads = 1;
    plan.make_hand = [this] {
      return [this](std::size_t k) {
        ++made_;
        return std::to_string(k) + "," + std::to_string(k * k);
      };
    };
    return plan;
  }
  static std::string text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  fs::path folder_;
  std::atomic<int> made_{0};
};

TEST_F(WorkListTest, ThreadsAndShardsGiveTheSameBytes) {
  const auto one = do_work(plan("one"));
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_TRUE(one->whole);
  EXPECT_EQ(one->done, 1003u);
  const std::string expected = text(folder_ / "one");
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 1004);
  EXPECT_NE(expected.find("\n1002,1004004\n"), std::string::npos);
  WorkPlan threads = plan("threads");
  threads.threads = 4;
  ASSERT_TRUE(do_work(threads));
  EXPECT_EQ(text(threads.file), expected);
  for (int shard = 5; shard >= 1; --shard) {  // in any order
    WorkPlan some = plan("shards");
    some.shard = shard, some.shards = 5;
    const auto done = do_work(some);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->whole, shard == 1);
  }
  EXPECT_EQ(text(folder_ / "shards"), expected);
  int files = 0;  // nothing is left over
  for (const auto& entry : fs::directory_iterator(folder_))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 3);
}

TEST_F(WorkListTest, GoesOnWhereItWasStopped) {
  ASSERT_TRUE(do_work(plan("one")));
  WorkPlan stopped = plan("two");
  stopped.progress = [](std::size_t done, std::size_t) { return done < 500; };
  const auto first = do_work(stopped);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->stopped);
  EXPECT_FALSE(first->whole);
  // a kill in the middle of a write: half a chunk
  const fs::path part = folder_ / "two.part";
  fs::resize_file(part, fs::file_size(part) - 7);
  made_ = 0;
  const auto second = do_work(plan("two"));
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->whole);
  EXPECT_EQ(second->found, 490u);  // one chunk is lost
  EXPECT_EQ(made_, 1003 - 490);
  EXPECT_EQ(text(folder_ / "two"), text(folder_ / "one"));
}

// Parts of another question are not taken for this one's.
TEST_F(WorkListTest, PassesOverWhatIsOfAnotherPlan) {
  WorkPlan stopped = plan("three");
  stopped.progress = [](std::size_t done, std::size_t) { return done < 500; };
  ASSERT_TRUE(do_work(stopped));
  WorkPlan other = plan("three");
  other.header = "index,cube";
  made_ = 0;
  const auto done = do_work(other);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->found, 0u);
  EXPECT_EQ(made_, 1003);
}

TEST_F(WorkListTest, SaysWhereItCannotWrite) {
  WorkPlan nowhere = plan("one");
  nowhere.file = folder_ / "none" / "file";
  const auto done = do_work(nowhere);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace stance
