#include "contact_dynamics.hpp"

#include <fmt/format.h>

#include <cmath>

#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

// A contact this near to the ground touches it, and one that moves less than this rests (m, m/s): far above the rounding
// of a state, far below what matters.
constexpr double kTouch = 1e-7;
constexpr double kRest = 1e-9;

using Given = ContactEntry::Mode;

Error refuse(const std::string& where, const ContactEntry& contact, const std::string& text) {
  return {ErrorCode::kValue, where, fmt::format("contact '{}' {}", contact.name, text)};
}

}  // namespace

ContactDynamics::ContactDynamics(const Model& model, const RowDynamicsOptions& options,
                                 ContactFile contacts)
    : model_(model),
      dynamics_(model, options),
      file_(std::move(contacts)),
      frame_(contact_frame(file_.ground.normal, file_.ground.forward())),
      rows_(new RowSystem),
      workspace_(new Workspace),
      index_(file_.contacts.size()),
      modes_(file_.contacts.size()),
      forces_(file_.contacts.size()) {}

// The rows of all contacts that touch. Needs kinematics.
std::optional<Error> ContactDynamics::add_contacts(bool impact, const std::string& where) {
  RowSystem& r = *rows_;
  const Tree& tree = dynamics_.tree();
  r.clear();
  add_gears(model_, tree, r);
  found_ = impact;
  // those that hold as given come before those that the law decides: they are bilateral
  for (const bool given : {true, false}) {
    for (std::size_t k = 0; k < file_.contacts.size(); ++k) {
      const ContactEntry& c = file_.contacts[k];
      if ((c.mode != Given::kAuto) != given) continue;
      index_[k] = -1;
      if (c.mode == Given::kOpen) continue;
      const ContactMotion m = contact_motion(model_, tree, *workspace_, c.point, frame_.normal);
      const double gap = file_.ground.height(m.center_W) - c.point.radius;
      const double u_n = dot(frame_.normal, m.velocity_W);
      const Vec3<double> u_t = m.velocity_W - frame_.normal * u_n;
      if (c.mode == Given::kAuto) {
        if (gap < -kTouch)
          return refuse(where, c, fmt::format("lies {:.3g} m below the ground", -gap));
        if (gap > kTouch || (!impact && u_n > kRest)) continue;
        if (!impact && u_n < -kRest) {
          return refuse(where, c,
                        fmt::format("meets the ground with {:.3g} m/s, which is an "
                                    "impact: add --impact",
                                    -u_n));
        }
      }
      const bool frictionless = c.material.mu_static == 0 && c.mode != Given::kStick;
      const int i = add_contact(model_, tree, *workspace_, c.point, frame_, frictionless ? 0 : 2,
                                r);
      if (i < 0) {
        return refuse(where, c,
                      fmt::format("is one too many: {} contacts and {} rows are all there "
                                  "may be",
                                  kMaxContacts, kMaxRows));
      }
      index_[k] = i;
      ContactRows& rows = r.contacts[i];
      rows.mu_static = c.material.mu_static, rows.mu_kinetic = c.material.mu_kinetic;
      const bool moves = norm(u_t) > kRest;
      if (c.mode == Given::kStick) {
        rows.mode = ContactMode::kStick;
      } else if (c.mode == Given::kSlide && !moves && !impact) {
        return refuse(where, c, "shall slide, and rests: there is no direction for its friction");
      } else if (moves && c.material.slips()) {
        rows.mode = ContactMode::kSlide;
        rows.slides = true;
        if (!frictionless)
          rows.d = {dot(frame_.t1, u_t) / norm(u_t), dot(frame_.t2, u_t) / norm(u_t)};
      }
      if (c.mode == Given::kAuto) found_ = true;
    }
  }
  return std::nullopt;
}

void ContactDynamics::read_back() {
  for (std::size_t k = 0; k < index_.size(); ++k) {
    modes_[k] = index_[k] < 0 ? ContactMode::kOpen : rows_->contacts[index_[k]].mode;
    forces_[k] = index_[k] < 0 ? Vec3<double>{} : contact_force(*rows_, index_[k], frame_);
  }
}

std::optional<Error> ContactDynamics::forward(StateRow& row, const std::string& where) {
  DofVector tau;
  dynamics_.prepare(row, tau);
  kinematics(model_, dynamics_.tree(), dynamics_.state(), *workspace_);
  if (auto error = add_contacts(false, where)) return error;
  const Status status = forward_dynamics(model_, dynamics_.tree(), dynamics_.state(), tau,
                                         dynamics_.f_ext(), found_ ? Modes::kFound : Modes::kGiven,
                                         *rows_, *workspace_, row.a);
  if (status == Status::kInconsistent) {  // an answer, not a mistake of the row's
    row.a.fill(std::nan(""));
    rows_->lambda.fill(std::nan(""));
    read_back();
    return std::nullopt;
  }
  if (status != Status::kOk) return Error{ErrorCode::kValue, where, to_string(status)};
  dynamics_.read_base_acceleration(*workspace_, row);
  read_back();
  return std::nullopt;
}

std::optional<Error> ContactDynamics::impact(StateRow& row, const std::string& where) {
  DofVector tau;
  dynamics_.prepare(row, tau);
  kinematics(model_, dynamics_.tree(), dynamics_.state(), *workspace_);
  if (auto error = add_contacts(true, where)) return error;
  std::vector<double> restitution(static_cast<std::size_t>(rows_->contact_count));
  for (std::size_t k = 0; k < index_.size(); ++k) {
    if (index_[k] >= 0)
      restitution[static_cast<std::size_t>(index_[k])] = file_.contacts[k].material.restitution;
  }
  Collision collision;
  const Status status = collide(model_, dynamics_.tree(), ImpactLaw::kNewton, restitution, *rows_,
                                *workspace_, dynamics_.state(), collision);
  if (status != Status::kOk) return Error{ErrorCode::kValue, where, to_string(status)};
  energy_lost_ = collision.energy_lost;
  dynamics_.read_velocities(row);
  read_back();
  return std::nullopt;
}

}  // namespace stance
