// Heap calls of this thread since the program began: every malloc and free, operator new and delete included. The
// program's own functions of these names count and hand on (glibc, "Replacing malloc"); it costs one addition a call.
#pragma once

namespace stance {

long heap_calls() noexcept;

// False where a sanitizer, or another C library, owns the heap: nothing is counted then.
bool heap_is_counted() noexcept;

}  // namespace stance
