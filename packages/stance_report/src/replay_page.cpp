// Replay -> HTML: the page as it was built (page/), with the motion as JSON in the place that is kept for it.
//
// Of a body's motion the page gets what its joint does, as that is little: with the pose in the parent at the first instant
// (R_0, p_0), the pose at t is
//   (1) p = p_0 + d(t),   R = R_0 exp(r(t)).
// A hinge has one of the six numbers, times the components of its axis; a weld has none. r is followed beyond half a turn,
// so that a wheel's is smooth.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "channel.hpp"
#include "output_file.hpp"
#include "page_template.hpp"
#include "stance_core/spatial/rotation.hpp"
#include "stance_report/replay.hpp"

namespace stance {

using namespace report;

namespace {

constexpr std::string_view kDataMark =
    "{\"stance\":\"replay\"}";  // stands in the page for the motion

// ---- checks

std::optional<Error> wrong_length(const std::string& what, std::size_t length, std::size_t count) {
  if (length == count) return std::nullopt;
  return Error{ErrorCode::kValue, what,
               fmt::format("has {} entries where the replay has {} instants; give one for each",
                           length, count)};
}

std::optional<Error> no_index(const std::string& what, int index, std::size_t count) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return std::nullopt;
  return Error{ErrorCode::kValue, what, fmt::format("{} is no index below {}", index, count)};
}

std::optional<Error> check_bodies(const Replay& replay) {
  for (std::size_t i = 0; i < replay.bodies.size(); ++i) {
    const ReplayBody& body = replay.bodies[i];
    const std::string what = fmt::format("body '{}'", body.name);
    if (auto error = wrong_length(what, body.pose_W.size(), replay.time.size())) return error;
    if (body.parent != -1) {
      if (auto error = no_index(what + ", parent", body.parent, i)) return error;
    }
    for (const ReplayShape& shape : body.shapes) {
      if (shape.kind != ReplayShape::Kind::kMesh) continue;
      if (auto error = no_index(what + ", mesh", shape.mesh, replay.meshes.size())) return error;
    }
  }
  return std::nullopt;
}

std::optional<Error> check(const Replay& replay) {
  const std::size_t n = replay.time.size();
  if (n == 0) return Error{ErrorCode::kValue, "replay", "holds no instant: nothing to look at"};
  if (!std::is_sorted(replay.time.begin(), replay.time.end()))
    return Error{ErrorCode::kValue, "replay", "times must never fall"};
  if (auto error = check_bodies(replay)) return error;
  for (const ReplayMesh& mesh : replay.meshes) {
    for (const auto& triangle : mesh.triangles) {
      for (const int corner : triangle)
        if (auto error = no_index("mesh, corner", corner, mesh.vertices.size())) return error;
    }
  }
  for (const ReplayContact& contact : replay.contacts) {
    const std::string what = fmt::format("contact '{}'", contact.name);
    if (auto error = no_index(what + ", body", contact.body, replay.bodies.size())) return error;
    if (auto error = wrong_length(what + ", state", contact.state.size(), n)) return error;
    if (auto error = wrong_length(what + ", force", contact.force_W.size(), n);
        error && !contact.force_W.empty())
      return error;
  }
  if (auto error = wrong_length("centre of mass", replay.center_of_mass.size(), n);
      error && !replay.center_of_mass.empty())
    return error;
  for (const ReplaySeries& series : replay.series) {
    const std::string what = fmt::format("series '{}'", series.name);
    if (auto error = wrong_length(what, series.value.size(), n)) return error;
  }
  for (const ReplayPortrait& portrait : replay.portraits) {
    const std::string what = fmt::format("portrait '{}'", portrait.name);
    for (const int index : {portrait.x, portrait.y})
      if (auto error = no_index(what, index, replay.series.size())) return error;
  }
  return std::nullopt;
}

// ---- motion

// log of a rotation, next to `near` among those that differ by whole turns.
Vec3<double> rotation_vector(const Mat3<double>& R, const Vec3<double>& near) {
  Quaternion q = quaternion(R);
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const Vec3<double> v{q.x, q.y, q.z};
  const double s = norm(v);
  const double angle = 2 * std::atan2(s, q.w);
  if (s < 1e-12) {  // whole turns about the axis there was
    const double before = norm(near), turns = std::round(before / (2 * M_PI));
    return turns > 0 ? near * (turns * 2 * M_PI / before) + v * 2.0 : v * 2.0;
  }
  const Vec3<double> axis = v * (1 / s);
  const double turns = std::round((dot(near, axis) - angle) / (2 * M_PI));
  return axis * (angle + turns * 2 * M_PI);
}

using Track = std::array<std::vector<double>, 3>;

void add(const Vec3<double>& v, Track& track) {
  track[0].push_back(v.x), track[1].push_back(v.y), track[2].push_back(v.z);
}

Track track_of(const std::vector<Vec3<double>>& vectors) {
  Track track;
  for (const auto& v : vectors) add(v, track);
  return track;
}

struct Motion6 {
  Transform<double> rest;
  Track d, r;
};

// (1)
Motion6 joint_motion(const ReplayBody& body, const ReplayBody* parent) {
  const auto relative = [&](std::size_t i) {
    return parent ? inverse(parent->pose_W[i]) * body.pose_W[i] : body.pose_W[i];
  };
  Motion6 motion;
  motion.rest = relative(0);
  Vec3<double> last;
  for (std::size_t i = 0; i < body.pose_W.size(); ++i) {
    const Transform<double> X = relative(i);
    add(X.p - motion.rest.p, motion.d);
    last = rotation_vector(transpose(motion.rest.R) * X.R, last);
    add(last, motion.r);
  }
  return motion;
}

// ---- JSON

void numbers(std::initializer_list<double> values, JsonWriter& json) {
  json.begin_array();
  for (const double value : values) json.number(value);
  json.end_array();
}

void vector(const Vec3<double>& v, JsonWriter& json) { numbers({v.x, v.y, v.z}, json); }

void pose(const Transform<double>& X, JsonWriter& json) {
  const Quaternion q = quaternion(X.R);
  numbers({X.p.x, X.p.y, X.p.z, q.x, q.y, q.z, q.w}, json);
}

void tracks(const Track& track, double step, JsonWriter& json) {
  json.begin_array();
  for (const auto& values : track) write(pack(values, step), json);
  json.end_array();
}

const char* word(ReplayShape::Kind kind) {
  constexpr const char* kWords[] = {"box", "sphere", "cylinder", "capsule", "cone", "mesh"};
  return kWords[static_cast<int>(kind)];
}

// Corners as 16 bits of the box that holds them; triangles as differences between corners, packed as channels are.
void write_mesh(const ReplayMesh& mesh, JsonWriter& json) {
  json.begin_object().key("count").integer(mesh.vertices.size()).key("vertices").begin_array();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (const auto& vertex : mesh.vertices) values.push_back(static_cast<double>(vertex[axis]));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double range = values.empty() ? 0 : *most - *least;
    write(pack(values, range / 65535), json);
  }
  std::vector<double> corners;
  for (const auto& triangle : mesh.triangles)
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  json.end_array().key("corners").integer(corners.size()).key("triangles");
  write(pack(corners, 1), json);
  json.end_object();
}

