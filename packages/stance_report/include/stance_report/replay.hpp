// A motion to be looked at: bodies with their shapes, where they were and what acted on them, as one page of HTML that
// opens without a network. Whoever has a motion fills a Replay: a recorder, a table that was read back, a log of a robot.
//
// Everything is in world axes and SI units. Vectors "by time" have an entry for each of Replay::time; what does not exist
// at an instant is not a number, and a vector may be empty where nothing of its kind is known.
#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/spatial/transform.hpp"

namespace stance {

struct ReplayMesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside
};

struct ReplayShape {
  enum class Kind { kBox, kSphere, kCylinder, kCapsule, kCone, kMesh } kind{};
  Transform<double> X_BS;  // of the shape's middle, in the body; what is round is so about z
  // box: whole lengths; sphere: radius in x; cylinder, capsule (without caps), cone (tip at +z): radius in x, length in z;
  // mesh: scale
  Vec3<double> size{1, 1, 1};
  int mesh = -1;                                 // in Replay::meshes
  std::optional<std::array<double, 4>> color{};  // red, green, blue, alpha: 0 to 1
};

struct ReplayBody {
  std::string name;
  int parent = -1;  // a body before this one that it is joined to; -1: it moves by itself
  std::vector<ReplayShape> shapes{};
  std::vector<Transform<double>> pose_W{};  // by time
};

// A place of a body that may touch something.
struct ReplayContact {
  enum State : unsigned char { kOpen, kStick, kSlide };
  std::string name;  // its frame
  int body = -1;
  Vec3<double> p_B;   // of the place, or of the centre of the sphere or arc that is there
  double radius = 0;  // of that
  Vec3<double> normal_W{0, 0, 1};
  double mu = std::numeric_limits<double>::infinity();  // the cone's; infinite: it has none
  std::vector<State> state{};                           // by time
  std::vector<Vec3<double>> force_W{};                  // by time, on the body
};

struct ReplayEvent {
  double time = 0;
  std::string kind;                 // a word: touchdown, slide
  std::vector<std::string> bodies;  // what it happened to
  Vec3<double> point_W, impulse_W;
  double energy_lost = 0;  // J
};

// A number over time, to be plotted with the others of its group.
struct ReplaySeries {
  std::string group;  // the plot's title: "Joint positions"
  std::string name, unit;
  std::vector<double> value{};  // by time
};

// One series over another.
struct ReplayPortrait {
  std::string name;
  int x = -1, y = -1;  // in Replay::series
};

struct Replay {
  std::string title, robot;
  std::vector<std::string>
      notes;  // what the viewer should know: shapes that are missing, samples left out
  Vec3<double> ground_point, ground_normal{0, 0, 1};
  std::vector<ReplayMesh> meshes;
  std::vector<double> time;  // s, never falling
  std::vector<ReplayBody> bodies;
  std::vector<ReplayContact> contacts;
  std::vector<Vec3<double>> center_of_mass;  // by time
  std::vector<ReplayEvent> events;
  std::vector<ReplaySeries> series;
  std::vector<ReplayPortrait> portraits;
};

// What the page keeps of a number is the nearest multiple of a step, so the error is at most half of it: of times 1e-7 s,
// of events 1e-9 s, of places relative to the parent and of the centre of mass 1e-5 m, of turns relative to the parent 1e-5 rad, of forces
// and series 1/32768 of their range, of meshes 1/65535 of their size.
inline constexpr double kReplayTimeStep = 1e-7, kReplayEventTimeStep = 1e-9;
inline constexpr double kReplayLengthStep = 1e-5, kReplayAngleStep = 1e-5;
inline constexpr double kReplaySeriesSteps = 32768;

// The page. An error names what does not fit together: a vector by time of another length, an index that is none.
Result<std::string> replay_page(const Replay& replay);
// The same into a file.
std::optional<Error> write_replay(const Replay& replay, const std::filesystem::path& path);

// A page with the same motion as this one, which any build of this version wrote, as this build makes pages.
Result<std::string> renewed_replay_page(std::string_view page);

// Whether this build's page has the 3-D view: not where npm was missing, or without a network, when it was built.
bool replay_has_view();

}  // namespace stance
