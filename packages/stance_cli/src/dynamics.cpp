// stance dynamics: accelerations from efforts, or efforts from accelerations, for a table of states.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include "command.hpp"
#include "contact_dynamics.hpp"
#include "csv.hpp"
#include "find_plan.hpp"
#include "input.hpp"
#include "loop_dynamics.hpp"
#include "output.hpp"
#include "robot_options.hpp"
#include "row_dynamics.hpp"
#include "row_reader.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/state_columns.hpp"

namespace stance {
namespace {

struct Options {
  LoadOptions load;
  std::string robot, states, out, root, contacts, loops, schedule = "chain";
  std::optional<Algorithm> algorithm;
  bool fixed_base = false;
  bool inverse = false;
  bool no_mimic = false;
  bool joint_dynamics = false;
  bool impact = false;
  bool joint_forces = false;
};

constexpr const char* kFooter = R"(Example: fall, and what it takes to stand still
  stance dynamics quadruped.urdf --states states.csv > accelerations.csv
  stance dynamics quadruped.urdf --states still.csv --inverse > efforts.csv

Columns, in any order, are named in the first line of the table:
  base.x .y .z .qx .qy .qz .qw     pose of the root link: origin in the world, quaternion
  base.vx .vy .vz .wx .wy .wz      its velocity, in its own frame
  base.fx .fy .fz .mx .my .mz      wrench on it, in its own frame (absent: zero)
  q.JOINT v.JOINT tau.JOINT        position, velocity, effort (no tau at all: zero)
Printed: base.ax .ay .az .alphax .alphay .alphaz, the derivatives of the components of
the base's velocity, and a.JOINT. With --inverse base.a* and a.JOINT are read, and
base.f*, base.m*, tau.JOINT printed. Joints with several axes have suffixed columns:
  ball q.J.qx .qy .qz .qw, v.J.wx .wy .wz; planar q.J.x .y .theta, v.J.vx .vy .wz
trajectory.csv of stance run is such a table: what is no state in it is not read.
With --contacts FILE the robot touches the ground, and FILE says where:
  ground: {point: [0, 0, 0], normal: [0, 0, 1]}
  contacts:
    - {name: left, link: left_foot, point: [0, 0, 0], radius: 0, friction: 0.6, restitution: 0, mode: auto}
mode: stick (held as given, both ways), slide, open, or auto (default): found by Coulomb's
law from the state; a contact whose tangential velocity is not zero slides. Without
friction nothing slips. Printed besides: contact.NAME.mode .fx .fy .fz (force on the
robot, world axes) and status: unique, redundant (forces of least norm), inconsistent.
With --impact velocities jump instead: base.v*, v.JOINT after it, contact.NAME.mode .px
.py .pz (impulses), energy_lost and status.
With --loops FILE frames of the robot are kept together, and FILE says which:
  loops:
    - {name: knee, type: pin, a: {link: rod, xyz: [0, 0, -0.3], rpy: [0, 0, 0]}, b: {link: shank}}
type: point (the origins, 3 rows), pin (and the z axes, 5), weld (6); a link may be world.
Printed besides: loop.NAME.fx .fy .fz .mx .my .mz (on b, about the closure point, world
axes), status (unique, redundant: forces of least norm, inconsistent: no numbers), rank
and rows. --algorithm assembly adds joint by joint in the order of --schedule; rows
solves for the loops on top of the free robot. --joint-forces prints joint.NAME.fx ...
.mz (on the child, about its frame's origin, world axes), joint.base for a fixed base.
Gravity is (0, 0, -9.81). Damping, friction and armature are left out unless
--joint-dynamics is given, so that the numbers compare with other libraries.)";

// The columns, and whatever else is printed behind them: fields, each with its comma before it.
void write_header(const std::vector<Column>& columns, const std::string& more, Output& output) {
  std::string line;
  for (const auto& column : columns)
    fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : ",",
                   csv_field(column.name));
  output.write(line + more + '\n');
}

void write_row(const std::vector<Column>& columns, const StateRow& row, const std::string& more,
               Output& output) {
  std::string line;
  for (const auto& column : columns) {
    fmt::format_to(std::back_inserter(line), "{}{:.17g}", line.empty() ? "" : ",",
                   value(row, column));
  }
  output.write(line + more + '\n');
}

// The columns of velocities, as those of the accelerations they are the integrals of.
std::vector<Column> velocity_columns(const Model& model, bool fixed_base) {
  std::vector<Column> columns;
  for (const Column& column : state_columns(model)) {
    if (column.quantity == Quantity::kVelocity && (column.joint.valid() || !fixed_base))
      columns.push_back(column);
  }
  return columns;
}

// With contacts: accelerations and forces, or velocities and impulses.
int contact_rows(const Options& options, const Model& model, ContactDynamics& dynamics,
                 CsvReader& table, const RowReader& reader, Output& output) {
  const auto columns = options.impact
                           ? velocity_columns(model, options.fixed_base)
                           : result_columns(model, Quantity::kAcceleration, options.fixed_base);
  std::string names;
  for (const ContactEntry& contact : dynamics.contacts()) {
    names += ',' + csv_field("contact." + contact.name + ".mode");
    for (const char axis : {'x', 'y', 'z'}) {
      names += ',' + csv_field(fmt::format("contact.{}.{}{}", contact.name,
                                           options.impact ? 'p' : 'f', axis));
    }
  }
  names += options.impact ? ",energy_lost,status" : ",status";
  write_header(columns, names, output);

  const auto row = std::make_unique<StateRow>();
  std::vector<double> values;
  for (;;) {
    const auto more = table.next(values);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (const auto error = reader.read(values, table.where(), *row)) return fail(*error);
    const auto error = options.impact ? dynamics.impact(*row, table.where())
                                      : dynamics.forward(*row, table.where());
    if (error) return fail(*error);
    std::string text;
    for (std::size_t k = 0; k < dynamics.contacts().size(); ++k) {
      const Vec3<double>& f = dynamics.force(k);
      text += fmt::format(",{},{:.17g},{:.17g},{:.17g}", to_string(dynamics.mode(k)), f.x, f.y,
                          f.z);
    }
    if (options.impact) text += fmt::format(",{:.17g}", dynamics.energy_lost());
    constexpr const char* kAnswers[] = {"unique", "redundant", "inconsistent", "none"};
    text += fmt::format(",{}", kAnswers[static_cast<int>(dynamics.answer())]);
    write_row(columns, *row, text, output);
  }
  if (const auto error = output.close()) return fail(*error);
  return kExitOk;
}

constexpr const char* kWrench[] = {"fx", "fy", "fz", "mx", "my", "mz"};

void add_wrench(const Force<double>& f, std::string& text) {
  for (const double x : {f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z})
    fmt::format_to(std::back_inserter(text), ",{:.17g}", x);
}

// With loops, or with the forces of joints.
int loop_rows(const Options& options, const Model& model, const RowDynamicsOptions& how,
              CsvReader& table, const RowReader& reader, Output& output) {
  std::vector<Loop> loops;
  if (!options.loops.empty()) {
    auto loaded = load_loops(options.loops, model);
    if (!loaded) return fail(loaded.error());
    loops = *std::move(loaded);
  }
  std::vector<Closure> closures;
  for (const Loop& loop : loops) closures.push_back(loop.closure);
  std::optional<Plan> plan;
  if (options.algorithm != Algorithm::kRows) {
    Support support;
    if (options.fixed_base) support.kind = JointKind::kFixed;
    const auto tree = std::make_unique<Tree>(make_tree(model, how.root, support));
    const auto schedule = find_schedule(options.schedule, model, *tree, closures, 1);
    if (!schedule) return fail(schedule.error());
    auto made = make_plan(model, *tree, closures, *schedule);
    if (!made) return fail(made.error());
    plan = *std::move(made);
  }
  LoopDynamics dynamics(model, how, std::move(loops), std::move(plan));

  const auto columns = result_columns(model, Quantity::kAcceleration, options.fixed_base);
  std::string names;
  for (const Loop& loop : dynamics.loops()) {
    for (const char* part : kWrench)
      names += ',' + csv_field(fmt::format("loop.{}.{}", loop.name, part));
  }
  names += ",status,rank,rows";
  if (options.joint_forces) {
    for (int j = options.fixed_base ? 0 : 1; j < model.body_count; ++j) {
      for (const char* part : kWrench) {
        names += ',' + csv_field(fmt::format("joint.{}.{}",
                                             j == 0 ? "base" : model.joints[j].name.view(), part));
      }
    }
  }
  write_header(columns, names, output);

  const auto row = std::make_unique<StateRow>();
  std::vector<double> values;
  for (;;) {
    const auto more = table.next(values);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (const auto error = reader.read(values, table.where(), *row)) return fail(*error);
    if (const auto error = dynamics.forward(*row, table.where())) return fail(*error);
    std::string text;
    for (std::size_t k = 0; k < dynamics.loops().size(); ++k)
      add_wrench(dynamics.loop_force(k), text);
    text += fmt::format(",{},{},{}", dynamics.status(), dynamics.rank(), dynamics.rows());
    if (options.joint_forces) {
      for (int j = options.fixed_base ? 0 : 1; j < model.body_count; ++j)
        add_wrench(dynamics.joint_force(JointId(j)), text);
    }
    write_row(columns, *row, text, output);
  }
  if (const auto error = output.close()) return fail(*error);
  return kExitOk;
}

// The body to root the tree at.
Result<BodyId> find_root(const Model& model, const Options& options) {
  if (!options.fixed_base && !(model.bodies[0].I.m > 0)) {
    return Error{
        ErrorCode::kInertia, options.robot,
        fmt::format("root link '{}' has no mass, so it cannot float free: give --fixed-base",
                    model.frames[model.bodies[0].link].name.view())};
  }
  if (options.fixed_base && model.body_count == 1) {
    return Error{ErrorCode::kStructure, options.robot,
                 "has no joint that moves: with --fixed-base there is nothing to compute"};
  }
  if (options.root.empty()) return BodyId(0);
  const FrameId frame = find_frame(model, options.root);
  if (!frame.valid()) {
    return Error{ErrorCode::kStructure, options.robot,
                 fmt::format("has no link '{}' to root the tree at: stance info lists the links",
                             options.root)};
  }
  return model.frames[frame].body;
}

// Whether the algorithms that know loops answer.
bool takes_loops(const Options& options) {
  return !options.loops.empty() || options.joint_forces ||
         options.algorithm == Algorithm::kAssembly || options.algorithm == Algorithm::kRows;
}

// What of the command line does not go together. Empty: all does.
std::string contradiction(const Options& options) {
  if (!takes_loops(options)) {
    return options.schedule == "chain" ? "" : "--schedule is of --algorithm assembly: add that";
  }
  if (options.algorithm == Algorithm::kAba || options.algorithm == Algorithm::kCrba) {
    return "--loops and --joint-forces need --algorithm assembly or rows: leave --algorithm out "
           "for "
           "assembly";
  }
  if (options.inverse || !options.contacts.empty())
    return "--algorithm assembly and rows do neither --inverse nor --contacts";
  return "";
}

int run(const Options& options) {
  if (const std::string text = contradiction(options); !text.empty())
    return fail_usage(text, "stance dynamics");
  LoadOptions build = options.load;
  build.mimic = !options.no_mimic;
  build.armature = options.joint_dynamics;
  const auto robot = load_robot(options.robot, build);
  if (!robot) return fail(robot.error());
  note_leniency(**robot, options.robot);
  const Model& model = (*robot)->model;
  const auto root = find_root(model, options);
  if (!root) return fail(root.error());

  auto input = Input::open(options.states);
  if (!input) return fail(input.error());
  auto table = CsvReader::open(input->stream(), input->name());
  if (!table) return fail(table.error());
  const ColumnRules rules{options.fixed_base, options.inverse};
  std::vector<std::string> notes;
  const auto reader = RowReader::match(model, rules, table->columns(), table->where(), notes);
  if (!reader) return fail(reader.error());
  for (const auto& text : notes) note(text);
  for (const auto& column : reader->ignored()) table->ignore(column);

  auto output = Output::open(options.out, {options.robot, options.states, options.contacts});
  if (!output) return fail(output.error());
  const RowDynamicsOptions how{options.algorithm.value_or(Algorithm::kAba), options.fixed_base,
                               options.joint_dynamics, *root};
  if (!options.contacts.empty()) {
    auto contacts = load_contacts(options.contacts, model);
    if (!contacts) return fail(contacts.error());
    ContactDynamics dynamics(model, how, *std::move(contacts));
    return contact_rows(options, model, dynamics, *table, *reader, *output);
  }
  if (takes_loops(options)) return loop_rows(options, model, how, *table, *reader, *output);
  const auto answer = options.inverse ? Quantity::kEffort : Quantity::kAcceleration;
  const auto columns = result_columns(model, answer, options.fixed_base);
  write_header(columns, "", *output);

  RowDynamics dynamics(model, how);
  const auto row = std::make_unique<StateRow>();
  std::vector<double> values;
  for (;;) {
    const auto more = table->next(values);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (const auto error = reader->read(values, table->where(), *row)) return fail(*error);
    const Status status = options.inverse ? dynamics.inverse(*row) : dynamics.forward(*row);
    if (status != Status::kOk) return fail({ErrorCode::kValue, table->where(), to_string(status)});
    write_row(columns, *row, "", *output);
  }
  if (const auto error = output->close()) return fail(*error);
  return kExitOk;
}

}  // namespace

