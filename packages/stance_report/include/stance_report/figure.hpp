// A robot and its contacts as a 3-D viewer shows them: where links and centre of mass are, from what sensors say, and
// arrows for impulses.
#pragma once

#include <memory>
#include <string_view>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance {

class Figure {
 public:
  // The model must outlive it. All joints at zero, the base at the world's origin.
  explicit Figure(const Model& model);

  // False: no joint of one degree of freedom has this name, and nothing changes.
  bool set_joint(std::string_view name, double position) noexcept;
  void set_base(const Vec3<double>& position, const Quaternion& orientation) noexcept;

  // In the world.
  Transform<double> pose(FrameId frame) noexcept;
  Vec3<double> center_of_mass() noexcept;

 private:
  void update() noexcept;

  const Model& model_;
  Tree tree_;
  State state_;
  std::unique_ptr<Workspace> workspace_;
  bool stale_ = true;
};

struct Arrow {
  Vec3<double> tail, head;
  double shaft = 0, tip = 0;  // m, diameters
};

// From the point along the vector, `scale` metres for each of its units; not longer than `longest`. The thickness goes with
// the length, within what can be seen and does not hide the robot. A vector of zero, or not finite, has no length.
Arrow arrow_at(const Vec3<double>& point, const Vec3<double>& vector, double scale,
               double longest = 1) noexcept;

// How strongly something that happened `age` seconds ago still shows: 1 at once, 0 from `lifetime` on.
double fading(double age, double lifetime) noexcept;

}  // namespace stance
