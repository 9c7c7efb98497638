#include "row_reader.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "csv.hpp"
#include "sample_robots.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

std::unique_ptr<Robot> robot(const std::string& urdf, bool mimic = true) {
  LoadOptions options;
  options.mimic = mimic;
  auto made = make_robot(urdf, options);
  if (!made) {
    ADD_FAILURE() << made.error().text();
    return nullptr;
  }
  return std::move(*made);
}

struct Reading {
  std::string error;
  std::vector<std::string> notes;
  std::unique_ptr<StateRow> row = std::make_unique<StateRow>();  // the last one
};

Reading read(const Model& model, const ColumnRules& rules, const std::string& text) {
  Reading reading;
  std::istringstream in(text);
  auto table = CsvReader::open(in, "t.csv");
  if (!table) return reading.error = table.error().text(), std::move(reading);
  const auto reader = RowReader::match(model, rules, table->columns(), table->where(),
                                       reading.notes);
  if (!reader) return reading.error = reader.error().text(), std::move(reading);
  std::vector<double> values;
  for (;;) {
    const auto more = table->next(values);
    if (!more) return reading.error = more.error().text(), std::move(reading);
    if (!*more) return reading;
    if (const auto error = reader->read(values, table->where(), *reading.row)) {
      reading.error = error->text();
      return reading;
    }
  }
}

constexpr ColumnRules kFixed{.fixed_base = true, .inverse = false};
constexpr ColumnRules kFixedInverse{.fixed_base = true, .inverse = true};
constexpr ColumnRules kFree{.fixed_base = false, .inverse = false};
constexpr ColumnRules kFreeInverse{.fixed_base = false, .inverse = true};

