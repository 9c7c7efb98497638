#include "stance_gait/work_list.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#ifdef STANCE_MPI
#include <mpi.h>
#endif

namespace stance {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

struct Chunk {
  std::size_t first = 0, count = 0;
};

std::string head(const Chunk& chunk, const std::string& lines, std::uint64_t plan) {
  std::ostringstream text;
  text << "#chunk " << chunk.first << ' ' << chunk.count << ' ' << hash(lines) << ' ' << plan
       << '\n';
  return text.str();
}

Error trouble(const fs::path& file, const char* what) {
  return {ErrorCode::kFile, file.string(), std::string(what) + " (" + std::strerror(errno) + ")"};
}

// A part file, to which whole chunks are appended.
class PartFile {
 public:
  static Result<std::unique_ptr<PartFile>> open(const fs::path& path) {
    const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (handle < 0) return trouble(path, "cannot be written");
    return std::unique_ptr<PartFile>(new PartFile(path, handle));
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { ::close(handle_); }

  std::optional<Error> append(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const ssize_t n = ::write(handle_, text.data() + at, text.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return trouble(path_, "cannot be written");
      at += static_cast<std::size_t>(n);
    }
    return {};
  }

 private:
  PartFile(fs::path path, int handle) : path_(std::move(path)), handle_(handle) {}
  fs::path path_;
  int handle_;
};

// All part files of a file.
std::vector<fs::path> parts_of(const fs::path& file) {
  std::vector<fs::path> parts;
  const std::string begin = file.filename().string() + ".part";
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(begin, 0) == 0) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

// The chunks of a part file that are whole and of this plan; a broken one, and what is of another plan, is passed over.
void read_part(const fs::path& path, std::uint64_t plan,
               std::map<std::size_t, std::string>& chunks) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  bool again = false;
  while (again || std::getline(in, line)) {
    again = false;
    if (line.rfind("#chunk ", 0) != 0) continue;
    std::istringstream words(line.substr(7));
    Chunk chunk;
    std::uint64_t of_lines = 0, of_plan = 0;
    if (!(words >> chunk.first >> chunk.count >> of_lines >> of_plan)) continue;
    std::string lines;
    std::size_t n = 0;
    while (n < chunk.count && std::getline(in, line)) {
      if (line.rfind("#chunk ", 0) == 0) {
        again = true;
        break;
      }
      lines += line + '\n';
      ++n;
    }
    if (n == chunk.count && of_plan == plan && hash(lines) == of_lines) chunks[chunk.first] = lines;
  }
}

std::string make_lines(const LineMaker& hand, const Chunk& chunk) {
  std::string lines;
  for (std::size_t k = 0; k < chunk.count; ++k) lines += hand(chunk.first + k) + '\n';
  return lines;
}

// Threads that take chunks from a list until it is empty.
std::optional<Error> do_chunks(
    const WorkPlan& plan, const std::vector<Chunk>& todo,
    const std::function<std::optional<Error>(const Chunk&, const std::string&)>& keep,
    std::size_t before, WorkDone& done) {
  const int threads = plan.threads > 0 ? plan.threads : physical_cores();
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::optional<Error> error;
  const auto work = [&] {
    const LineMaker hand = plan.make_hand();
    while (!stop) {
      const std::size_t k = next++;
      if (k >= todo.size()) return;
      const std::string lines = make_lines(hand, todo[k]);
      const std::lock_guard lock(mutex);
      if (stop) return;
      if (auto failed = keep(todo[k], lines)) {
        error = std::move(failed);
        stop = true;
        return;
      }
      done.done += todo[k].count;
      if (plan.progress && !plan.progress(before + done.done, plan.count)) {
        done.stopped = true;
        stop = true;
      }
    }
  };
  std::vector<std::thread> team;
  for (int i = 1; i < threads; ++i) team.emplace_back(work);
  work();
  for (std::thread& thread : team) thread.join();
  return error;
}

std::optional<Error> write_whole(const WorkPlan& plan,
                                 const std::map<std::size_t, std::string>& chunks) {
  const fs::path draft = plan.file.string() + ".draft";
  {
    std::ofstream out(draft, std::ios::binary | std::ios::trunc);
    out << plan.header << '\n';
    for (const auto& [first, lines] : chunks) out << lines;
    out.flush();
    if (!out) return trouble(draft, "cannot be written");
  }
  std::error_code failure;
  fs::rename(draft, plan.file, failure);
  if (failure) return Error{ErrorCode::kFile, plan.file.string(), failure.message()};
  for (const fs::path& part : parts_of(plan.file)) fs::remove(part, failure);
  return {};
}

#ifdef STANCE_MPI
// Rank 0 hands out chunks and keeps what comes back; the others ask for one, do it and send it. A rank that dies takes its
// chunk with it: it is missing at the end, and done by whoever asks next, or by the next run.
enum Tag { kAsk = 1, kChunk, kLines };

std::optional<Error> lead(
    const std::vector<Chunk>& todo, int ranks,
    const std::function<std::optional<Error>(const Chunk&, const std::string&)>& keep,
    const WorkPlan& plan, std::size_t before, WorkDone& done) {
  std::size_t next = 0;
  int busy = ranks - 1;
  std::optional<Error> error;
  while (busy > 0) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(static_cast<std::size_t>(size), '\0');
    MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (status.MPI_TAG == kLines) {
      const std::size_t end = message.find('\n');
      const auto index = static_cast<std::size_t>(std::stoull(message.substr(0, end)));
      if (!error) error = keep(todo[index], message.substr(end + 1));
      done.done += todo[index].count;
      if (plan.progress && !plan.progress(before + done.done, plan.count)) done.stopped = true;
    }
    long long give = -1;
    if (!error && !done.stopped && next < todo.size()) give = static_cast<long long>(next++);
    if (give < 0) --busy;
    MPI_Send(&give, 1, MPI_LONG_LONG, status.MPI_SOURCE, kChunk, MPI_COMM_WORLD);
  }
  return error;
}

