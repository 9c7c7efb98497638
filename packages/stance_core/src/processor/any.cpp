#include "processor/compile.hpp"

namespace stance {

struct Any;
constinit const Kernels kKernelsAny = compiled_for<Any>();

}  // namespace stance
