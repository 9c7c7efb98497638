#include "stance_core/contact/forward_dynamics.hpp"

#include "dynamics/limb_walk.hpp"
#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"

namespace stance {

void add_gears(const Model& model, const Tree& tree, RowSystem& r) noexcept {
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (!tree.locked[mimic.joint]) r.rows[r.row_count++] = gear_row(tree, mimic);
  }
}

int add_contact(const Model& model, const Tree& tree, const Workspace& w,
                const ContactPoint& contact, const ContactFrame& frame, int tangents,
                RowSystem& r) noexcept {
  if (r.contact_count == kMaxContacts || r.row_count + 1 + tangents > kMaxRows) return -1;
  ContactRows& c = r.contacts[r.contact_count];
  c = ContactRows{};
  c.row = r.row_count;
  c.tangents = tangents;
  contact_rows(tree, w, contact, frame, contact_motion(model, tree, w, contact, frame.normal),
               1 + tangents, &r.rows[r.row_count]);
  r.row_count += 1 + tangents;
  return r.contact_count++;
}

int add_contact(const Row& row, RowSystem& r) noexcept {
  if (r.contact_count == kMaxContacts || r.row_count == kMaxRows) return -1;
  ContactRows& c = r.contacts[r.contact_count];
  c = ContactRows{};
  c.row = r.row_count;
  c.tangents = 0;
  r.rows[r.row_count++] = row;
  return r.contact_count++;
}

Status forward_dynamics(const Model& model, const Tree& tree, const State& state,
                        const DofVector& tau, std::span<const Force<double>> f_ext, Modes modes,
                        RowSystem& r, Workspace& w, DofVector& a) noexcept {
  PerDof<double> x;
  const Walk walk = plain_walk(tree);
  const Status status = kernels(model.processor).aba(model, tree, walk, state, tau, f_ext, w, x);
  if (status != Status::kOk) return status;
  if (r.row_count > 0) {
    const std::span<const Row> rows(r.rows.data(), static_cast<std::size_t>(r.row_count));
    build_delassus(tree, w, rows, r.d);
    r.d.size = size_of(tree, x);
    for (int k = 0; k < r.row_count; ++k) r.d.c[k] = row_motion(r.rows[k], w.a, x) + r.rows[k].bias;
    r.result = modes == Modes::kGiven
                   ? solve_given(tree, w, r.d, r.contact_rows(), r.stage, r.lambda)
                   : find_modes(tree, w, r.d, r.contact_rows(), r.stage, r.lambda);
    if (r.result.answer == ContactAnswer::kInconsistent) return Status::kInconsistent;
    if (r.result.answer == ContactAnswer::kNone) return Status::kNoContactForce;
    respond(tree, w, r.d, r.lambda, x);
    carry_accelerations(model, tree, x, w);
  }
  return accelerations_out(tree, walk.trunk, w, x, a);
}

Vec3<double> contact_force(const RowSystem& r, int contact, const ContactFrame& frame) noexcept {
  const ContactRows& c = r.contacts[contact];
  Vec3<double> force = frame.normal * r.lambda[c.row];
  if (c.tangents > 0) force += frame.t1 * r.lambda[c.row + 1];
  if (c.tangents > 1) force += frame.t2 * r.lambda[c.row + 2];
  return force;
}

}  // namespace stance
