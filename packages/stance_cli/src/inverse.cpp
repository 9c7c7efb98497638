// stance inverse: the efforts behind a recorded motion, and what the ground gave (Stepien 7.1).
//
// The motion has its root at the pelvis. Frame by frame the tree is re-rooted at the supporting link and run through
// inverse dynamics: the wrench across the root joint is then the ground's. As a check the same motion is run from the
// pelvis with that wrench acting at the support: what is left over at the pelvis is the residual, and is zero if the
// support carries the robot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "command.hpp"
#include "csv.hpp"
#include "input.hpp"
#include "motion_derivative.hpp"
#include "output.hpp"
#include "robot_options.hpp"
#include "row_reader.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

struct Options {
  LoadOptions load;
  std::string robot, motion, out, support = "auto";
  std::vector<std::string> feet;
  int window = 9;
  bool no_mimic = false;
};

constexpr const char* kFooter = R"(Example: joint efforts and ground reaction of a captured walk
  stance inverse humanoid_34.urdf --motion walk.csv --feet left_foot right_foot > efforts.csv

The motion is a table with the columns of stance dynamics and `time`: positions of the
base and of all joints (base.x ... base.qw, q.JOINT), such as trajectory.csv of stance
run. Velocities and accelerations are
used where the table has them all. Otherwise they are taken from the positions: a
polynomial of degree 4 through --window frames round each frame, by least squares.
Printed, a row a frame: time, the supporting link, tau.JOINT, and the ground's wrench on
the robot: grf.fx .fy .fz .mx .my .mz in world axes, the moment about the support link's
origin, which is at point.x .y .z; residual.f and .m are what is left over at the base.
The support is the link given, or with auto the lowest of the --feet in each frame
(without --feet: of all links at the ends of the tree). One foot carries the robot.)";

struct RecordedMotion {
  std::vector<double> times;
  std::vector<StateRow> rows;
  bool velocities = true, accelerations = true;  // were in the table
};

// The whole table, with what is missing filled in.
Result<RecordedMotion> read_motion(const Model& model, const Options& options, std::istream& in,
                                   const std::string& file) {
  auto table = CsvReader::open(in, file);
  if (!table) return table.error();
  std::vector<std::string> names = table->columns();
  const auto time_column = std::find(names.begin(), names.end(), "time");
  if (time_column == names.end()) {
    return Error{ErrorCode::kStructure, table->where(),
                 "has no column 'time': give each frame its time in seconds"};
  }
  const auto time_index = time_column - names.begin();
  names.erase(time_column);

  // columns that the motion may lack are added, to be filled in below
  RecordedMotion motion;
  const std::size_t given = names.size();
  const auto all_columns = state_columns(model);
  for (const auto& [quantity, had] : {std::pair{Quantity::kVelocity, &motion.velocities},
                                      std::pair{Quantity::kAcceleration, &motion.accelerations}}) {
    std::vector<std::string> missing;
    std::size_t all = 0;
    for (const Column& column : all_columns) {
      if (column.quantity != quantity || column.mimic) continue;
      ++all;
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(given),
                    column.name) == names.begin() + static_cast<std::ptrdiff_t>(given)) {
        missing.push_back(column.name);
      }
    }
    if (!missing.empty() && missing.size() < all) {
      return Error{ErrorCode::kStructure, table->where(),
                   fmt::format("has some {} but not '{}': give all of them or none",
                               quantity == Quantity::kVelocity ? "velocities" : "accelerations",
                               missing.front())};
    }
    *had = missing.empty();
    names.insert(names.end(), missing.begin(), missing.end());
  }
  if (motion.accelerations && !motion.velocities) {
    return Error{ErrorCode::kStructure, table->where(),
                 "has accelerations but no velocities: give both or neither"};
  }
  std::vector<std::string> notes;
  const auto reader = RowReader::match(model, {false, true}, names, table->where(), notes);
  if (!reader) return reader.error();
  for (const auto& text : notes) note(text);
  for (const auto& column : reader->ignored()) table->ignore(column);

  std::vector<double> values;
  for (;;) {
    const auto more = table->next(values);
    if (!more) return more.error();
    if (!*more) break;
    const double time = values[static_cast<std::size_t>(time_index)];
    if (!motion.times.empty() && !(time > motion.times.back())) {
      return Error{ErrorCode::kValue, table->where(),
                   fmt::format("time {} does not come after {}: frames must be in order", time,
                               motion.times.back())};
    }
    values.erase(values.begin() + time_index);
    values.resize(names.size(), 0.0);
    motion.times.push_back(time);
    motion.rows.emplace_back();
    if (const auto error = reader->read(values, table->where(), motion.rows.back())) return *error;
  }
  if (!motion.accelerations && motion.rows.size() < 3) {
    return Error{
        ErrorCode::kValue, table->where(),
        fmt::format("has {} frames, and accelerations need at least 3", motion.rows.size())};
  }
  differentiate(model, motion.times, {!motion.velocities, !motion.accelerations, options.window},
                motion.rows);
  return motion;
}

