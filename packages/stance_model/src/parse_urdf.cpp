// URDF text -> Description: the <robot> element and the list of what stands in it.
#include "stance_model/parse_urdf.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <unordered_map>

#include "element.hpp"
#include "read_joint.hpp"
#include "read_link.hpp"
#include "refusal.hpp"
#include "xml_document.hpp"

namespace stance {
namespace {

// Elements that are not used are told once a kind, with their number: a robot has hundreds of shapes.
class Tally {
 public:
  void count(const tinyxml2::XMLElement& element) {
    auto& entry = kinds_[element.Name()];
    if (entry.number++ == 0) entry.first_line = element.GetLineNum();
  }
  void tell(std::vector<Remark>& remarks) const {
    for (const auto& [tag, kind] : kinds_) {
      remarks.push_back({Remark::Kind::kIgnored, fmt::format("<{}>", tag),
                         fmt::format("{} of them, the first in line {}, not used by the dynamics",
                                     kind.number, kind.first_line)});
    }
  }

 private:
  struct Kind {
    int number = 0;
    int first_line = 0;
  };
  std::map<std::string, Kind> kinds_;
};

// Refuses a name that was there before.
class Names {
 public:
  void add(const std::string& name, const Element& element) {
    const auto [entry, is_new] = line_.emplace(name, element.xml.GetLineNum());
    if (is_new) return;
    refuse(
        ErrorCode::kStructure, element,
        fmt::format("the name is taken by the one in line {}; rename one of them", entry->second));
  }

 private:
  std::unordered_map<std::string, int> line_;
};

void count_shapes(const tinyxml2::XMLElement& link, Tally& tally) {
  for (const auto* xml = link.FirstChildElement(); xml != nullptr;
       xml = xml->NextSiblingElement()) {
    const std::string_view tag = xml->Name();
    if (tag == "visual" || tag == "collision") tally.count(*xml);
  }
}

void require_robot(const tinyxml2::XMLElement& root) {
  const std::string_view tag = root.Name();
  if (tag == "sdf") {
    refuse(ErrorCode::kUnsupported, Element{root, {}}, "this is an SDF file; give a URDF file");
  }
  if (tag != "robot") {
    refuse(ErrorCode::kSyntax, Element{root, {}}, "a URDF file begins with <robot name=\"...\">");
  }
  const Element robot{root, "robot"};
  const auto version = text(robot, "version");
  if (version && *version != "1.0" && *version != "1") {
    refuse(ErrorCode::kUnsupported, robot,
           fmt::format("version {} of URDF is not supported; 1.0 is", *version));
  }
}

Description read_robot(const tinyxml2::XMLElement& root) {
  require_robot(root);
  Description result;
  result.name = required_text(Element{root, "robot"}, "name");
  const Element robot{root, fmt::format("robot '{}'", result.name)};
  Names links, joints;
  Tally tally;
  for (const auto* xml = root.FirstChildElement(); xml != nullptr;
       xml = xml->NextSiblingElement()) {
    const std::string_view tag = xml->Name();
    if (tag == "link") {
      result.links.push_back(read_link(*xml, result.remarks));
      const std::string& name = result.links.back().name;
      links.add(name, Element{*xml, fmt::format("link '{}'", name)});
      count_shapes(*xml, tally);
    } else if (tag == "joint") {
      result.joints.push_back(read_joint(*xml, result.remarks));
      const std::string& name = result.joints.back().name;
      joints.add(name, Element{*xml, fmt::format("joint '{}'", name)});
    } else if (tag == "stance") {
      refuse(ErrorCode::kStructure, Element{*xml, robot.owner},
             "our extension belongs inside a <joint>; move it there");
    } else if (tag.starts_with("xacro:")) {
      refuse(ErrorCode::kSyntax, Element{*xml, robot.owner},
             "this xacro element was not expanded; run xacro, name the file .xacro, or give --xacro");
    } else {
      tally.count(*xml);
    }
  }
  remark_unknown_attributes(robot, {"name", "version"}, result.remarks);
  remark_text(robot, result.remarks);
  tally.tell(result.remarks);
  return result;
}

}  // namespace

Result<Description> parse_urdf(std::string_view xml) {
  try {
    tinyxml2::XMLDocument document;
    return read_robot(parse_xml(xml, document));
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
