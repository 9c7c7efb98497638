// Google Benchmark with the least time of each benchmark kept, for tables of ratios.
// On a shared machine other work only ever adds time, so the least of several repetitions is what repeats best.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace stance::bench {

// Shows median and least time, one line each, and remembers the least, in nanoseconds.
class LeastTime : public benchmark::ConsoleReporter {
 public:
  LeastTime() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown;
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) {
        const double time = run.cpu_accumulated_time / static_cast<double>(run.iterations) * 1e9;
        const auto [place, is_new] = least_.try_emplace(run.run_name.function_name, time);
        if (!is_new) place->second = std::min(place->second, time);
        if (run.repetitions <= 1) shown.push_back(run);
      } else if (run.aggregate_name == "median" || run.aggregate_name == "least") {
        shown.push_back(run);
      }
    }
    if (!shown.empty()) ConsoleReporter::ReportRuns(shown);
  }

  // Nanoseconds, or zero where the benchmark did not run.
  double of(const std::string& name) const {
    const auto place = least_.find(name);
    return place == least_.end() ? 0 : place->second;
  }

 private:
  std::map<std::string, double> least_;
};

template <class Function>
void time_calls(const std::string& name, Function&& call) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [call](benchmark::State& state) {
                                 std::size_t k = 0;
                                 for (auto _ : state) call(k++);  // NOLINT: _ is unused
                               })
      ->MinTime(0.02)
      ->ComputeStatistics("least", [](const std::vector<double>& times) {
        return *std::min_element(times.begin(), times.end());
      });
}

// Runs everything registered, in random order so that a busy moment of the machine does not hit one library alone.
// Options of Google Benchmark on the command line come after ours and win.
inline void run_benchmarks(int argc, char** argv, LeastTime& least) {
  std::vector<std::string> words{argv[0], "--benchmark_repetitions=9",
                                 "--benchmark_enable_random_interleaving=true"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, pointers.data());
  benchmark::RunSpecifiedBenchmarks(&least);
}

}  // namespace stance::bench
