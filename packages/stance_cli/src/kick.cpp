#include "kick.hpp"

#include <random>

namespace stance {

void kick(std::uint64_t seed, InitialState& initial) {
  std::mt19937_64 engine(seed);
  // by hand: the distributions of the standard library differ from one to the next
  const auto shake = [&](double& velocity) {
    const double uniform = static_cast<double>(engine() >> 11) * 0x1p-53;  // [0, 1)
    velocity *= 1 + kKickSize * (2 * uniform - 1);
  };
  shake(initial.rate);
  for (Vec3<double>* v : {&initial.velocity, &initial.angular_velocity})
    shake(v->x), shake(v->y), shake(v->z);
  for (JointStart& start : initial.joints) shake(start.velocity);
}

}  // namespace stance
