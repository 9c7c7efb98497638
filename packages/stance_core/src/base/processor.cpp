#include "stance_core/base/processor.hpp"

namespace stance {

bool runs_here(Processor processor) noexcept {
#if defined(STANCE_X86_PROCESSORS)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  switch (processor) {
    case Processor::kAny: return true;
    case Processor::kAvx2: return avx2;
    case Processor::kAvx512:
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq");
  }
  return false;
#else
  return processor == Processor::kAny;
#endif
}

Processor best_processor() noexcept {
  for (const Processor processor : {Processor::kAvx512, Processor::kAvx2}) {
    if (runs_here(processor)) return processor;
  }
  return Processor::kAny;
}

}  // namespace stance