void write_shape(const ReplayShape& shape, JsonWriter& json) {
  json.begin_object().key("kind").string(word(shape.kind)).key("pose");
  pose(shape.X_BS, json);
  json.key("size");
  vector(shape.size, json);
  if (shape.kind == ReplayShape::Kind::kMesh) json.key("mesh").integer(shape.mesh);
  if (shape.color) {
    json.key("color");
    const auto& c = *shape.color;
    numbers({c[0], c[1], c[2], c[3]}, json);
  }
  json.end_object();
}

void write_body(const ReplayBody& body, const ReplayBody* parent, JsonWriter& json) {
  const Motion6 motion = joint_motion(body, parent);
  json.begin_object().key("name").string(body.name).key("parent").integer(body.parent);
  json.key("shapes").begin_array();
  for (const ReplayShape& shape : body.shapes) write_shape(shape, json);
  json.end_array().key("rest");
  pose(motion.rest, json);
  json.key("d");
  tracks(motion.d, kReplayLengthStep, json);
  json.key("r");
  tracks(motion.r, kReplayAngleStep, json);
  json.end_object();
}

void write_contact(const ReplayContact& contact, JsonWriter& json) {
  json.begin_object().key("name").string(contact.name).key("body").integer(contact.body);
  json.key("at");
  vector(contact.p_B, json);
  json.key("radius").number(contact.radius).key("normal");
  vector(contact.normal_W, json);
  json.key("mu").number(contact.mu).key("state");  // infinite: null
  std::vector<double> state;
  for (const auto each : contact.state) state.push_back(each);
  write(pack(state, 1), json);
  if (!contact.force_W.empty()) {
    json.key("force");
    tracks(track_of(contact.force_W), 0, json);
  }
  json.end_object();
}