// The links that may carry the robot.
Result<std::vector<FrameId>> support_links(const Model& model, const Options& options) {
  std::vector<FrameId> links;
  std::vector<std::string> names = options.feet;
  if (options.support != "auto") names = {options.support};
  for (const std::string& name : names) {
    const FrameId frame = find_frame(model, name);
    if (!frame.valid()) {
      return Error{ErrorCode::kStructure, options.robot,
                   fmt::format("has no link '{}' to stand on: stance info lists the links", name)};
    }
    links.push_back(frame);
  }
  if (!links.empty()) return links;
  std::vector<bool> is_parent(static_cast<std::size_t>(model.body_count), false);
  for (int i = 1; i < model.body_count; ++i)
    is_parent[static_cast<std::size_t>(model.bodies[i].parent)] = true;
  for (int f = 0; f < model.frame_count; ++f) {
    if (!is_parent[static_cast<std::size_t>(model.frames[f].body)]) links.emplace_back(f);
  }
  return links;
}

// One frame: efforts, ground wrench and residual.
class FrameInverse {
 public:
  explicit FrameInverse(const Model& model)
      : model_(model),
        f_ext_(static_cast<std::size_t>(model.body_count)),
        base_tree_(std::make_unique<Tree>(make_tree(model))) {}

  struct Answer {
    FrameId support;
    DofVector tau;
    Force<double> ground_W;  // about the support link's origin
    Vec3<double> point_W;
    Force<double> residual;
  };

  Status solve(const StateRow& row, const std::vector<FrameId>& links, Answer& answer) {
    State base_state;
    base_state.q = row.q, base_state.v = row.v;
    kinematics(model_, *base_tree_, base_state, *w_);
    answer.support = *std::min_element(links.begin(), links.end(), [&](FrameId a, FrameId b) {
      return frame_pose(model_, *base_tree_, *w_, a).p.z <
             frame_pose(model_, *base_tree_, *w_, b).p.z;
    });
    const Frame& link = model_.frames[answer.support];
    const Transform<double> X_WF = frame_pose(model_, *base_tree_, *w_, answer.support);
    answer.point_W = X_WF.p;

    // rooted at the support, free to move as recorded: the wrench across the root joint is the ground's
    *tree_ = *base_tree_;
    State state = base_state;
    reroot(model_, link.body, {}, *tree_, state);
    DofVector a, from_base;
    reroot_accelerations(model_, *base_tree_, base_state, row.a, *tree_, state, *w_, a);
    Status status = rnea(model_, *tree_, state, a, {}, *w_, answer.tau);
    if (status != Status::kOk) return status;
    const Force<double> ground_H{{answer.tau[0], answer.tau[1], answer.tau[2]},
                                 {answer.tau[3], answer.tau[4], answer.tau[5]}};
    const Force<double> ground_F = to_child(link.X_HF, ground_H);
    answer.ground_W = {X_WF.R * ground_F.n, X_WF.R * ground_F.f};

    // from the pelvis, with the ground's wrench on the support
    f_ext_[static_cast<std::size_t>(link.body)] = ground_H;
    status = rnea(model_, *base_tree_, base_state, row.a, f_ext_, *w_, from_base);
    f_ext_[static_cast<std::size_t>(link.body)] = {};
    answer.residual = {{from_base[0], from_base[1], from_base[2]},
                       {from_base[3], from_base[4], from_base[5]}};
    return status;
  }