TEST(RowReader, PutsNumbersWhereTheStateHasThem) {
  const auto leg = robot(sample::leg());
  const auto reading = read(
      leg->model, kFree,
      "v.knee,v.hip,q.knee,q.hip,tau.hip,tau.knee,base.qw,base.qx,base.qy,base.qz,base.x,base.y,"
      "base.z,base.vx,base.vy,base.vz,base.wx,base.wy,base.wz,base.fz,base.mx\n"
      "1,2,3,4,5,6,0.8,0,0.6,0,7,8,9,10,11,12,13,14,15,16,17\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_TRUE(reading.notes.empty());
  const auto& row = *reading.row;
  const std::vector<double> q(row.q.begin(), row.q.begin() + 9),
      v(row.v.begin(), row.v.begin() + 8), tau(row.tau.begin(), row.tau.begin() + 8);
  EXPECT_EQ(q, (std::vector<double>{7, 8, 9, 0, 0.6, 0, 0.8, 4, 3}));
  EXPECT_EQ(v, (std::vector<double>{13, 14, 15, 10, 11, 12, 2, 1}));
  EXPECT_EQ(tau, (std::vector<double>{17, 0, 0, 0, 0, 16, 5, 6}));
}

TEST(RowReader, QuaternionsAreNormalised) {
  const auto leg = robot(sample::leg());
  const auto reading = read(
      leg->model, kFixed,
      "base.qx,base.qy,base.qz,base.qw,q.hip,v.hip,q.knee,v.knee,tau.hip,tau.knee\n"
      "0.6000003,0,0,0.8000004,0,0,0,0,0,0\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_DOUBLE_EQ(reading.row->q[3], 0.6);
  EXPECT_DOUBLE_EQ(reading.row->q[6], 0.8);
}

TEST(RowReader, ErrorsNameTheColumnAndTheLine) {
  const auto leg = robot(sample::leg());
  const std::string joints = "q.hip,q.knee,v.hip,v.knee,tau.hip,tau.knee", zeros = "0,0,0,0,0,0";
  const std::string pose = "base.x,base.y,base.z,base.qx,base.qy,base.qz,base.qw",
                    twist = "base.vx,base.vy,base.vz,base.wx,base.wy,base.wz";
  struct Case {
    ColumnRules rules;
    std::string table, error;
  };
  const Case cases[] = {
      {kFixed, "q.hipp," + joints, "t.csv:1: unknown column 'q.hipp': did you mean 'q.hip'?"},
      {kFixed, joints + ",base.quatx",
       "t.csv:1: unknown column 'base.quatx': did you mean 'base.qx'?"},
      {kFixed, joints + ",base.roll", "t.csv:1: unknown column 'base.roll': columns are base.*,"},
      {kFixed, joints + ",temperature",
       "t.csv:1: unknown column 'temperature': columns are base.*, and q., v."},
      {kFixed, joints + "," + std::string(900000, 'x'),
       "t.csv:1: unknown column 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...': columns"},
      {kFixed, joints + ",\x1b[31m", "t.csv:1: unknown column '?[31m': columns"},
      {kFixed, joints + ",q.ankle",
       "t.csv:1: unknown column 'q.ankle': columns are"},  // a fixed joint has none
      {kFixed, "q.hip,v.hip,v.knee,tau.hip,tau.knee", "t.csv:1: missing column: q.knee"},
      {kFixed, "q.hip,q.knee,tau.hip,tau.knee", "t.csv:1: missing columns: v.hip, v.knee"},
      {kFixed, "q.hip,q.knee,v.hip,v.knee,tau.hip", "t.csv:1: missing column: tau.knee"},
      {kFixed, joints + ",base.qx", "t.csv:1: missing columns: base.qy, base.qz, base.qw"},
      {kFixed, joints + ",base.x", "t.csv:1: missing columns: base.y, base.z"},
      {kFixedInverse, "q.hip,q.knee,v.hip,v.knee,a.hip", "t.csv:1: missing column: a.knee"},
      {kFree, joints,
       "t.csv:1: missing columns: base.x, base.y, base.z, base.qx, base.qy, base.qz, base.qw, "
       "base.vx and 5 more "
       "(or give --fixed-base to weld the root link to the world)"},
      {kFree, joints + "," + pose,
       "t.csv:1: missing columns: base.vx, base.vy, base.vz, base.wx, base.wy, base.wz (or"},
      {kFreeInverse, pose + "," + twist + ",q.hip,q.knee,v.hip,v.knee,a.hip,a.knee",
       "t.csv:1: missing columns: base.ax, base.ay, base.az, base.alphax, base.alphay, "
       "base.alphaz"},
      {kFixed, joints + ",base.wz\n" + zeros + ",0\n" + zeros + ",0.5",
       "t.csv:3: base.wz is 0.5, but --fixed-base holds the root link still: remove the column or "
       "set it to 0"},
      {kFixed, joints + ",base.fx\n" + zeros + ",1",
       "t.csv:2: base.fx is 1, but --fixed-base holds"},
      {kFixedInverse, "q.hip,q.knee,v.hip,v.knee,a.hip,a.knee,base.ax\n" + zeros + ",1",
       "t.csv:2: base.ax is 1, but"},
      {kFixed, joints + ",base.qx,base.qy,base.qz,base.qw\n" + zeros + ",0,0,0,2",
       "t.csv:2: the quaternion base.qx base.qy base.qz base.qw has length 2: it must be 1"},
      {kFixed, joints + ",base.qx,base.qy,base.qz,base.qw\n" + zeros + ",0,0,0,0",
       "t.csv:2: the quaternion base.qx base.qy base.qz base.qw has length 0: it must be 1"},
  };
  for (const auto& [rules, table, error] : cases) {
    EXPECT_EQ(read(leg->model, rules, table + "\n").error.substr(0, error.size()), error) << table;
  }
}

TEST(RowReader, TheQuaternionOfAJointIsCheckedToo) {
  const auto many = robot(sample::many_axes());
  std::string header, values;
  for (const auto& column : state_columns(many->model)) {
    const bool needed = column.quantity == Quantity::kPosition ||
                        column.quantity == Quantity::kVelocity;
    if (!needed || !column.joint.valid()) continue;
    header += (header.empty() ? "" : ",") + column.name;
    values += std::string(values.empty() ? "" : ",") + (column.name == "q.shoulder.qw" ? "1" : "0");
  }
  const auto reading = read(many->model, kFixed, header + "\n" + values + "\n");
  EXPECT_EQ(reading.error,
            "t.csv:2: the quaternion q.tether.qx q.tether.qy q.tether.qz q.tether.qw has length 0: "
            "it must be 1");
}

TEST(RowReader, RefusesJointsWhoseColumnsCannotBeToldApart) {
  const auto twins = robot("<robot name='twins'>" + sample::link("trunk") + sample::link("a") +
                           sample::link("b") + sample::joint("table", "planar", "trunk", "a") +
                           sample::joint("table.x", "continuous", "trunk", "b") + "</robot>");
  EXPECT_EQ(read(twins->model, kFixed, "q.table.x\n").error,
            "t.csv:1: two joints of the robot would both have a column 'q.table.x': rename one");
}

TEST(RowReader, SaysWhatItDoesNotRead) {
  const auto leg = robot(sample::leg());
  const auto passive = read(leg->model, kFixed, "q.hip,q.knee,v.hip,v.knee,a.hip\n1,2,3,4,5\n");
  EXPECT_EQ(passive.error, "");
  EXPECT_EQ(passive.notes, (std::vector<std::string>{
                               "t.csv:1: not read, because accelerations are computed: a.hip",
                               "t.csv:1: no tau columns: all joint efforts are zero"}));
  EXPECT_EQ(passive.row->a, DofVector{});
  const auto inverse = read(leg->model, kFixedInverse,
                            "q.hip,q.knee,v.hip,v.knee,a.hip,a.knee,tau.hip\n1,2,3,4,5,6,7\n");
  EXPECT_EQ(inverse.error, "");
  EXPECT_EQ(inverse.notes,
            (std::vector<std::string>{"t.csv:1: not read, because efforts are computed: tau.hip"}));
  EXPECT_EQ(inverse.row->tau, DofVector{});
}

TEST(RowReader, MimicJointsFollowTheirLeaders) {
  const auto leg = robot(sample::mimic_leg());
  // q_knee = -2 q_hip + 0.1; the columns of the knee may be absent, and must agree where they are given
  auto reading = read(leg->model, kFixed, "q.hip,v.hip,tau.hip\n0.3,0.5,7\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_DOUBLE_EQ(reading.row->q[8], -0.5);
  EXPECT_DOUBLE_EQ(reading.row->v[7], -1);

  reading = read(leg->model, kFixed,
                 "q.hip,v.hip,tau.hip,q.knee,v.knee,tau.knee\n0.3,0.5,7,-0.5,-1,2\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_DOUBLE_EQ(reading.row->tau[6], 7 - 2 * 2);  // by power: tau v is the same
  EXPECT_DOUBLE_EQ(reading.row->tau[7], 0);

  reading = read(leg->model, kFixed, "q.hip,v.hip,q.knee\n0.3,0.5,-0.5\n0.3,0.5,-0.4\n");
  EXPECT_EQ(reading.error.substr(0, 92),
            "t.csv:3: q.knee is -0.40000000000000002, but joint 'knee' follows 'hip', which makes "
            "it -0.5");
  reading = read(leg->model, kFixed, "q.hip,v.hip,v.knee\n0.3,0.5,1\n");
  EXPECT_EQ(reading.error.substr(0, 62),
            "t.csv:2: v.knee is 1, but joint 'knee' follows 'hip', which ma");

  const auto unbound = robot(sample::mimic_leg(), false);
  EXPECT_EQ(read(unbound->model, kFixed, "q.hip,v.hip\n0.3,0.5\n").error,
            "t.csv:1: missing columns: q.knee, v.knee");
}

}  // namespace
}  // namespace stance
