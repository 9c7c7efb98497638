// An element of the file and the link or joint it belongs to, so that every complaint names both; and the strict
// readers of its attributes. A number is read whole, in the C locale, and must be finite.
#pragma once

#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/model/description.hpp"

namespace stance {

struct Element {
  const tinyxml2::XMLElement& xml;
  std::string owner;  // such as "joint 'knee'"
};

// What is to be said of a file, and how strictly it is read.
struct LoadReport {
  std::vector<Remark>& remarks;
  bool lenient = false;

  void tell(Remark::Kind kind, std::string element, std::string text) {
    remarks.push_back({kind, std::move(element), std::move(text)});
  }
};

// Throws a Refusal: "<axis> in line 42: sentence".
[[noreturn]] void refuse(ErrorCode code, const Element& element, std::string_view sentence);

// A fault that has one obvious meaning.
struct Fault {
  ErrorCode code;
  std::string_view what;     // "there is no <inertia> in it"
  std::string_view remedy;   // "add it"
  std::string_view meaning;  // "takes a point mass", what --lenient does
};
// Strictly it is refused, and the refusal says what --lenient would do; leniently it is told.
void refuse_unless_lenient(const Element& element, const Fault& fault, LoadReport& report);

// The child of that tag, if any. Two of them are a fault: which one is meant?
std::optional<Element> child(const Element& element, const char* tag, LoadReport& report);
Element required_child(const Element& element, const char* tag, std::string_view example,
                       LoadReport& report);

std::optional<std::string> text(const Element& element, const char* attribute);
std::string required_text(const Element& element, const char* attribute);

// The largest length, mass or gain there can be. Products of a few such numbers are finite still.
inline constexpr double kLargestMeasure = 1e50;
// Limits are never multiplied, and files write "none" as the largest double.
inline constexpr double kLargestLimit = std::numeric_limits<double>::max();

std::optional<double> number(const Element& element, const char* attribute,
                             double largest = kLargestMeasure);
double required_number(const Element& element, const char* attribute,
                       double largest = kLargestMeasure);

std::optional<Eigen::Vector3d> vector3(const Element& element, const char* attribute);
Eigen::Vector3d required_vector3(const Element& element, const char* attribute);

// <origin xyz rpy>, identity where absent. rpy turns about the fixed x, then y, then z: R = Rz(y) Ry(p) Rx(r).
Eigen::Isometry3d origin(const Element& element, LoadReport& report);

// A remark on the attributes, and one on each child element and text, of `element` that are in neither list.
void remark_unknown(const Element& element,
                    std::initializer_list<std::string_view> known_attributes,
                    std::initializer_list<std::string_view> known_children, LoadReport& report);
void remark_unknown_attributes(const Element& element,
                               std::initializer_list<std::string_view> known_attributes,
                               LoadReport& report);
void remark_text(const Element& element, LoadReport& report);

}  // namespace stance
