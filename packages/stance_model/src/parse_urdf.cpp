// URDF text -> Description: the <robot> element and the list of what stands in it.
#include "stance_model/parse_urdf.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "element.hpp"
#include "read_joint.hpp"
#include "read_link.hpp"
#include "refusal.hpp"
#include "tally.hpp"
#include "xml_document.hpp"

namespace stance {
namespace {

void tell_unused(const Tally& tally, LoadReport& report) {
  for (const auto& [tag, kind] : tally.kinds()) {
    report.tell(Remark::Kind::kIgnored, fmt::format("<{}>", tag),
                fmt::format("{} of them, the first in line {}, not used by the dynamics",
                            kind.number, kind.first_line));
  }
  if (tally.others() > 0) {
    report.tell(
        Remark::Kind::kIgnored, "<robot>",
        fmt::format("{} elements of still other names, not used by the dynamics", tally.others()));
  }
}

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

std::string read_name(const Element& robot, const ParseOptions& options, LoadReport& report) {
  const char* name = robot.xml.Attribute("name");
  if (name != nullptr && std::string_view(name).find_first_not_of(" \t\r\n") != std::string::npos)
    return required_text(robot, "name");
  const std::string meaning = fmt::format("names the robot '{}', as its file", options.name);
  refuse_unless_lenient(
      robot,
      {ErrorCode::kStructure,
       name == nullptr ? "the attribute 'name' is missing" : "the attribute 'name' is empty",
       name == nullptr ? "add it" : "fill it in", meaning},
      report);
  return options.name;
}

using Elements = std::vector<const tinyxml2::XMLElement*>;

// What joints say of other links and joints, as far as it can be mended: build_model judges the rest.
void settle_references(const Elements& joint_elements, Description& robot, LoadReport& report) {
  std::unordered_set<std::string> links, joints;
  for (const LinkDescription& link : robot.links) links.insert(link.name);
  for (const JointDescription& joint : robot.joints) joints.insert(joint.name);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    JointDescription& joint = robot.joints[i];
    const Element element{*joint_elements[i], fmt::format("joint '{}'", joint.name)};
    if (joint.parent == "world" && links.insert("world").second) {
      refuse_unless_lenient(element,
                            {ErrorCode::kStructure, "its parent link 'world' does not exist",
                             "add <link name=\"world\"/>", "adds the link, without inertia"},
                            report);
      robot.links.insert(robot.links.begin(), LinkDescription{"world", {}});
    }
    if (joint.mimic && !joints.contains(joint.mimic->joint)) {
      const std::string what = fmt::format("mimics joint '{}', which does not exist",
                                           joint.mimic->joint);
      refuse_unless_lenient(
          element, {ErrorCode::kMimic, what, "correct the name", "lets it move on its own"},
          report);
      joint.mimic.reset();
    }
  }
}

Description read_robot(const tinyxml2::XMLElement& root, const ParseOptions& options,
                       std::vector<Remark> remarks) {
  require_robot(root);
  Description result;
  result.remarks = std::move(remarks);
  LoadReport report{result.remarks, options.lenient};
  result.name = read_name(Element{root, "robot"}, options, report);
  const Element robot{root, fmt::format("robot '{}'", result.name)};
  Names links, joints;
  Tally tally;
  Elements joint_elements;
  for (const auto* xml = root.FirstChildElement(); xml != nullptr;
       xml = xml->NextSiblingElement()) {
    const std::string_view tag = xml->Name();
    if (tag == "link") {
      result.links.push_back(read_link(*xml, report));
      const std::string& name = result.links.back().name;
      links.add(name, Element{*xml, fmt::format("link '{}'", name)});
      count_shapes(*xml, tally);
    } else if (tag == "joint") {
      result.joints.push_back(read_joint(*xml, report));
      joint_elements.push_back(xml);
      const std::string& name = result.joints.back().name;
      joints.add(name, Element{*xml, fmt::format("joint '{}'", name)});
    } else if (tag == "stance") {
      refuse(ErrorCode::kStructure, Element{*xml, robot.owner},
             "our extension belongs inside a <joint>; move it there");
    } else if (tag.starts_with("xacro:")) {
      refuse_unless_lenient(Element{*xml, robot.owner},
                            {ErrorCode::kSyntax, "this xacro element was not expanded",
                             "run xacro, name the file .xacro, or give --xacro",
                             "leaves it out, as the ROS tools do"},
                            report);
    } else {
      tally.count(*xml);
    }
  }
  settle_references(joint_elements, result, report);
  remark_unknown_attributes(robot, {"name", "version"}, report);
  remark_text(robot, report);
  tell_unused(tally, report);
  return result;
}

}  // namespace

Result<Description> parse_urdf(std::string_view xml, const ParseOptions& options) {
  try {
    tinyxml2::XMLDocument document;
    std::vector<Remark> remarks;
    LoadReport report{remarks, options.lenient};
    const tinyxml2::XMLElement& root = parse_xml(xml, document, report);
    return read_robot(root, options, std::move(remarks));
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