void follow_orders(const std::vector<Chunk>& todo, const WorkPlan& plan) {
  const LineMaker hand = plan.make_hand();
  MPI_Send(nullptr, 0, MPI_CHAR, 0, kAsk, MPI_COMM_WORLD);
  for (;;) {
    long long index = -1;
    MPI_Recv(&index, 1, MPI_LONG_LONG, 0, kChunk, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (index < 0) return;
    const std::string message = std::to_string(index) + '\n' +
                                make_lines(hand, todo[static_cast<std::size_t>(index)]);
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, kLines, MPI_COMM_WORLD);
  }
}
#endif

// How many ranks there are, and which this one is.
struct Ranks {
  int count = 1, mine = 0;
};
Ranks find_ranks() {
  Ranks ranks;
#ifdef STANCE_MPI
  // only where mpirun started us: MPI_Init costs a second
  if (std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE") || std::getenv("PMIX_RANK")) {
    int ready = 0;
    MPI_Initialized(&ready);
    if (!ready) {
      MPI_Init(nullptr, nullptr);
      std::atexit([] { MPI_Finalize(); });
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.mine);
  }
#endif
  return ranks;
}

}  // namespace

// Of /proc/cpuinfo: hyper-threads share the units that all this is about.
int physical_cores() {
  std::set<std::pair<int, int>> cores;
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  int package = 0;
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos || colon + 1 >= line.size()) continue;
    if (line.rfind("physical id", 0) == 0) package = std::atoi(line.c_str() + colon + 1);
    if (line.rfind("core id", 0) == 0) cores.insert({package, std::atoi(line.c_str() + colon + 1)});
  }
  const auto all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return cores.empty() ? all : std::min(all, static_cast<int>(cores.size()));
}

Result<WorkDone> do_work(const WorkPlan& plan) {
  const Ranks ranks = find_ranks();
  const std::uint64_t of_plan = hash(plan.header + '|' + std::to_string(plan.count) + '|' +
                                     std::to_string(plan.chunk));
  std::map<std::size_t, std::string> chunks;
  if (ranks.mine == 0) {
    for (const fs::path& part : parts_of(plan.file)) read_part(part, of_plan, chunks);
  }
  WorkDone done;
  std::vector<Chunk> todo;
  std::size_t number = 0;
  for (std::size_t first = 0; first < plan.count; first += plan.chunk, ++number) {
    const Chunk chunk{first, std::min(plan.chunk, plan.count - first)};
    if (const auto there = chunks.find(first); there != chunks.end()) {
      done.found += chunk.count;
    } else if (static_cast<int>(number % static_cast<std::size_t>(plan.shards)) == plan.shard - 1) {
      todo.push_back(chunk);
    }
  }
#ifdef STANCE_MPI
  if (ranks.count > 1) {  // all know the same list: it comes from rank 0
    std::vector<unsigned long long> firsts;
    for (const Chunk& chunk : todo) firsts.push_back(chunk.first);
    unsigned long long size = firsts.size();
    MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    firsts.resize(size);
    MPI_Bcast(firsts.data(), static_cast<int>(size), MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    if (ranks.mine > 0) {
      todo.clear();
      for (const auto first : firsts) {
        const auto at = static_cast<std::size_t>(first);
        todo.push_back({at, std::min(plan.chunk, plan.count - at)});
      }
      follow_orders(todo, plan);
      return done;
    }
  }
#endif
  std::ostringstream name;
  name << plan.file.string() << ".part";
  if (plan.shards > 1) name << '.' << plan.shard << "of" << plan.shards;
  auto part = PartFile::open(name.str());
  if (!part) return part.error();
  // what a killed process left unfinished ends here
  if (auto error = (*part)->append("\n")) return *std::move(error);
  const auto keep = [&](const Chunk& chunk, const std::string& lines) -> std::optional<Error> {
    chunks[chunk.first] = lines;
    return (*part)->append(head(chunk, lines, of_plan) + lines);
  };
  std::optional<Error> error;
#ifdef STANCE_MPI
  if (ranks.count > 1) {
    error = lead(todo, ranks.count, keep, plan, done.found, done);
  } else
#endif
    error = do_chunks(plan, todo, keep, done.found, done);
  if (error) return *std::move(error);
  if (done.stopped) return done;
  // another shard may have ended meanwhile
  for (const fs::path& other : parts_of(plan.file)) read_part(other, of_plan, chunks);
  std::size_t lines = 0;
  for (const auto& [first, text] : chunks) lines += std::min(plan.chunk, plan.count - first);
  if (lines < plan.count) return done;
  if (auto failed = write_whole(plan, chunks)) return *std::move(failed);
  done.whole = true;
  return done;
}

}  // namespace stance
