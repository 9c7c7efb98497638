#include "mesh_thinning.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance::report {
namespace {

// A sphere of radius 1 about (2, 0, -1) from rings and slices, outwards.
ReplayMesh sphere(int rings, int slices) {
  ReplayMesh mesh;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < slices; ++j) {
      const double a = M_PI * i / rings, b = 2 * M_PI * j / slices;
      mesh.vertices.push_back({static_cast<float>(2 + std::sin(a) * std::cos(b)),
                               static_cast<float>(std::sin(a) * std::sin(b)),
                               static_cast<float>(-1 + std::cos(a))});
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < slices; ++j) {
      const int p = i * slices + j, q = i * slices + (j + 1) % slices;
      mesh.triangles.push_back({p, p + slices, q});
      mesh.triangles.push_back({q, p + slices, q + slices});
    }
  }
  return mesh;
}

double volume(const ReplayMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](int k) {
      const auto& v = mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
      return Vec3<double>(static_cast<double>(v[0]), static_cast<double>(v[1]),
                          static_cast<double>(v[2]));
    };
    sum += dot(p(0), cross(p(1), p(2))) / 6;
  }
  return sum;
}

TEST(MeshThinning, KeepsTheShapeOfASphere) {
  const ReplayMesh fine = sphere(200, 400);
  ASSERT_NEAR(volume(fine), 4 * M_PI / 3, 1e-2);
  const ReplayMesh coarse = thinned(fine, 6000);
  EXPECT_LE(coarse.triangles.size(), 6000U);
  EXPECT_GT(coarse.triangles.size(), 1500U);  // no more is lost than must be
  // cells are about 1/20 of the radius: chords of that take off half its square of the radius, three times that of the volume
  EXPECT_NEAR(volume(coarse) / volume(fine), 1, 0.01);
  for (const auto& v : coarse.vertices) {
    const double r = std::hypot(static_cast<double>(v[0]) - 2, static_cast<double>(v[1]),
                                static_cast<double>(v[2]) + 1);
    EXPECT_NEAR(r, 1, 0.02);
  }
}

TEST(MeshThinning, LeavesSmallMeshesAlone) {
  const ReplayMesh mesh = sphere(5, 8);
  EXPECT_EQ(thinned(mesh, mesh.triangles.size()).vertices, mesh.vertices);
}

}  // namespace
}  // namespace stance::report
