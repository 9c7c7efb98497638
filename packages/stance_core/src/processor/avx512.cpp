#include "processor/compile.hpp"

namespace stance {

struct Avx512;
constinit const Kernels kKernelsAvx512 = compiled_for<Avx512>();

}  // namespace stance
