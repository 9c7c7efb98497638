// The exchange of a walker's legs, found from the robot itself.
//
// Two feet: the path of joints from one foot to the other is walked the other way round. With sigma_k = 1 where the path
// crosses its k-th joint from parent to child, times the side to which the joint's axis points, the path turns by
// sigma_k q_k there, and by -sigma_k q_k on the way back. The k-th turn from the new foot shall be what the k-th from
// the old one was, so with n joints on the path and k* = n + 1 - k
//   (1) q'_k = -sigma_k sigma_k* q_k*
// Joints beside the path stay what they are.
// Feet on one body, the spokes of a wheel: the body is turned on by the angle between neighbours about its centre.
//
// Whether that is a symmetry of the robot is then tested: energies and feet must be where they were.
#pragma once

#include "stance_gait/step_map.hpp"

namespace stance {

// `foot` stands and `next` is the one that comes down. An error says what is not alike.
Result<Exchange> find_exchange(const Model& model, const SimulatorSettings& settings, int foot,
                               int next);

}  // namespace stance
