// The strict readers of elements and attributes.
#include "element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "refusal.hpp"
#include "tally.hpp"

namespace stance {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  for (auto begin = text.find_first_not_of(kSpace); begin != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kSpace, begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSpace, end);
  }
  return result;
}

// What the file has, cut short: a hostile attribute can be megabytes long.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, kLongest));
}

double parse_number(std::string_view word, const Element& element, const char* attribute,
                    double largest) {
  const auto fail = [&](std::string_view why) {
    refuse(ErrorCode::kValue, element, fmt::format("{} has {}, {}", attribute, quoted(word), why));
  };
  std::string_view digits = word;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (word.find("${") != word.npos || word.find("$(") != word.npos) {
    fail("a xacro expression that was not expanded; run xacro, or name the file .xacro");
  }
  if (status == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    fail("which is not a number; write it like 0.25 or 2.5e-1");
  }
  if (status == std::errc::result_out_of_range)
    fail("which no double can hold; give 0, or a number from 1e-300 to 1e300");
  if (!std::isfinite(value)) fail("which is not finite; give a finite number");
  if (std::abs(value) > largest) fail("which no robot has; check it and its unit");
  return value;
}

// A line break, a tab, or what a terminal would obey (0x00 to 0x1F, 0x7F, U+0080 to U+009F).
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0)
      return true;
  }
  return false;
}

[[noreturn]] void refuse_missing(const Element& element, const char* attribute) {
  refuse(ErrorCode::kStructure, element,
         fmt::format("the attribute '{}' is missing; add it", attribute));
}

bool contains(std::initializer_list<std::string_view> list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

void refuse(ErrorCode code, const Element& element, std::string_view sentence) {
  refuse(
      code, element.owner,
      fmt::format("<{}> in line {}: {}", element.xml.Name(), element.xml.GetLineNum(), sentence));
}

void refuse_unless_lenient(const Element& element, const Fault& fault, LoadReport& report) {
  if (!report.lenient) {
    refuse(fault.code, element,
           fmt::format("{}; {}, or load it with --lenient (lenient: yes), which {}", fault.what,
                       fault.remedy, fault.meaning));
  }
  report.tell(Remark::Kind::kLenient, element.owner,
              fmt::format("<{}> in line {}: {}; --lenient {}", element.xml.Name(),
                          element.xml.GetLineNum(), fault.what, fault.meaning));
}

std::optional<Element> child(const Element& element, const char* tag, LoadReport& report) {
  const auto* first = element.xml.FirstChildElement(tag);
  if (first == nullptr) return {};
  if (const auto* second = first->NextSiblingElement(tag); second != nullptr) {
    const std::string what = fmt::format("this is the second <{}>, the first is in line {}", tag,
                                         first->GetLineNum());
    refuse_unless_lenient(
        Element{*second, element.owner},
        {ErrorCode::kStructure, what, "keep one", "keeps the first, as the ROS tools do"}, report);
  }
  return Element{*first, element.owner};
}

Element required_child(const Element& element, const char* tag, std::string_view example,
                       LoadReport& report) {
  if (auto found = child(element, tag, report)) return *found;
  refuse(ErrorCode::kStructure, element,
         fmt::format("there is no <{}> in it; add {}", tag, example));
}

std::optional<std::string> text(const Element& element, const char* attribute) {
  const char* value = element.xml.Attribute(attribute);
  if (value == nullptr) return {};
  if (trimmed(value).empty()) {
    refuse(ErrorCode::kStructure, element,
           fmt::format("the attribute '{}' is empty; fill it in", attribute));
  }
  constexpr std::size_t kLongest = 1000;  // what is kept is shorter still, and has its own words
  const std::string_view all = value;
  if (all.size() > kLongest) {
    refuse(ErrorCode::kValue, element,
           fmt::format("the attribute '{}' has {} characters, beginning with {}; shorten it",
                       attribute, all.size(), quoted(all)));
  }
  if (has_control(all)) {
    refuse(ErrorCode::kValue, element,
           fmt::format(
               "the attribute '{}' holds a line break, a tab or a control character; remove it",
               attribute));
  }
  return value;
}

std::string required_text(const Element& element, const char* attribute) {
  if (auto value = text(element, attribute)) return *value;
  refuse_missing(element, attribute);
}

std::optional<double> number(const Element& element, const char* attribute, double largest) {
  const char* value = element.xml.Attribute(attribute);
  if (value == nullptr) return {};
  return parse_number(trimmed(value), element, attribute, largest);
}

double required_number(const Element& element, const char* attribute, double largest) {
  if (auto value = number(element, attribute, largest)) return *value;
  refuse_missing(element, attribute);
}

std::optional<Eigen::Vector3d> vector3(const Element& element, const char* attribute) {
  const char* value = element.xml.Attribute(attribute);
  if (value == nullptr) return {};
  const auto numbers = words(value);
  if (numbers.size() != 3) {
    refuse(ErrorCode::kValue, element,
           fmt::format("{} has {}, which is {} number{} where three are needed, such as \"0 0 1\"",
                       attribute, quoted(value), numbers.size(), numbers.size() == 1 ? "" : "s"));
  }
  Eigen::Vector3d result;
  for (int i = 0; i < 3; ++i) {
    result[i] = parse_number(numbers[static_cast<std::size_t>(i)], element, attribute,
                             kLargestMeasure);
  }
  return result;
}

Eigen::Vector3d required_vector3(const Element& element, const char* attribute) {
  if (auto value = vector3(element, attribute)) return *value;
  refuse_missing(element, attribute);
}

Eigen::Isometry3d origin(const Element& element, LoadReport& report) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  const auto pose = child(element, "origin", report);
  if (!pose) return X;
  if (pose->xml.Attribute("quat_xyzw") != nullptr) {
    refuse(ErrorCode::kUnsupported, *pose,
           "quat_xyzw is not part of URDF 1.0; give the rotation as rpy");
  }
  remark_unknown(*pose, {"xyz", "rpy"}, {}, report);
  X.translation() = vector3(*pose, "xyz").value_or(Eigen::Vector3d::Zero());
  const Eigen::Vector3d rpy = vector3(*pose, "rpy").value_or(Eigen::Vector3d::Zero());
  const double sr = std::sin(rpy.x()), cr = std::cos(rpy.x());
  const double sp = std::sin(rpy.y()), cp = std::cos(rpy.y());
  const double sy = std::sin(rpy.z()), cy = std::cos(rpy.z());
  // clang-format off
  X.linear() << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
                sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
                    -sp,                cp * sr,                cp * cr;
  // clang-format on
  return X;
}

