#include "processor/compile.hpp"

namespace stance {

struct Avx2;
constinit const Kernels kKernelsAvx2 = compiled_for<Avx2>();

}  // namespace stance
