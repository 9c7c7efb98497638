// The parts of `stance rt`: what it says, and what it counts. Whole runs are in test/test_rt.py.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "heap_calls.hpp"
#include "program.hpp"
#include "real_time_thread.hpp"
#include "rt_text.hpp"

namespace stance {
namespace {

// 1,000 cycles of 1 ms: woken after 20 us, 4 us of work, but one took 60 us.
LoopResult a_thousand_cycles() {
  LoopResult result;
  for (int k = 0; k < 1000; ++k) {
    const std::int64_t step = k == 500 ? 60000 : 4000;
    result.wake.add(20000), result.step.add(step), result.cycle.add(20000 + step);
  }
  result.cycles = 1000;
  result.most_work = {8, 1};
  result.counts = {0, 3, 1, 1001, 2};
  result.grant.cpu = 3;
  result.grant.priority = 80;
  return result;
}

LoopPlan a_thousand_planned() {
  LoopPlan plan;
  plan.cycles = 1000;
  return plan;
}

TEST(RtText, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(RtText, SaysPlainlyWhetherTheRateWasKept) {
  LoopResult result = a_thousand_cycles();
  const LoopPlan plan = a_thousand_planned();
  EXPECT_TRUE(rate_kept(result, plan));
  EXPECT_EQ(verdict_text(result, plan),
            "the rate of 1000 Hz was kept: all 1,000 cycles ended within their period of 1 ms; the "
            "longest used 8 % of it");
  result.missed = 2, result.longest_miss_row = 1;
  result.cycle.add(2500000);
  EXPECT_FALSE(rate_kept(result, plan));
  EXPECT_EQ(verdict_text(result, plan),
            "the rate was NOT kept: 2 of 1,000 cycles ended after their period of 1 ms, up to 1 in "
            "a row; the longest took 2.50 ms");
  result.missed = 0, result.cycles = 999;  // it did not get to the end
  EXPECT_FALSE(rate_kept(result, plan));
}

TEST(RtText, Tables) {
  const LoopResult result = a_thousand_cycles();
  const std::string table = percentile_table(result);
  EXPECT_NE(table.find("99.99 %"), std::string::npos);
  EXPECT_NE(table.find("60 \u00b5s"), std::string::npos);
  EXPECT_EQ(histogram_text(result),
            "     up to    wake-up                                step (bars: logarithm)\n"
            "      5 \u00b5s          0                                 999 "
            "########################\n"
            "     10 \u00b5s          0                                   0\n"
            "     20 \u00b5s          0                                   0\n"
            "     50 \u00b5s       1000 ########################          0\n"
            "    100 \u00b5s          0                                   1 ##\n");
  EXPECT_NE(histogram_text(LoopResult{}).find("wake-up"), std::string::npos);
  EXPECT_EQ(loop_csv(result),
            "from_ns,to_ns,wake,step,cycle\n"
            "3968,4031,0,999,0\n"
            "19968,20479,1000,0,0\n"
            "23552,24063,0,0,999\n"
            "59392,60415,0,1,0\n"
            "79872,81919,0,0,1\n");
}

TEST(RtText, CountsAndBounds) {
  const LoopResult result = a_thousand_cycles();
  const std::string counts = counts_text(result);
  EXPECT_NE(counts.find(heap_is_counted() ? "0 heap calls" : "not counted"), std::string::npos);
  EXPECT_NE(counts.find("4 page faults (1 from disk)"), std::string::npos) << counts;
  EXPECT_NE(counts.find("2 forced on it"), std::string::npos) << counts;
  SimulatorSettings settings;
  settings.foot_count = 2;
  // 4 us for 5 forward dynamics, to the width of a bucket
  const std::string worst = worst_case_text(result, a_thousand_planned(), settings);
  EXPECT_NE(worst.find("5 (4.03 \u00b5s at the pace measured) if nothing happens"),
            std::string::npos)
      << worst;
  EXPECT_NE(worst.find("at most 618 ("), std::string::npos) << worst;
  EXPECT_NE(worst.find("all 4 guards"), std::string::npos) << worst;
  EXPECT_NE(worst.find("the most one took here: 33"), std::string::npos) << worst;
  EXPECT_EQ(result.grant.text(), "CPU 3, SCHED_FIFO 80, memory not locked");
  EXPECT_EQ(RealTimeGrant{}.text(), "any CPU, ordinary scheduling, memory not locked");
}

TEST(HeapCalls, CountThisThread) {
  if (!heap_is_counted()) GTEST_SKIP() << "a sanitizer owns the heap";
  long before = heap_calls();
  void* volatile p = std::malloc(100);
  EXPECT_EQ(heap_calls(), before + 1);
  before = heap_calls();
  std::free(p);
  EXPECT_EQ(heap_calls(), before + 1);
  before = heap_calls();
  int* volatile q = new int(3);
  delete q;
  EXPECT_EQ(heap_calls(), before + 2);
  std::thread other([] { delete new std::string(100, 'x'); });
  before = heap_calls();
  other.join();
  EXPECT_LE(heap_calls(), before + 1);  // joining frees at most
}

// On a thread that may change its scheduling as it likes.
TEST(RealTimeThread, GrantsOrSaysWhatWouldPermit) {
  RealTimeGrant grant, ordinary;
  std::thread([&] {
    grant = become_real_time({});
    ordinary = become_real_time({-1, 0});
    release_memory();
  }).join();
  const std::size_t refused = (grant.memory_locked ? 0u : 1u) + (grant.cpu < 0 ? 1u : 0u) +
                              (grant.priority == 0 ? 1u : 0u);
  EXPECT_EQ(grant.notes.size(), refused);
  for (const std::string& text : grant.notes) {
    EXPECT_TRUE(text.find("limits.conf") != text.npos || text.find("--cpu") != text.npos) << text;
  }
  EXPECT_EQ(ordinary.priority, 0);
  EXPECT_FALSE(usable_cpus().empty());
}

TEST(Rt, TeachesAndRefuses) {
  const auto help = run_stance("rt --help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"Example", "--rate", "--cpu", "--priority", "Exit code", "SCHED_FIFO"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text;
  EXPECT_EQ(run_stance("rt").exit_code, 2);
  EXPECT_EQ(run_stance("rt x.yaml --rate nan").exit_code, 2);
  EXPECT_EQ(run_stance("rt x.yaml --seconds -1").exit_code, 2);
  EXPECT_EQ(run_stance("rt x.yaml --priority 100").exit_code, 2);
  const auto absent = run_stance("rt no_such.yaml");
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_NE(absent.err.find("no_such.yaml"), std::string::npos);
}

}  // namespace
}  // namespace stance
