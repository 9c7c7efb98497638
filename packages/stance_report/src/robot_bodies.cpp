// What the bodies of a robot look like.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "mesh_thinning.hpp"
#include "stance_report/robot_replay.hpp"

namespace stance {

using namespace report;

namespace {

constexpr std::size_t kMostTriangles = 6000;  // of one mesh: what can be told apart on a screen
constexpr double kPointMassDensity = 2000;    // kg/m³, of the ball a point mass is drawn as

Transform<double> transform(const Pose& pose) {
  return {Mat3<double>(Eigen::Matrix3d(pose.linear())),
          Vec3<double>(Eigen::Vector3d(pose.translation()))};
}

// Reads each mesh once.
class MeshShelf {
 public:
  MeshShelf(std::filesystem::path robot_file, std::vector<ReplayMesh>& meshes,
            std::vector<std::string>& notes)
      : robot_file_(std::move(robot_file)), meshes_(meshes), notes_(notes) {}

  std::optional<int> find(const std::string& name) {
    const auto [entry, is_new] = known_.emplace(name, std::nullopt);
    if (is_new) entry->second = read(name);
    return entry->second;
  }
  // A sentence for all that are missing.
  void tell() {
    if (!missing_.empty()) {
      notes_.push_back(fmt::format(
          "{} of {} meshes of the robot file not shown, such as {}: what else the file has of "
          "these links is",
          missing_.size(), known_.size(), missing_.front()));
    }
    if (thinned_ > 0)
      notes_.push_back(
          fmt::format("{} meshes shown with fewer triangles than they have", thinned_));
  }

 private:
  std::optional<int> read(const std::string& name) {
    const auto path = find_mesh(name, robot_file_);
    if (!path) {
      missing_.push_back(fmt::format("'{}' (not found)", name));
      return {};
    }
    const auto mesh = read_mesh(*path);
    if (!mesh) {
      missing_.push_back(mesh.error().text());
      return {};
    }
    ReplayMesh copy;
    for (const auto& v : mesh->vertices) copy.vertices.push_back({v.x(), v.y(), v.z()});
    copy.triangles = mesh->triangles;
    if (copy.triangles.size() > kMostTriangles) {
      copy = thinned(copy, kMostTriangles);
      ++thinned_;
    }
    meshes_.push_back(std::move(copy));
    return static_cast<int>(meshes_.size()) - 1;
  }

