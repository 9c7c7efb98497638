#include "mesh_thinning.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace stance::report {
namespace {

ReplayMesh on_grid(const ReplayMesh& mesh, const std::array<float, 3>& corner, float cell) {
  struct Mean {
    int index = 0;
    double count = 0;
    std::array<double, 3> sum{};
  };
  std::map<std::array<int, 3>, Mean> cells;
  std::vector<int> cell_of;
  for (const auto& vertex : mesh.vertices) {
    std::array<int, 3> key{};
    for (std::size_t i = 0; i < 3; ++i)
      key[i] = static_cast<int>(std::floor((vertex[i] - corner[i]) / cell));
    const auto [entry, is_new] = cells.try_emplace(key);
    Mean& mean = entry->second;
    if (is_new) mean.index = static_cast<int>(cells.size()) - 1;
    ++mean.count;
    for (std::size_t i = 0; i < 3; ++i) mean.sum[i] += static_cast<double>(vertex[i]);
    cell_of.push_back(mean.index);
  }
  ReplayMesh result;
  result.vertices.resize(cells.size());
  for (const auto& [key, mean] : cells) {
    for (std::size_t i = 0; i < 3; ++i)
      result.vertices[static_cast<std::size_t>(mean.index)][i] = static_cast<float>(mean.sum[i] /
                                                                                    mean.count);
  }
  std::set<std::array<int, 3>> seen;
  for (const auto& triangle : mesh.triangles) {
    std::array<int, 3> t{};
    for (std::size_t i = 0; i < 3; ++i) t[i] = cell_of[static_cast<std::size_t>(triangle[i])];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::ranges::rotate(t, std::ranges::min_element(t));  // the same triangle begins alike
    if (seen.insert(t).second) result.triangles.push_back(t);
  }
  return result;
}

}  // namespace

ReplayMesh thinned(const ReplayMesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  std::array<float, 3> least = mesh.vertices.front(), largest = least;
  for (const auto& vertex : mesh.vertices) {
    for (std::size_t i = 0; i < 3; ++i)
      least[i] = std::min(least[i], vertex[i]), largest[i] = std::max(largest[i], vertex[i]);
  }
  float extent = 0;
  for (std::size_t i = 0; i < 3; ++i) extent = std::max(extent, largest[i] - least[i]);
  for (float cells = 512;; cells *= 0.75F) {
    ReplayMesh result = on_grid(mesh, least, extent / cells);
    if (result.triangles.size() <= most || cells < 4) return result;
  }
}

}  // namespace stance::report
