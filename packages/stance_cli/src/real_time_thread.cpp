#include "real_time_thread.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace stance {
namespace {

std::string reason(int error) { return std::strerror(error); }  // NOLINT: one thread asks

bool is_preempt_rt() {
  int value = 0;
  std::ifstream("/sys/kernel/realtime") >> value;
  return value == 1;
}

}  // namespace

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::string RealTimeGrant::text() const {
  return fmt::format("{}, {}, {}", cpu < 0 ? "any CPU" : fmt::format("CPU {}", cpu),
                     priority > 0 ? fmt::format("SCHED_FIFO {}", priority) : "ordinary scheduling",
                     memory_locked ? "memory locked" : "memory not locked");
}

RealTimeGrant become_real_time(const RealTimeWish& wish) {
  RealTimeGrant grant;
  grant.preempt_rt = is_preempt_rt();

  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
    grant.memory_locked = true;
  } else {
    grant.notes.push_back(fmt::format(
        "memory is not locked ({}): put 'USER - memlock unlimited' into /etc/security/limits.conf "
        "and log in again, or grant CAP_IPC_LOCK",
        reason(errno)));
  }

  const std::vector<int> cpus = usable_cpus();
  const int cpu = wish.cpu >= 0 ? wish.cpu : cpus.empty() ? -1 : cpus.back();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  if (const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set); error == 0) {
    grant.cpu = cpu;
  } else {
    grant.notes.push_back(
        fmt::format("the thread is not bound to CPU {} ({}): choose another with "
                    "--cpu; 'nproc --all' counts them",
                    cpu, reason(error)));
  }

  if (wish.priority > 0) {
    sched_param parameters{};
    parameters.sched_priority = wish.priority;
    if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
        error == 0) {
      grant.priority = wish.priority;
    } else {
      grant.notes.push_back(
          fmt::format("SCHED_FIFO {} is not permitted ({}): put 'USER - rtprio {}' into "
                      "/etc/security/limits.conf and log in again, or grant CAP_SYS_NICE",
                      wish.priority, reason(error), wish.priority));
    }
  }
  return grant;
}

void release_memory() noexcept { munlockall(); }

void touch_stack() noexcept {
  volatile char pages[512 * 1024];
  for (std::size_t i = 0; i < sizeof pages; i += 1024) pages[i] = 0;
}

}  // namespace stance
