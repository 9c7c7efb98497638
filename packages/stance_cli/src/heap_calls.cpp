#include "heap_calls.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define STANCE_FOREIGN_HEAP 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define STANCE_FOREIGN_HEAP 1
#endif

namespace {
thread_local long calls = 0;  // zero-initialised: its first use allocates nothing
}

namespace stance {

long heap_calls() noexcept { return calls; }

#ifdef STANCE_FOREIGN_HEAP
bool heap_is_counted() noexcept { return false; }
#else
bool heap_is_counted() noexcept { return true; }
#endif

}  // namespace stance

#ifndef STANCE_FOREIGN_HEAP

// NOLINTBEGIN: the names are glibc's
extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;

void* malloc(std::size_t size) noexcept {
  ++calls;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++calls;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  ++calls;
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++calls;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++calls;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  ++calls;
  *out = __libc_memalign(alignment, size);
  return *out != nullptr || size == 0 ? 0 : ENOMEM;
}
void free(void* p) noexcept {
  if (p != nullptr) ++calls;
  __libc_free(p);
}
}
// NOLINTEND

#endif