  std::filesystem::path robot_file_;
  std::vector<ReplayMesh>& meshes_;
  std::vector<std::string>& notes_;
  std::map<std::string, std::optional<int>> known_;
  std::vector<std::string> missing_;
  int thinned_ = 0;
};

std::optional<ReplayShape> replay_shape(const LinkShape& shape, MeshShelf& shelf) {
  ReplayShape result;
  result.X_BS = transform(shape.origin);
  result.color = shape.color;
  switch (shape.kind) {
    case ShapeKind::kBox:
      result.kind = ReplayShape::Kind::kBox;
      result.size = Vec3<double>(shape.size);
      break;
    case ShapeKind::kSphere:
      result.kind = ReplayShape::Kind::kSphere;
      result.size = {shape.radius, 0, 0};
      break;
    case ShapeKind::kCylinder:
    case ShapeKind::kCapsule:
      result.kind = shape.kind == ShapeKind::kCylinder ? ReplayShape::Kind::kCylinder
                                                       : ReplayShape::Kind::kCapsule;
      result.size = {shape.radius, 0, shape.length};
      break;
    case ShapeKind::kMesh: {
      const auto mesh = shelf.find(shape.mesh);
      if (!mesh) return {};
      result.kind = ReplayShape::Kind::kMesh;
      result.size = Vec3<double>(shape.scale);
      result.mesh = *mesh;
      break;
    }
  }
  return result;
}

// All shapes of a link for one use; none if one of them cannot be had.
std::vector<ReplayShape> shapes_of(const std::string& link, LinkShape::Use use,
                                   const std::vector<LinkShape>& shapes, MeshShelf& shelf) {
  std::vector<ReplayShape> result;
  for (const LinkShape& shape : shapes) {
    if (shape.link != link || shape.use != use) continue;
    const auto replay = replay_shape(shape, shelf);
    if (!replay) return {};
    result.push_back(*replay);
  }
  return result;
}

// ---- sticks and boxes

ReplayShape stick(const Vec3<double>& to, double radius) {
  const double length = norm(to);
  return {ReplayShape::Kind::kCapsule, {z_onto(to * (1 / length)), to * 0.5}, {radius, 0, length}};
}

// The box of even density with this mass and inertia, in its principal axes: m (b² + c²) / 12 about the first, and so on.
// What is no more than a point of mass is a ball.
ReplayShape inertia_box(const RigidInertia<double>& I) {
  const Vec3<double> c = I.h * (1 / I.m);
  const Sym3<double> away = point_inertia(-I.m, c);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes((I.I + away).eigen());
  Eigen::Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(0) = -R.col(0);
  const Eigen::Vector3d moment = axes.eigenvalues().cwiseMax(0);
  const double ball = std::cbrt(I.m * 3 / (4 * M_PI * kPointMassDensity));
  Vec3<double> size;
  double* const length[3] = {&size.x, &size.y, &size.z};
  for (int i = 0; i < 3; ++i) {
    const double squared = 6 * (moment.sum() - 2 * moment[i]) / I.m;
    *length[i] = std::sqrt(std::max(squared, 0.0));
  }
  if (std::max({size.x, size.y, size.z}) < ball)
    return {ReplayShape::Kind::kSphere, {Mat3<double>::identity(), c}, {ball, 0, 0}};
  for (double* each : length) *each = std::max(*each, ball / 2);
  return {ReplayShape::Kind::kBox, {Mat3<double>(R), c}, size};
}

// To the joints of its children and to its frames, which are far enough to be seen.
std::vector<ReplayShape> stick_figure(const Model& model, int body, double scale) {
  std::vector<ReplayShape> shapes;
  const double shortest = 0.02 * scale, radius = 0.012 * scale;
  const auto to = [&](const Vec3<double>& p) {
    if (norm(p) > shortest) shapes.push_back(stick(p, radius));
  };
  for (int i = 1; i < model.body_count; ++i)
    if (int{model.bodies[i].parent} == body) to(model.joints[i].X_PN.p);
  for (int f = 0; f < model.frame_count; ++f)
    if (int{model.frames[f].body} == body) to(model.frames[f].X_HF.p);
  const RigidInertia<double>& I = model.bodies[body].I;
  if (I.m > 0) {
    ReplayShape box = inertia_box(I);
    box.color = std::array<double, 4>{0.55, 0.6, 0.68, 0.55};
    shapes.push_back(box);
  }
  return shapes;
}

// The longest way from the root to a joint or frame.
double size_of(const Model& model) {
  std::vector<double> reach(static_cast<std::size_t>(model.body_count), 0);
  double most = 0;
  for (int i = 0; i < model.body_count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i > 0)
      reach[at] = reach[static_cast<std::size_t>(int{model.bodies[i].parent})] +
                  norm(model.joints[i].X_PN.p);
    for (int f = 0; f < model.frame_count; ++f)
      if (int{model.frames[f].body} == i)
        most = std::max(most, reach[at] + norm(model.frames[f].X_HF.p));
  }
  return most > 0 ? most : 1;
}

}  // namespace

std::vector<ReplayBody> robot_bodies(const Model& model, const std::vector<LinkShape>& shapes,
                                     const std::filesystem::path& robot_file,
                                     std::vector<ReplayMesh>& meshes,
                                     std::vector<std::string>& notes) {
  std::vector<ReplayBody> bodies;
  for (int i = 0; i < model.body_count; ++i) {
    ReplayBody body;
    body.name = model.frames[model.bodies[i].link].name.view();
    body.parent = i == 0 ? -1 : int{model.bodies[i].parent};
    bodies.push_back(std::move(body));
  }
  MeshShelf shelf(robot_file, meshes, notes);
  for (int f = 0; f < model.frame_count; ++f) {
    const Frame& frame = model.frames[f];
    const std::string link(frame.name.view());
    auto found = shapes_of(link, LinkShape::Use::kVisual, shapes, shelf);
    if (found.empty()) found = shapes_of(link, LinkShape::Use::kCollision, shapes, shelf);
    for (ReplayShape& shape : found) {
      shape.X_BS = frame.X_HF * shape.X_BS;
      bodies[static_cast<std::size_t>(int{frame.body})].shapes.push_back(shape);
    }
  }
  shelf.tell();
  const double scale = size_of(model);
  for (int i = 0; i < model.body_count; ++i) {
    ReplayBody& body = bodies[static_cast<std::size_t>(i)];
    if (body.shapes.empty()) body.shapes = stick_figure(model, i, scale);
  }
  return bodies;
}

}  // namespace stance
