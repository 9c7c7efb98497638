#include "support/count_heap.hpp"

#include <cerrno>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define STANCE_SANITIZED_HEAP 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define STANCE_SANITIZED_HEAP 1
#endif

namespace {
thread_local long heap_calls = 0;  // zero-initialised: its first use allocates nothing
}

namespace stance::test {
long CountHeap::total() noexcept { return heap_calls; }
#ifdef STANCE_SANITIZED_HEAP
bool CountHeap::works() noexcept { return false; }
#else
bool CountHeap::works() noexcept { return true; }
#endif
}  // namespace stance::test

#ifndef STANCE_SANITIZED_HEAP

// glibc's own entry points, below malloc: replacing malloc in the program is documented by glibc ("Replacing malloc").
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are glibc's
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void* malloc(std::size_t size) noexcept {
  ++heap_calls;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++heap_calls;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  ++heap_calls;
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++heap_calls;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++heap_calls;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  ++heap_calls;
  *out = __libc_memalign(alignment, size);
  return *out || size == 0 ? 0 : ENOMEM;
}
void free(void* p) noexcept {
  if (p) ++heap_calls;
  __libc_free(p);
}
}

// The other forms of new and delete call these by default.
void* operator new(std::size_t size) {
  ++heap_calls;
  if (void* p = __libc_malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++heap_calls;
  if (void* p = __libc_memalign(static_cast<std::size_t>(alignment), size ? size : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  if (p) ++heap_calls;
  __libc_free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
void operator delete(void* p, std::align_val_t) noexcept { operator delete(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { operator delete(p); }

#endif
