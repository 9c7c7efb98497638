// URDF text -> the shapes of its links. As strict as parse_urdf: a shape that is read wrongly is worse than none.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "element.hpp"
#include "refusal.hpp"
#include "stance_model/geometry.hpp"
#include "xml_document.hpp"

namespace stance {
namespace {

using Color = std::array<double, 4>;
using Palette = std::map<std::string, Color>;  // materials of the robot, by name

double positive(const Element& element, const char* attribute) {
  const double value = required_number(element, attribute);
  if (value > 0) return value;
  refuse(ErrorCode::kValue, element,
         fmt::format("{} has {}; a shape needs a positive one", attribute, value));
}

std::optional<Color> read_color(const Element& material, LoadReport& report) {
  const auto color = child(material, "color", report);
  if (!color) return {};
  const std::string text = required_text(*color, "rgba");
  Color rgba{};
  std::size_t at = 0, count = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (count == rgba.size() || error != std::errc() || stop != text.data() + end ||
        !(value >= 0 && value <= 1)) {
      count = 0;
      break;
    }
    rgba[count++] = value;
    at = end;
  }
  if (count != rgba.size()) {
    refuse(ErrorCode::kValue, *color,
           "rgba must be four numbers from 0 to 1, such as \"0.8 0.2 0.1 1\"");
  }
  return rgba;
}

void read_solid(const Element& geometry, LinkShape& shape, LoadReport& report) {
  const tinyxml2::XMLElement* xml = geometry.xml.FirstChildElement();
  const std::string_view wanted =
      "one of <box size>, <sphere radius>, <cylinder radius length>, <capsule radius length>, "
      "<mesh filename>";
  if (xml == nullptr)
    refuse(ErrorCode::kStructure, geometry, fmt::format("there is no shape in it; add {}", wanted));
  if (const auto* second = xml->NextSiblingElement(); second != nullptr) {
    refuse(ErrorCode::kStructure, Element{*second, geometry.owner},
           "this is the second shape of one <geometry>; give each a <visual> or <collision> of "
           "its own");
  }
  const Element solid{*xml, geometry.owner};
  const std::string_view tag = xml->Name();
  if (tag == "box") {
    remark_unknown(solid, {"size"}, {}, report);
    shape.kind = ShapeKind::kBox;
    shape.size = required_vector3(solid, "size");
    if (!(shape.size.minCoeff() > 0))
      refuse(ErrorCode::kValue, solid, "size must be three positive lengths");
  } else if (tag == "sphere") {
    remark_unknown(solid, {"radius"}, {}, report);
    shape.kind = ShapeKind::kSphere;
    shape.radius = positive(solid, "radius");
  } else if (tag == "cylinder" || tag == "capsule") {
    remark_unknown(solid, {"radius", "length"}, {}, report);
    shape.kind = tag == "cylinder" ? ShapeKind::kCylinder : ShapeKind::kCapsule;
    shape.radius = positive(solid, "radius");
    shape.length = positive(solid, "length");
  } else if (tag == "mesh") {
    remark_unknown(solid, {"filename", "scale"}, {}, report);
    shape.kind = ShapeKind::kMesh;
    shape.mesh = required_text(solid, "filename");
    shape.scale = vector3(solid, "scale").value_or(Eigen::Vector3d::Ones());
    if ((shape.scale.array() == 0).any())
      refuse(ErrorCode::kValue, solid, "scale has a zero, which leaves nothing of the mesh");
  } else {
    refuse(ErrorCode::kUnsupported, solid, fmt::format("is no shape we know; use {}", wanted));
  }
}

LinkShape read_shape(const Element& element, LinkShape::Use use, const std::string& link,
                     const Palette& palette, LoadReport& report) {
  remark_unknown(element, {"name"}, {"origin", "geometry", "material"}, report);
  LinkShape shape;
  shape.use = use;
  shape.link = link;
  shape.line = element.xml.GetLineNum();
  if (element.xml.Attribute("name") != nullptr && *element.xml.Attribute("name") != '\0')
    shape.name = required_text(element, "name");
  shape.origin = origin(element, report);
  const auto geometry = required_child(element, "geometry", "<geometry> with a shape in it",
                                       report);
  remark_unknown(geometry, {}, {"box", "sphere", "cylinder", "capsule", "mesh"}, report);
  read_solid(geometry, shape, report);
  if (const auto material = child(element, "material", report)) {
    shape.color = read_color(*material, report);
    const char* name = material->xml.Attribute("name");
    const auto known = palette.find(name != nullptr ? name : "");
    if (!shape.color && known != palette.end()) shape.color = known->second;
  }
  return shape;
}

Palette read_palette(const tinyxml2::XMLElement& robot, LoadReport& report) {
  Palette palette;
  for (const auto* xml = robot.FirstChildElement("material"); xml != nullptr;
       xml = xml->NextSiblingElement("material")) {
    const Element material{*xml, "robot"};
    const auto color = read_color(material, report);  // a texture alone has none
    if (const char* name = xml->Attribute("name"); name != nullptr && color)
      palette.emplace(name, *color);
  }
  return palette;
}

}  // namespace

Result<std::vector<LinkShape>> parse_geometry(std::string_view xml, std::vector<Remark>* remarks,
                                              bool lenient) {
  try {
    tinyxml2::XMLDocument document;
    std::vector<Remark> unused;
    LoadReport report{remarks ? *remarks : unused, lenient};
    const tinyxml2::XMLElement& robot = parse_xml(xml, document, report);
    const Palette palette = read_palette(robot, report);
    std::vector<LinkShape> shapes;
    for (const auto* link = robot.FirstChildElement("link"); link != nullptr;
         link = link->NextSiblingElement("link")) {
      const std::string name = required_text(Element{*link, "link"}, "name");
      for (const auto* part = link->FirstChildElement(); part != nullptr;
           part = part->NextSiblingElement()) {
        const std::string_view tag = part->Name();
        if (tag != "visual" && tag != "collision") continue;
        const auto use = tag == "visual" ? LinkShape::Use::kVisual : LinkShape::Use::kCollision;
        const Element element{*part, fmt::format("link '{}'", name)};
        shapes.push_back(read_shape(element, use, name, palette, report));
      }
    }
    return shapes;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

Result<std::vector<LinkShape>> read_geometry(const std::filesystem::path& robot_file,
                                             const LoadOptions& options) {
  const auto text = read_robot_file(robot_file, options);
  if (!text) return text.error();
  auto shapes = parse_geometry(*text, nullptr, options.lenient);
  if (shapes) return shapes;
  Error error = shapes.error();
  error.message += fmt::format(" (file '{}')", robot_file.string());
  return error;
}

}  // namespace stance
