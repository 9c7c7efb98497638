// posix_spawnp, two pipes, and a poll loop that drains both, so that neither side can block the other.
#include "run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

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
  const bool started = ready &&
                       posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

// Reads until both ends are closed; false if more than max_output came.
bool drain(int out_end, int err_end, std::size_t max_output, ProgramRun& run) {
  std::array<pollfd, 2> ends{{{out_end, POLLIN, 0}, {err_end, POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&run.out, &run.err};
  std::array<char, 65536> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return true;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        ends[i].fd = -1;
        continue;
      }
      texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (texts[i]->size() > max_output) return false;
    }
  }
  return true;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, std::size_t max_output) {
  ProgramRun run;
  Pipe out, err;
  pid_t pid = 0;
  run.started = out.open() && err.open() && spawn(arguments, out, err, pid);
  if (!run.started) return run;
  out.close_write();
  err.close_write();
  run.cut = !drain(out.read_end(), err.read_end(), max_output, run);
  if (run.cut) ::kill(pid, SIGKILL);
  run.exit_code = wait_for(pid);
  return run;
}

}  // namespace stance