 private:
  const Model& model_;
  std::vector<Force<double>> f_ext_;
  std::unique_ptr<Tree> base_tree_, tree_ = std::make_unique<Tree>();
  std::unique_ptr<Workspace> w_ = std::make_unique<Workspace>();
};

int run(const Options& options) {
  if (options.window < 5 || options.window % 2 == 0) {
    return fail_usage(fmt::format("--window is {}, and must be odd and at least 5", options.window),
                      "stance inverse");
  }
  LoadOptions build = options.load;
  build.mimic = !options.no_mimic;
  const auto robot = load_robot(options.robot, build);
  if (!robot) return fail(robot.error());
  note_leniency(**robot, options.robot);
  const Model& model = (*robot)->model;
  const auto links = support_links(model, options);
  if (!links) return fail(links.error());
  auto input = Input::open(options.motion);
  if (!input) return fail(input.error());
  const auto motion = read_motion(model, options, input->stream(), input->name());
  if (!motion) return fail(motion.error());

  auto output = Output::open(options.out, {options.robot, options.motion});
  if (!output) return fail(output.error());
  std::vector<Column> efforts;
  for (const Column& column : result_columns(model, Quantity::kEffort, true))
    efforts.push_back(column);
  std::string header = "time,support";
  for (const Column& column : efforts) header += "," + csv_field(column.name);
  header +=
      ",grf.fx,grf.fy,grf.fz,grf.mx,grf.my,grf.mz,point.x,point.y,point.z,residual.f,residual.m\n";
  output->write(header);

  FrameInverse inverse(model);
  const auto row = std::make_unique<StateRow>();
  double largest = 0, weight = total_mass(model) * norm(model.gravity);
  for (std::size_t k = 0; k < motion->rows.size(); ++k) {
    FrameInverse::Answer answer;
    const Status status = inverse.solve(motion->rows[k], *links, answer);
    if (status != Status::kOk) {
      return fail(
          {ErrorCode::kValue, fmt::format("frame at {} s", motion->times[k]), to_string(status)});
    }
    row->tau = answer.tau;
    fmt::memory_buffer line;
    auto out = std::back_inserter(line);
    fmt::format_to(out, "{:.17g},{}", motion->times[k],
                   csv_field(model.frames[answer.support].name.view()));
    for (const Column& column : efforts) fmt::format_to(out, ",{:.17g}", value(*row, column));
    const Force<double>& g = answer.ground_W;
    const Vec3<double>& p = answer.point_W;
    const double residual_f = norm(answer.residual.f), residual_m = norm(answer.residual.n);
    for (const double x :
         {g.f.x, g.f.y, g.f.z, g.n.x, g.n.y, g.n.z, p.x, p.y, p.z, residual_f, residual_m}) {
      fmt::format_to(out, ",{:.17g}", x);
    }
    line.push_back('\n');
    output->write({line.data(), line.size()});
    largest = std::max({largest, residual_f, residual_m});
  }
  if (const auto error = output->close()) return fail(*error);
  note(fmt::format(
      "{} frames; velocities {}, accelerations {}; largest residual at the base {:.2g} N or N m "
      "(weight {:.4g} N)",
      motion->rows.size(), motion->velocities ? "from the table" : "from positions",
      motion->accelerations ? "from the table"
      : motion->velocities  ? "from velocities"
                            : "from positions",
      largest, weight));
  return kExitOk;
}

}  // namespace

void add_inverse(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("inverse",
                                     "Joint efforts and ground reaction of a recorded motion");
  command->footer(kFooter);
  command->add_option("ROBOT", options->robot, "robot description (URDF)")->required();
  add_robot_options(*command, options->load);
  command->add_option("--motion", options->motion, "recorded motion (CSV); - is standard input")
      ->required();
  command
      ->add_option("--support", options->support,
                   "auto (default), or the link that carries the robot")
      ->option_text("LINK");
  command->add_option("--feet", options->feet, "links that auto chooses from")
      ->option_text("LINK ...");
  command->add_option("--window", options->window, "frames of the filter (default 9)")
      ->option_text("N");
  command->add_flag("--no-mimic", options->no_mimic, "treat mimic joints as free joints");
  command->add_option("--out", options->out, "write to this file instead of standard output")
      ->option_text("FILE");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