void add_dynamics(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("dynamics",
                                     "Accelerations from efforts, or efforts from accelerations");
  command->footer(kFooter);
  command->add_option("ROBOT", options->robot, "robot description (URDF)")->required();
  add_robot_options(*command, options->load);
  command->add_option("--states", options->states, "table of states (CSV); - is standard input")
      ->required();
  command
      ->add_option(
          "--algorithm", options->algorithm,
          "of forward dynamics: aba (default) or crba; with loops assembly (default) or rows")
      ->option_text("NAME")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Algorithm>{{"aba", Algorithm::kAba},
                                           {"crba", Algorithm::kCrba},
                                           {"assembly", Algorithm::kAssembly},
                                           {"rows", Algorithm::kRows}}));
  auto* inverse = command->add_flag("--inverse", options->inverse, "efforts from accelerations");
  auto* contacts = command
                       ->add_option("--contacts", options->contacts,
                                    "contacts with the ground, and their forces (YAML, see below)")
                       ->option_text("FILE")
                       ->excludes(inverse);
  command->add_flag("--impact", options->impact, "the velocities after an impact of the contacts")
      ->needs(contacts);
  command
      ->add_option("--loops", options->loops,
                   "loops of the mechanism, and their forces (YAML, see below)")
      ->option_text("FILE")
      ->excludes(inverse)
      ->excludes(contacts);
  command
      ->add_option(
          "--schedule", options->schedule,
          "of assembly: chain (default: one joint after the other), balanced (in halves), found "
          "(as stance schedule), or a file with the list `schedule` of joints")
      ->option_text("NAME");
  command
      ->add_flag("--joint-forces", options->joint_forces, "the force through every joint as well")
      ->excludes(inverse)
      ->excludes(contacts);
  auto* fixed = command->add_flag("--fixed-base", options->fixed_base,
                                  "weld the root link to the world");
  command
      ->add_option("--root", options->root,
                   "root the tree at this link; the printed numbers stay the same")
      ->option_text("LINK")
      ->excludes(fixed);
  command->add_flag("--no-mimic", options->no_mimic, "treat mimic joints as free joints");
  command->add_flag("--joint-dynamics", options->joint_dynamics,
                    "with viscous damping and armature from the file");
  command->add_option("--out", options->out, "write to this file instead of standard output")
      ->option_text("FILE");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
