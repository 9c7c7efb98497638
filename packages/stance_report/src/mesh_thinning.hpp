// Fewer triangles for a mesh that is only looked at.
#pragma once

#include "stance_report/replay.hpp"

namespace stance::report {

// Corners in one cell of a grid become one, at their mean; triangles that have no three cells left go. The finest grid that
// leaves not more than `most` triangles is taken.
ReplayMesh thinned(const ReplayMesh& mesh, std::size_t most);

}  // namespace stance::report
