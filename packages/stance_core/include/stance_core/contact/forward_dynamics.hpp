// Forward dynamics under rows: the one question that flow, impacts and observers ask.
//
//   which rows there are        prepare(), then rows[] and contacts[] are filled: bilateral rows first, contacts after
//   forward_dynamics(...)       accelerations and the rows' forces
//
//   (1) x = M⁻¹ (tau - bias), free of the rows: aba               (2) c = J x + J̇ v - what is asked for
//   (3) G = J M⁻¹ Jᵀ                                              (4) lambda from G and c: solve.hpp, friction.hpp
//   (5) a = x + M⁻¹ Jᵀ lambda
// What the support of the tree holds costs no row.
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/contact/friction.hpp"

namespace stance {

// Rows of a robot at an instant, their forces, and scratch. Large: make one and keep it.
struct RowSystem {
  int row_count = 0, contact_count = 0;
  std::array<Row, kMaxRows> rows;  // bilateral ones, then those of the contacts in their order
  std::array<ContactRows, kMaxContacts> contacts;
  Delassus d;
  DenseStage stage;
  RowVector lambda;  // out: forces of the rows
  FrictionResult result;

  void clear() noexcept { row_count = contact_count = 0; }
  std::span<ContactRows> contact_rows() noexcept {
    return {contacts.data(), static_cast<std::size_t>(contact_count)};
  }
};

// Whether contacts' modes are as they are given, or to be found.
enum class Modes : unsigned char { kGiven, kFound };

// The rows that every mimic joint needs. The first to be added.
void add_gears(const Model& model, const Tree& tree, RowSystem& r) noexcept;

// A contact with the world. Its index in r.contacts; -1: no more room.
int add_contact(const Model& model, const Tree& tree, const Workspace& w,
                const ContactPoint& contact, const ContactFrame& frame, int tangents,
                RowSystem& r) noexcept;

// A row that only pushes, such as a joint's stop; without friction. Its index in r.contacts; -1: no more room.
int add_contact(const Row& row, RowSystem& r) noexcept;

// Needs kinematics and the rows at this state. Writes what aba writes, and lambda, contacts and result of r.
// kInconsistent, kNoContactForce: no such accelerations; `a` is not written.
Status forward_dynamics(const Model& model, const Tree& tree, const State& state,
                        const DofVector& tau, std::span<const Force<double>> f_ext, Modes modes,
                        RowSystem& r, Workspace& w, DofVector& a) noexcept;

// The contact's force on the robot along the axes of its frame, or an impulse after collide().
Vec3<double> contact_force(const RowSystem& r, int contact, const ContactFrame& frame) noexcept;

}  // namespace stance