// In columns: a walk of a minute may have ten thousand.
void write_events(const std::vector<ReplayEvent>& events, JsonWriter& json) {
  std::vector<std::string> words;  // kinds, and the bodies of an event joined
  const auto index = [&](const std::string& word) {
    const auto known = std::ranges::find(words, word) - words.begin();
    if (known == std::ssize(words)) words.push_back(word);
    return static_cast<double>(known);
  };
  std::vector<double> time, kind, bodies, lost;
  Track point, impulse;
  for (const ReplayEvent& event : events) {
    time.push_back(event.time);
    kind.push_back(index(event.kind));
    bodies.push_back(index(fmt::format("{}", fmt::join(event.bodies, ", "))));
    lost.push_back(event.energy_lost);
    add(event.point_W, point);
    add(event.impulse_W, impulse);
  }
  json.begin_object().key("count").integer(events.size()).key("words").begin_array();
  for (const auto& word : words) json.string(word);
  json.end_array().key("time");
  write(pack(time, kReplayEventTimeStep), json);
  json.key("kind");
  write(pack(kind, 1), json);
  json.key("bodies");
  write(pack(bodies, 1), json);
  json.key("energy_lost");
  write(pack(lost, 0), json);
  json.key("point");
  tracks(point, kReplayLengthStep, json);
  json.key("impulse");
  tracks(impulse, 0, json);
  json.end_object();
}

std::string replay_json(const Replay& replay) {
  JsonWriter json;
  json.begin_object().key("format").integer(1);
  json.key("title").string(replay.title).key("robot").string(replay.robot);
  json.key("notes").begin_array();
  for (const auto& note : replay.notes) json.string(note);
  json.end_array().key("ground").begin_object().key("point");
  vector(replay.ground_point, json);
  json.key("normal");
  vector(replay.ground_normal, json);
  json.end_object().key("meshes").begin_array();
  for (const auto& mesh : replay.meshes) write_mesh(mesh, json);
  json.end_array().key("count").integer(replay.time.size()).key("time");
  write(pack(replay.time, kReplayTimeStep), json);
  json.key("bodies").begin_array();
  for (const auto& body : replay.bodies) {
    const bool has_parent = body.parent >= 0;
    write_body(body, has_parent ? &replay.bodies[static_cast<std::size_t>(body.parent)] : nullptr,
               json);
  }
  json.end_array().key("contacts").begin_array();
  for (const auto& contact : replay.contacts) write_contact(contact, json);
  json.end_array();
  if (!replay.center_of_mass.empty()) {
    json.key("center_of_mass");
    tracks(track_of(replay.center_of_mass), kReplayLengthStep, json);
  }
  json.key("events");
  write_events(replay.events, json);
  json.key("series").begin_array();
  for (const auto& series : replay.series) {
    json.begin_object().key("group").string(series.group).key("name").string(series.name);
    json.key("unit").string(series.unit).key("value");
    write(pack(series.value, 0), json);
    json.end_object();
  }
  json.end_array().key("portraits").begin_array();
  for (const auto& portrait : replay.portraits) {
    json.begin_object().key("name").string(portrait.name);
    json.key("x").integer(portrait.x).key("y").integer(portrait.y).end_object();
  }
  json.end_array().end_object();
  return json.text();
}

// As to stand in <script>: there only "</script" and "<!--" mean something, and a '<', which is in strings alone, can be
// written otherwise. Line feeds and the blanks after them are never in strings: they are indents, and go.
std::string for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  bool indent = false;
  for (const char c : json) {
    indent = c == '\n' || (indent && c == ' ');
    if (indent) continue;
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

Result<std::string> with_motion(std::string_view motion) {
  const std::string_view page = page_template();
  const std::size_t at = page.find(kDataMark);
  if (at == page.npos)
    return Error{ErrorCode::kStructure, "replay page", "was built without a place for the motion"};
  return fmt::format("{}{}{}", page.substr(0, at), motion, page.substr(at + kDataMark.size()));
}

}  // namespace

Result<std::string> replay_page(const Replay& replay) {
  if (auto error = check(replay)) return *error;
  return with_motion(for_script(replay_json(replay)));
}

Result<std::string> renewed_replay_page(std::string_view page) {
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"replay\">";
  const std::size_t begin = page.find(kBegin);
  const std::size_t end = page.find("</script>", std::min(begin, page.size()));
  if (begin == page.npos || end == page.npos)
    return Error{ErrorCode::kStructure, "",
                 "holds no motion: it is no replay page of stance, or cut off"};
  const std::string_view motion = page.substr(begin + kBegin.size(), end - begin - kBegin.size());
  if (!motion.starts_with("{\"format\": 1,"))
    return Error{ErrorCode::kUnsupported, "",
                 "holds a motion in a format that is not known here; run the scenario again"};
  return with_motion(motion);
}

std::optional<Error> write_replay(const Replay& replay, const std::filesystem::path& path) {
  const auto page = replay_page(replay);
  if (!page) return page.error();
  return write_file(path, *page);
}

bool replay_has_view() {
  return page_template().find("<script data-part=\"view\">") != std::string_view::npos;
}

}  // namespace stance
