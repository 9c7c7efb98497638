// A long list of small tasks, each a line of text: done by threads, by shards of a job array, by MPI ranks, and taken up again
// after an end that nobody planned. The result does not depend on which of them did what: line k depends on k alone.
//
// Tasks go out in chunks. A finished chunk is appended to a part file, FILE.part, with one write, as
//   #chunk FIRST COUNT HASH
//   the lines
// so that what a killed process leaves at the end is at most one broken chunk, which is done again. Several part files (of
// shards: FILE.part.1of4) may stand beside one another. When all chunks are there the lines are written in order to FILE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

// One thread's hand: makes line `index`, without its end. Each thread has one of its own.
using LineMaker = std::function<std::string(std::size_t index)>;

struct WorkPlan {
  std::filesystem::path file;
  std::string header;         // the first line of the file; part files carry its hash
  std::size_t count = 0;      // of lines
  std::size_t chunk = 64;     // lines; the same in every shard
  int threads = 0;            // 0: one for each physical core
  int shard = 1, shards = 1;  // this process does every `shards`-th chunk, from the `shard`-th
  std::function<LineMaker()> make_hand;
  std::function<bool(std::size_t done, std::size_t of)> progress;  // false from it ends the work
};

struct WorkDone {
  std::size_t done = 0;   // lines of this call
  std::size_t found = 0;  // that were there before
  bool whole = false;     // the file is written
  bool stopped = false;
};

// Does what is missing, and writes the file if nothing is any more. With MPI (see mpi_work.cpp) rank 0 hands out chunks.
Result<WorkDone> do_work(const WorkPlan& plan);

int physical_cores();

}  // namespace stance
