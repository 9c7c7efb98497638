// The dynamics of one row of a table of states with contacts: accelerations and forces, or an impact.
//
// Conventions are those of RowDynamics. Contact forces and impulses act on the robot, in world axes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "row_dynamics.hpp"
#include "stance_core/contact/collide.hpp"
#include "stance_model/contact_file.hpp"

namespace stance {

class ContactDynamics {
 public:
  ContactDynamics(const Model& model, const RowDynamicsOptions& options, ContactFile contacts);

  // row.a, or with `impact` row.v after it. An error says which contact and why.
  std::optional<Error> forward(StateRow& row, const std::string& where);
  std::optional<Error> impact(StateRow& row, const std::string& where);

  const std::vector<ContactEntry>& contacts() const { return file_.contacts; }
  // Of the last row.
  ContactMode mode(std::size_t contact) const { return modes_[contact]; }
  const Vec3<double>& force(std::size_t contact) const { return forces_[contact]; }
  ContactAnswer answer() const { return rows_->result.answer; }
  double energy_lost() const { return energy_lost_; }

 private:
  std::optional<Error> add_contacts(bool impact, const std::string& where);
  void read_back();

  const Model& model_;
  RowDynamics dynamics_;
  ContactFile file_;
  ContactFrame frame_;
  std::unique_ptr<RowSystem> rows_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<int> index_;  // in rows_; -1: open as given
  std::vector<ContactMode> modes_;
  std::vector<Vec3<double>> forces_;
  bool found_ = false;  // some mode is to be found
  double energy_lost_ = 0;
};

}  // namespace stance
