// posix_spawnp, two pipes, and a poll loop that drains both until a deadline, so that neither side can block the other.
// The program has a process group of its own, so that whatever it starts ends with it.
#include "run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace stance {
namespace {

class Pipe {
 public:
  Pipe() : open_(::pipe2(ends_.data(), O_CLOEXEC) == 0) {}
  ~Pipe() {
    close_write();
    if (open_) ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool open() const { return open_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write() {
    if (open_ && ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool open_;
};

bool spawn(const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err,
           pid_t& pid) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  const bool ready =
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
      posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO) == 0 &&
      posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO) == 0;
  posix_spawnattr_t attributes;
  const bool grouped = posix_spawnattr_init(&attributes) == 0 &&
                       posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
                       posix_spawnattr_setpgroup(&attributes, 0) == 0;
  const bool started = ready && grouped &&
                       posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ) ==
                           0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

// Reads until both ends are closed, more than max_output came, or it is late.
using Clock = std::chrono::steady_clock;

void drain(int out_end, int err_end, std::size_t max_output, Clock::time_point deadline,
           ProgramRun& run) {
  std::array<pollfd, 2> ends{{{out_end, POLLIN, 0}, {err_end, POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&run.out, &run.err};
  std::array<char, 65536> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const int wait = static_cast<int>(std::clamp<long long>(left.count(), 0, 1'000'000));
    const int ready = ::poll(ends.data(), ends.size(), wait);
    if (ready < 0 && errno != EINTR) return;
    run.late = Clock::now() >= deadline;
    if (run.late) return;
    if (ready <= 0) continue;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        ends[i].fd = -1;
        continue;
      }
      texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      run.cut = texts[i]->size() > max_output;
      if (run.cut) return;
    }
  }
}

// Whether it ends before the deadline. One that has closed its outputs may go on for ever.
bool ends(pid_t pid, Clock::time_point deadline, int& status) {
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, std::size_t max_output,
                       double seconds) {
  ProgramRun run;
  Pipe out, err;
  pid_t pid = 0;
  run.started = out.open() && err.open() && spawn(arguments, out, err, pid);
  if (!run.started) return run;
  out.close_write();
  err.close_write();
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(seconds));
  drain(out.read_end(), err.read_end(), max_output, deadline, run);
  int status = -1;
  if (!run.cut && !run.late) run.late = !ends(pid, deadline, status);
  if (run.cut || run.late) {
    ::kill(-pid, SIGKILL);
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace stance
