// The places of a scenario's feet, as the simulator has them.
#include <fmt/format.h>

#include <algorithm>

#include "stance_report/robot_replay.hpp"

namespace stance {

std::vector<ReplayContact> foot_contacts(const Model& model, const SimulatorSettings& settings) {
  std::array<Site, kMaxContacts> sites;
  const int count = std::min(contact_sites(model, settings, sites), kMaxContacts);
  std::vector<ReplayContact> contacts;
  for (int i = 0; i < count; ++i) {
    const Site& site = sites[static_cast<std::size_t>(i)];
    const Foot& foot = settings.feet[static_cast<std::size_t>(site.foot)];
    const bool one = foot.corner_count <= 1;
    const int corner = i - static_cast<int>(std::ranges::find(sites, site.foot, &Site::foot) -
                                            sites.begin());
    const std::string_view name = model.frames[foot.frame].name.view();
    ReplayContact contact;
    contact.name = one ? std::string(name) : fmt::format("{}/{}", name, corner);
    contact.body = int{site.point.body};
    contact.p_B = site.point.p_H;
    contact.radius = site.point.radius;
    contact.normal_W = settings.ground.normal;
    contact.mu = foot.material.mu_static;
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace stance
