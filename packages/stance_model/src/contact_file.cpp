#include "stance_model/contact_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "read_material.hpp"
#include "refusal.hpp"
#include "robot_names.hpp"
#include "scenario_file.hpp"
#include "setting.hpp"

namespace stance {
namespace {

void read_ground(const Keys& keys, Ground& to) {
  const auto setting = keys.find("ground");
  if (!setting) return;
  const Keys ground(*setting, {"point", "normal"});
  if (const auto point = ground.find("point")) to.point = point->vector(kLength);
  if (const auto normal = ground.find("normal")) {
    const Vec3<double> n = normal->vector(kPureNumber);
    if (!(norm(n) > 1e-6)) normal->refuse(ErrorCode::kValue, "has no length");
    to.normal = n * (1 / norm(n));
    to.lateral = contact_frame(to.normal, {0, 1, 0}).t1;
  }
}

ContactEntry read_contact(const Setting& setting, const Model& model, std::size_t index) {
  const Keys keys(setting, {"name", "link", "point", "radius", "friction", "restitution", "mode"});
  ContactEntry entry;
  const auto name = keys.find("name");
  entry.name = name ? name->text() : fmt::format("contact_{}", index);
  const FrameId frame = link(keys.require("link", "link: left_foot"), model);
  const Frame& f = model.frames[frame];
  Vec3<double> p;
  if (const auto point = keys.find("point")) p = point->vector(kLength);
  entry.point = {f.body, f.X_HF * p, 0};
  if (const auto radius = keys.find("radius")) {
    entry.point.radius = radius->quantity(kLength);
    if (entry.point.radius < 0) radius->refuse(ErrorCode::kValue, "is below zero");
  }
  read_material(keys, entry.material);
  if (const auto mode = keys.find("mode")) {
    constexpr ContactEntry::Mode kModes[] = {ContactEntry::Mode::kAuto, ContactEntry::Mode::kStick,
                                             ContactEntry::Mode::kSlide, ContactEntry::Mode::kOpen};
    entry.mode = kModes[mode->word({"auto", "stick", "slide", "open"})];
    if (entry.mode == ContactEntry::Mode::kSlide && !entry.material.slips()) {
      mode->refuse(ErrorCode::kStructure,
                   "is 'slide', and without friction: a number, nothing ever does");
    }
  }
  return entry;
}

}  // namespace

Result<ContactFile> load_contacts(const std::filesystem::path& path, const Model& model) {
  try {
    const std::string file = path.string();
    const Setting root(read_scenario_file(path), "", file);
    const Keys keys(root, {"ground", "contacts"});
    ContactFile contacts;
    read_ground(keys, contacts.ground);
    const Setting list = keys.require("contacts", "contacts: [{link: left_foot}]");
    for (const Setting& setting : list.list(kMaxContacts)) {
      ContactEntry entry = read_contact(setting, model, contacts.contacts.size());
      for (const ContactEntry& other : contacts.contacts) {
        if (other.name == entry.name) {
          setting.refuse(ErrorCode::kStructure,
                         fmt::format("is called '{}', and so is another; give each a name of its "
                                     "own",
                                     entry.name));
        }
      }
      contacts.contacts.push_back(std::move(entry));
    }
    return contacts;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  } catch (const YAML::Exception& error) {
    return Error{ErrorCode::kSyntax,
                 fmt::format("{}:{}:{}", path.string(), error.mark.line + 1, error.mark.column + 1),
                 error.msg};
  }
}

}  // namespace stance
