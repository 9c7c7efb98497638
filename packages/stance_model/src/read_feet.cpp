#include "read_feet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "read_file.hpp"
#include "read_material.hpp"
#include "refusal.hpp"
#include "robot_names.hpp"
#include "stance_model/geometry.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

// What the ground is like where a foot says nothing of its own, and by which law impacts go.
Material read_contact(const Keys& keys, SimulatorSettings& settings) {
  Material material;
  const auto setting = keys.find("contact");
  if (!setting) return material;
  const Keys contact(*setting, {"friction", "restitution", "law", "capture_speed"});
  read_material(contact, material);
  if (const auto law = contact.find("law"))
    settings.impact_law = law->word({"newton", "poisson"}) == 0 ? ImpactLaw::kNewton
                                                                : ImpactLaw::kPoisson;
  if (const auto speed = contact.find("capture_speed"))
    settings.capture_speed = speed->positive(kSpeed);
  return material;
}

Vec3<double> vector(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

// Of these points the outermost along the diagonals of a cube: eight at most.
std::vector<Vec3<double>> outermost(const std::vector<Vec3<double>>& points) {
  std::vector<Vec3<double>> corners;
  for (int k = 0; k < kMaxCorners; ++k) {
    const Vec3<double> d{(k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                         (k & 4) != 0 ? 1.0 : -1.0};
    const auto far = std::max_element(
        points.begin(), points.end(),
        [&](const Vec3<double>& a, const Vec3<double>& b) { return dot(d, a) < dot(d, b); });
    if (std::find(corners.begin(), corners.end(), *far) == corners.end()) corners.push_back(*far);
  }
  return corners;
}

class FeetReader {
 public:
  FeetReader(const Keys& keys, std::optional<std::string_view> xml, Scenario& scenario)
      : xml_(xml),
        scenario_(scenario),
        settings_(scenario.settings),
        common_(read_contact(keys, scenario.settings)) {}

  void read(const Setting& setting) {
    const auto entries = setting.list(kMaxFeet);
    if (entries.empty())
      setting.refuse(ErrorCode::kStructure, "is an empty list; a walker needs a foot");
    for (const Setting& entry : entries) read_entry(entry);
    std::array<Site, kMaxContacts> sites;
    if (const int count = contact_sites(model_of(scenario_), settings_, sites);
        count > kMaxContacts) {
      setting.refuse(ErrorCode::kCapacity,
                     fmt::format("touch the ground in {} places, corners counted; this build of "
                                 "stance holds {}",
                                 count, kMaxContacts));
    }
  }

 private:
  void read_entry(const Setting& entry) {
    const Keys keys(entry, {"link", "support", "radius", "corners", "size", "at", "scuff",
                            "friction", "restitution", "shape"});
    Foot foot;
    const Setting name = keys.require("link", "link: left_foot");
    foot.frame = link(name, scenario_);
    for (int i = 0; i < settings_.foot_count; ++i) {
      if (settings_.feet[static_cast<std::size_t>(i)].frame == foot.frame) {
        name.refuse(ErrorCode::kStructure,
                    fmt::format("is '{}', which is feet[{}] already; keep one", name.text(), i));
      }
    }
    foot.material = common_;
    read_material(keys, foot.material);
    if (const auto scuff = keys.find("scuff"))
      foot.ignore_scuff = scuff->word({"ignore", "strike"}) == 0;
    if (const auto shape = keys.find("shape")) {
      (void)shape->word({"collision"});
      for (const char* other : {"support", "radius", "corners", "size", "at"}) {
        if (const auto given = keys.find(other)) {
          given->refuse(ErrorCode::kStructure,
                        "stands beside 'shape', which says it all; remove one of the two");
        }
      }
      add_shapes(*shape, name.text(), foot);
      return;
    }
    const Setting support = keys.require("support", "support: pin");
    enum { kPin, kBall, kRoll, kWeld, kSphere, kSole };
    const int word = support.word({"pin", "ball", "roll", "weld", "sphere", "sole"});
    constexpr JointKind kKinds[] = {JointKind::kRevolute, JointKind::kBall, JointKind::kRoll,
                                    JointKind::kFixed,    JointKind::kFree, JointKind::kFixed};
    foot.support = kKinds[word];
    foot.grips = word == kWeld;
    read_radius(keys, entry, support.text(), word == kRoll || word == kSphere, foot);
    if (word == kSole) {
      read_corners(keys, entry, foot);
    } else {
      for (const char* other : {"corners", "size", "at"}) {
        if (const auto given = keys.find(other)) {
          given->refuse(ErrorCode::kStructure,
                        fmt::format("is for a sole, and the support is '{}'", support.text()));
        }
      }
    }
    add(entry, foot);
  }

  void add(const Setting& setting, const Foot& foot) {
    if (settings_.foot_count == kMaxFeet) {
      setting.refuse(
          ErrorCode::kCapacity,
          fmt::format("is one more than the {} feet that this build of stance holds", kMaxFeet));
    }
    settings_.feet[static_cast<std::size_t>(settings_.foot_count++)] = foot;
  }

  static void read_radius(const Keys& keys, const Setting& entry, const std::string& support,
                          bool required, Foot& foot) {
    if (const auto radius = keys.find("radius")) {
      foot.radius = radius->quantity(kLength);
      if (foot.radius < 0 || (required && foot.radius == 0))
        radius->refuse(ErrorCode::kValue, "must be above zero");
    } else if (required) {
      entry.refuse(ErrorCode::kStructure,
                   support == "roll" ? "lacks the key 'radius', which a foot that rolls needs; "
                                       "add radius: 0.1 m"
                                     : "lacks the key 'radius', which a sphere needs; "
                                       "add radius: 2 cm");
    }
  }

  // Corners as they are given, or of a rectangle of this size in the frame's x-y plane, its middle at `at`.
  static void read_corners(const Keys& keys, const Setting& entry, Foot& foot) {
    const auto corners = keys.find("corners"), size = keys.find("size"), at = keys.find("at");
    if (!corners == !size) {
      entry.refuse(ErrorCode::kStructure,
                   "is a sole, which takes either 'size' or 'corners'; add size: [20 cm, 10 cm]");
    }
    if (corners && at)
      at->refuse(ErrorCode::kStructure, "is the middle of a 'size', and there are 'corners'");
    const Vec3<double> middle = at ? at->vector(kLength) : Vec3<double>{};
    if (size) {
      const auto sides = size->list(2);
      if (sides.size() != 2)
        size->refuse(ErrorCode::kStructure, "takes two lengths: [20 cm, 10 cm]");
      const double x = sides[0].positive(kLength) / 2, y = sides[1].positive(kLength) / 2;
      foot.corner_count = 4;
      foot.corners = {middle + Vec3<double>{x, y, 0}, middle + Vec3<double>{-x, y, 0},
                      middle + Vec3<double>{-x, -y, 0}, middle + Vec3<double>{x, -y, 0}};
      return;
    }
    const auto entries = corners->list(kMaxCorners);
    if (entries.size() < 2) {
      corners->refuse(ErrorCode::kStructure,
                      "must be two or more; a foot of one point is support: ball");
    }
    for (const Setting& corner : entries)
      foot.corners[static_cast<std::size_t>(foot.corner_count++)] = corner.vector(kLength);
  }

  const std::vector<LinkShape>& shapes(const Setting& setting) {
    if (shapes_) return *shapes_;
    std::string text = xml_ ? std::string(*xml_) : std::string();
    if (!xml_) {
      auto file = read_robot_file(scenario_.robot_file.lexically_normal(),
                                  scenario_.robot->options);
      if (!file) setting.refuse(file.error().code, file.error().text());
      text = *std::move(file);
    }
    auto parsed = parse_geometry(text, nullptr, scenario_.robot->options.lenient);
    if (!parsed) setting.refuse(parsed.error().code, parsed.error().text());
    return shapes_.emplace(*std::move(parsed));
  }

  // A foot for each collision shape of the link.
  void add_shapes(const Setting& setting, const std::string& name, const Foot& like) {
    int found = 0;
    for (const LinkShape& shape : shapes(setting)) {
      if (shape.link != name || shape.use != LinkShape::Use::kCollision) continue;
      ++found;
      Foot foot = like;
      const auto place = [&](double x, double y, double z) {
        return vector(shape.origin * Eigen::Vector3d(x, y, z));
      };
      std::vector<Vec3<double>> points;
      switch (shape.kind) {
        case ShapeKind::kSphere:
          foot.support = JointKind::kFree;
          foot.radius = shape.radius;
          points = {place(0, 0, 0)};
          break;
        case ShapeKind::kBox:
          for (int k = 0; k < 8; ++k) {
            const auto half = [&](int bit, int axis) {
              return ((k >> bit & 1) != 0 ? 0.5 : -0.5) * shape.size[axis];
            };
            points.push_back(place(half(0, 0), half(1, 1), half(2, 2)));
          }
          break;
        case ShapeKind::kCylinder:  // by four points of each rim
          for (int k = 0; k < 8; ++k) {
            const double angle = M_PI / 2 * (k % 4);
            points.push_back(place(shape.radius * std::cos(angle), shape.radius * std::sin(angle),
                                   (k < 4 ? 0.5 : -0.5) * shape.length));
          }
          break;
        case ShapeKind::kCapsule:  // by the spheres at its ends
          foot.support = JointKind::kFree;
          foot.radius = shape.radius;
          for (const double end : {0.5, -0.5}) {
            foot.corner_count = 1;
            foot.corners[0] = place(0, 0, end * shape.length);
            add(setting, foot);
          }
          continue;
        case ShapeKind::kMesh: points = outermost(mesh_points(setting, shape)); break;
      }
      if (shape.kind != ShapeKind::kSphere) foot.support = JointKind::kFixed;
      foot.corner_count = static_cast<int>(points.size());
      std::copy(points.begin(), points.end(), foot.corners.begin());
      add(setting, foot);
    }
    if (found == 0) {
      setting.refuse(ErrorCode::kStructure,
                     fmt::format("is 'collision', and the link '{}' has no <collision> in the "
                                 "robot file; say what its foot is like with 'support'",
                                 name));
    }
  }

  std::vector<Vec3<double>> mesh_points(const Setting& setting, const LinkShape& shape) const {
    const auto path = find_mesh(shape.mesh, scenario_.robot_file);
    if (!path) {
      setting.refuse(ErrorCode::kFile, fmt::format("needs the mesh '{}' of link '{}', which is "
                                                   "nowhere to be found",
                                                   shape.mesh, shape.link));
    }
    const auto mesh = read_mesh(*path);
    if (!mesh) setting.refuse(mesh.error().code, mesh.error().text());
    std::vector<Vec3<double>> points;
    for (const Eigen::Vector3f& v : mesh->vertices) {
      const Eigen::Vector3d scaled = v.cast<double>().cwiseProduct(shape.scale);
      points.push_back(vector(shape.origin * scaled));
    }
    return points;
  }

  std::optional<std::string_view> xml_;
  Scenario& scenario_;
  SimulatorSettings& settings_;
  const Material common_;
  std::optional<std::vector<LinkShape>> shapes_;
};

}  // namespace

void read_feet(const Keys& keys, std::optional<std::string_view> xml, Scenario& scenario) {
  FeetReader reader(keys, xml, scenario);
  reader.read(keys.require("feet", "feet: [{link: left_foot, support: pin}]"));
}

}  // namespace stance
