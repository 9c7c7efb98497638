#include "support/layout.hpp"

namespace stance::test {

constinit const std::array<std::array<std::size_t, 2>, 14> kLayoutsAvx512 = layouts();

}  // namespace stance::test