void remark_unknown(const Element& element,
                    std::initializer_list<std::string_view> known_attributes,
                    std::initializer_list<std::string_view> known_children, LoadReport& report) {
  remark_unknown_attributes(element, known_attributes, report);
  remark_text(element, report);
  Tally unknown;
  for (const auto* xml = element.xml.FirstChildElement(); xml != nullptr;
       xml = xml->NextSiblingElement()) {
    if (!contains(known_children, xml->Name())) unknown.count(*xml);
  }
  for (const auto& [tag, kind] : unknown.kinds()) {
    report.tell(Remark::Kind::kIgnored, element.owner,
                fmt::format("unknown element <{}> in line {}{}", tag, kind.first_line,
                            kind.number == 1 ? "" : fmt::format(", {} of them", kind.number)));
  }
  if (unknown.others() > 0) {
    report.tell(Remark::Kind::kIgnored, element.owner,
                fmt::format("unknown elements of still other names, {} of them", unknown.others()));
  }
}

void remark_unknown_attributes(const Element& element,
                               std::initializer_list<std::string_view> known_attributes,
                               LoadReport& report) {
  std::vector<std::string> unknown;
  for (const auto* a = element.xml.FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view name = a->Name();
    if (!contains(known_attributes, name) && !name.starts_with("xmlns"))
      unknown.push_back(quoted(name));
  }
  if (unknown.empty()) return;
  const std::size_t count = unknown.size();
  std::string more;
  if (count > kMostTold) {
    unknown.resize(kMostTold);
    more = fmt::format(" and {} more", count - kMostTold);
  }
  report.tell(
      Remark::Kind::kIgnored, element.owner,
      fmt::format("unknown attribute{} {}{} of <{}> in line {}", count > 1 ? "s" : "",
                  fmt::join(unknown, ", "), more, element.xml.Name(), element.xml.GetLineNum()));
}

void remark_text(const Element& element, LoadReport& report) {
  std::size_t texts = 0;
  for (const auto* node = element.xml.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() == nullptr || ++texts > kMostTold) continue;
    report.tell(Remark::Kind::kIgnored, element.owner,
                fmt::format("text in <{}> in line {}: {}", element.xml.Name(), node->GetLineNum(),
                            quoted(trimmed(node->Value()))));
  }
  if (texts > kMostTold) {
    report.tell(
        Remark::Kind::kIgnored, element.owner,
        fmt::format("text in <{}> in {} more places", element.xml.Name(), texts - kMostTold));
  }
}

}  // namespace stance
