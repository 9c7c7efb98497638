// What the rest of an assembly needs to know of a subchain: how the bodies it will be joined at answer to forces.
//
// Yamane and Nakamura, section 4.1, say it of the joints still to come (their set E_C); as all joints at a body meet the
// same rigid body, it is enough to say it of the bodies: the handles. Their r'' of the joint and Lambda are then the
// body's acceleration and its response, carried from the body's frame to the joint's, and a trunk with four legs still
// to come is one handle, not four.
//
// Two forms, of which a subchain has one:
//   response   a_h = a0_h + sum over handles k of Lambda_hk f_k     any number of handles. Lambda is symmetric and positive
//                                                                   semidefinite: a handle that cannot move has zero
//   inertia    f = IA a + pA                                        one handle that moves freely. IA = Lambda⁻¹,
//                                                                   pA = -IA a0: Featherstone's articulated body
// f is the force that joints still to come put on the body, a its acceleration in a world that accelerates against
// gravity, both in the body's kernel frame. The paper keeps the first form alone. The second needs no link to have an
// inverse, so that legs of point masses are welcome, and it loses no digits to the subtraction in (50): a chain assembled
// from its tip is then the articulated-body algorithm, line by line.
#pragma once

#include <array>

#include "stance_core/spatial/inertia.hpp"
#include "stance_core/spatial/lanes.hpp"

namespace stance {

// A 6x6 matrix by rows, each a pack of eight of which the last two are zero: a product is then 36 packs whatever the
// processor. Plain, so that nothing here can reach for the heap.
struct alignas(64) Matrix6 {  // by hand: see Lanes
  using Row = LaneVector<8>::Doubles;
  union {
    double m[6][8];
    Row row[6];
  };
  STANCE_INLINE Matrix6() : m{} {}
};

using Column6 = std::array<double, 6>;

struct InertiaForm {
  ArticulatedInertia<double> IA;
  Force<double> pA;
};

}  // namespace stance
