// Which processor the algorithms are compiled for: the same text, once per kind, chosen when a robot is loaded.
#pragma once

#include <string_view>

namespace stance {

enum class Processor : unsigned char {
  kAny,   // whatever the build's own flags allow
  kAvx2,  // x86-64 with AVX2 and FMA
  kAvx512,  // the same with the AVX-512 instructions on 256-bit registers (F, VL, DQ): twice as many registers
};

constexpr const char* to_string(Processor processor) noexcept {
  constexpr const char* kNames[] = {"any", "avx2", "avx512"};
  return kNames[static_cast<int>(processor)];
}

// Whether this machine can run it, and this build has it.
bool runs_here(Processor processor) noexcept;

// The best one that runs here.
Processor best_processor() noexcept;

}  // namespace stance
