// Each function here has the name of one of the C library's: it counts the call and hands it on to the next function of
// that name. The heap's are in count_heap.cpp.
//
// Nothing is declared by the system's headers, whose declarations differ from one C library to the next (noexcept,
// inline bodies, checked variants). All of these functions take and return words: an int, a size or a pointer each in a
// register of its own, on x86-64 as on AArch64, and whoever is handed more words than it takes does not look at them.
// Compiled with -fno-builtin, as the compiler thinks it knows some of these names.
#include <dlfcn.h>

#include <cstdarg>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define STANCE_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define STANCE_SANITIZED 1
#endif

#ifndef STANCE_SANITIZED

extern "C" {

void stance_count_call(int kind);

using Word = long;
using Words = Word (*)(Word, Word, Word, Word, Word, Word, Word);

enum : int { kHeap, kLock, kFile, kText, kWait, kClock, kThrow, kSystem };  // as Call

}  // extern "C"

namespace {

// The function of this name that would have been called without us. No guard round `place`: that is a lock.
template <class Function = Words>
Function next(void*& place, const char* name) {
  if (place == nullptr) place = dlsym(RTLD_NEXT, name);
  return reinterpret_cast<Function>(place);
}

}  // namespace

// NOLINTBEGIN: the names are not ours
#define COUNT(kind, name)                                     \
  Word name(Word a, Word b, Word c, Word d, Word e, Word f) { \
    static void* place;                                       \
    stance_count_call(kind);                                  \
    return next(place, #name)(a, b, c, d, e, f, 0);           \
  }

// With an open end, whose arguments may be floating-point: handed on to the function that takes them as a list.
#define COUNT_OPEN(kind, name, listed, parameters, types, arguments) \
  int name parameters {                                              \
    static void* place;                                              \
    stance_count_call(kind);                                         \
    va_list rest;                                                    \
    va_start(rest, format);                                          \
    const int result = next<int(*) types>(place, #listed) arguments; \
    va_end(rest);                                                    \
    return result;                                                   \
  }

extern "C" {

COUNT(kHeap, mmap)
COUNT(kHeap, munmap)
COUNT(kHeap, mremap)
COUNT(kHeap, mprotect)
COUNT(kHeap, madvise)
COUNT(kHeap, brk)
COUNT(kHeap, sbrk)

COUNT(kLock, pthread_mutex_lock)
COUNT(kLock, pthread_mutex_trylock)
COUNT(kLock, pthread_mutex_timedlock)
COUNT(kLock, pthread_mutex_clocklock)
COUNT(kLock, pthread_mutex_unlock)
COUNT(kLock, pthread_rwlock_rdlock)
COUNT(kLock, pthread_rwlock_tryrdlock)
COUNT(kLock, pthread_rwlock_wrlock)
COUNT(kLock, pthread_rwlock_trywrlock)
COUNT(kLock, pthread_rwlock_unlock)
COUNT(kLock, pthread_spin_lock)
COUNT(kLock, pthread_spin_trylock)
COUNT(kLock, pthread_once)
COUNT(kLock, sem_wait)
COUNT(kLock, sem_trywait)
COUNT(kLock, sem_post)
COUNT(kLock, __cxa_guard_acquire)

COUNT(kWait, pthread_cond_wait)
COUNT(kWait, pthread_cond_timedwait)
COUNT(kWait, pthread_cond_clockwait)
COUNT(kWait, pthread_cond_signal)
COUNT(kWait, pthread_cond_broadcast)
COUNT(kWait, pthread_barrier_wait)
COUNT(kWait, pthread_create)
COUNT(kWait, pthread_join)
COUNT(kWait, sched_yield)
COUNT(kWait, nanosleep)
COUNT(kWait, clock_nanosleep)
COUNT(kWait, usleep)
COUNT(kWait, sleep)
COUNT(kWait, poll)
COUNT(kWait, ppoll)
COUNT(kWait, select)
COUNT(kWait, epoll_wait)

COUNT(kClock, clock_gettime)
COUNT(kClock, gettimeofday)
COUNT(kClock, time)

COUNT(kFile, open)
COUNT(kFile, open64)
COUNT(kFile, openat)
COUNT(kFile, openat64)
COUNT(kFile, creat)
COUNT(kFile, close)
COUNT(kFile, read)
COUNT(kFile, write)
COUNT(kFile, pread)
COUNT(kFile, pread64)
COUNT(kFile, pwrite)
COUNT(kFile, pwrite64)
COUNT(kFile, readv)
COUNT(kFile, writev)
COUNT(kFile, lseek)
COUNT(kFile, lseek64)
COUNT(kFile, fsync)
COUNT(kFile, ioctl)
COUNT(kFile, fcntl)
COUNT(kFile, fcntl64)
COUNT(kFile, send)
COUNT(kFile, sendto)
COUNT(kFile, sendmsg)
COUNT(kFile, recv)
COUNT(kFile, recvfrom)
COUNT(kFile, recvmsg)
COUNT(kFile, fopen)
COUNT(kFile, fopen64)
COUNT(kFile, fdopen)
COUNT(kFile, fclose)
COUNT(kFile, fflush)
COUNT(kFile, fread)
COUNT(kFile, fwrite)
COUNT(kFile, fgets)
COUNT(kFile, fgetc)
COUNT(kFile, getc)
COUNT(kFile, fputs)
COUNT(kFile, fputc)
COUNT(kFile, putc)
COUNT(kFile, puts)
COUNT(kFile, putchar)
COUNT(kFile, perror)
COUNT(kFile, vprintf)
COUNT(kFile, vfprintf)
COUNT(kFile, vdprintf)
COUNT(kFile, __vprintf_chk)
COUNT(kFile, __vfprintf_chk)
COUNT_OPEN(kFile, printf, vprintf, (const char* format, ...), (const char*, va_list),
           (format, rest))
COUNT_OPEN(kFile, fprintf, vfprintf, (Word file, const char* format, ...),
           (Word, const char*, va_list), (file, format, rest))
COUNT_OPEN(kFile, dprintf, vdprintf, (int file, const char* format, ...),
           (int, const char*, va_list), (file, format, rest))
COUNT_OPEN(kFile, __printf_chk, __vprintf_chk, (int flag, const char* format, ...),
           (int, const char*, va_list), (flag, format, rest))
COUNT_OPEN(kFile, __fprintf_chk, __vfprintf_chk, (Word file, int flag, const char* format, ...),
           (Word, int, const char*, va_list), (file, flag, format, rest))

COUNT(kText, vsprintf)
COUNT(kText, vsnprintf)
COUNT(kText, __vsprintf_chk)
COUNT(kText, __vsnprintf_chk)
COUNT_OPEN(kText, sprintf, vsprintf, (Word text, const char* format, ...),
           (Word, const char*, va_list), (text, format, rest))
COUNT_OPEN(kText, snprintf, vsnprintf, (Word text, Word size, const char* format, ...),
           (Word, Word, const char*, va_list), (text, size, format, rest))
COUNT_OPEN(kText, __sprintf_chk, __vsprintf_chk,
           (Word text, int flag, Word room, const char* format, ...),
           (Word, int, Word, const char*, va_list), (text, flag, room, format, rest))
COUNT_OPEN(kText, __snprintf_chk, __vsnprintf_chk,
           (Word text, Word size, int flag, Word room, const char* format, ...),
           (Word, Word, int, Word, const char*, va_list), (text, size, flag, room, format, rest))

COUNT(kThrow, __cxa_throw)
COUNT(kThrow, __cxa_rethrow)

// a number and six words: the last comes on the stack
Word syscall(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
  static void* place;
  stance_count_call(kSystem);
  return next(place, "syscall")(number, a, b, c, d, e, f);
}

}  // extern "C"
// NOLINTEND

#endif
