#include "markers.hpp"

namespace stance_nodes {

using visualization_msgs::msg::Marker;

namespace {

Marker marker(const MarkerId& id, int type, const Colour& colour, double opacity) {
  Marker m;
  m.header = id.header;
  m.ns = id.ns;
  m.id = id.id;
  m.type = type;
  m.action = Marker::ADD;
  m.pose.orientation.w = 1;
  m.color.r = colour.r, m.color.g = colour.g, m.color.b = colour.b;
  m.color.a = static_cast<float>(opacity);
  return m;
}

geometry_msgs::msg::Point point(const stance::Vec3<double>& p) {
  geometry_msgs::msg::Point to;
  to.x = p.x, to.y = p.y, to.z = p.z;
  return to;
}

Marker round(const MarkerId& id, int type, const stance::Vec3<double>& centre, double diameter,
             double height, const Colour& colour) {
  Marker m = marker(id, type, colour, 1);
  m.pose.position = point(centre);
  m.scale.x = m.scale.y = diameter;
  m.scale.z = height;
  return m;
}

}  // namespace

Marker sphere(const MarkerId& id, const stance::Vec3<double>& centre, double diameter,
              const Colour& colour) {
  return round(id, Marker::SPHERE, centre, diameter, diameter, colour);
}

Marker disc(const MarkerId& id, const stance::Vec3<double>& centre, double diameter,
            const Colour& colour) {
  return round(id, Marker::CYLINDER, centre, diameter, 0.002, colour);
}

Marker arrow(const MarkerId& id, const stance::Arrow& shape, const Colour& colour, double opacity) {
  Marker m = marker(id, Marker::ARROW, colour, opacity);
  m.points = {point(shape.tail), point(shape.head)};
  m.scale.x = shape.shaft;
  m.scale.y = shape.tip;
  return m;
}

Marker removal(const MarkerId& id) {
  Marker m = marker(id, Marker::SPHERE, {}, 0);
  m.action = Marker::DELETE;
  return m;
}

}  // namespace stance_nodes
