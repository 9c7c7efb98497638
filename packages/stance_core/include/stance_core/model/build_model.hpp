// Description -> Model. Every check of the physics of a robot lives here and fails by name.
#pragma once

#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/model/description.hpp"
#include "stance_core/model/model.hpp"

namespace stance {

struct BuildOptions {
  bool mimic = true;     // false: mimic joints are free, as most other libraries have them
  bool armature = true;  // false: the bare rigid bodies
  // given to each joint that moves no inertia, which is refused otherwise; kg m², or kg for a slide
  double min_armature = 0;
  Vec3<double> gravity{0, 0, -9.81};
  Processor processor =
      best_processor();  // must run here; results differ by rounding between processors
};

// `remarks`, where given, receives the description's own remarks and those of the build: the load report.
Result<Model> build_model(const Description& description, const BuildOptions& options = {},
                          std::vector<Remark>* remarks = nullptr);

}  // namespace stance
