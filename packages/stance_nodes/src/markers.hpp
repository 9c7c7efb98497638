// Markers from places and arrows. Each is a message on its own; namespaces are contacts, impulses, root and center_of_mass.
#pragma once

#include <string>

#include "stance_report/figure.hpp"
#include "visualization_msgs/msg/marker.hpp"

namespace stance_nodes {

struct Colour {
  float r = 0, g = 0, b = 0;
};
inline constexpr Colour kContactColour{0.2F, 0.7F, 0.3F}, kSlipColour{0.95F, 0.6F, 0.1F},
    kImpulseColour{0.85F, 0.2F, 0.2F}, kRootColour{0.2F, 0.4F, 0.85F},
    kMassColour{0.5F, 0.5F, 0.5F};

// Where it belongs; the rest is filled by those below.
struct MarkerId {
  std_msgs::msg::Header header;
  std::string ns;
  int id = 0;
};

visualization_msgs::msg::Marker sphere(const MarkerId& id, const stance::Vec3<double>& centre,
                                       double diameter, const Colour& colour);
// A flat cylinder, its axis along z.
visualization_msgs::msg::Marker disc(const MarkerId& id, const stance::Vec3<double>& centre,
                                     double diameter, const Colour& colour);
visualization_msgs::msg::Marker arrow(const MarkerId& id, const stance::Arrow& shape,
                                      const Colour& colour, double opacity);
visualization_msgs::msg::Marker removal(const MarkerId& id);

}  // namespace stance_nodes
