// Numbers of `stance dynamics`: a closed form, and identities over every kind of joint. Agreement with other libraries
// is tested in the workspace's test/test_reference.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <sstream>

#include "program.hpp"
#include "row_dynamics.hpp"
#include "row_reader.hpp"
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

// Every coordinate, velocity and effort random; quaternions of length one; mimic joints at their leaders.
StateRow random_row(const Model& model, std::mt19937& source) {
  std::normal_distribution<double> normal;
  StateRow row;
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& column : state_columns(model)) {
    if (column.quantity == Quantity::kAcceleration || column.mimic) continue;
    names.push_back(column.name);
    values.push_back(normal(source));
  }
  // whole quaternions, wherever they are
  for (std::size_t i = 0; i + 3 < names.size(); ++i) {
    if (!names[i].ends_with(".qx")) continue;
    const double length = std::hypot(std::hypot(values[i], values[i + 1]),
                                     std::hypot(values[i + 2], values[i + 3]));
    for (std::size_t k = i; k < i + 4; ++k) values[k] /= length;
  }
  std::vector<std::string> notes;
  const auto reader = RowReader::match(model, {}, names, "random", notes);
  EXPECT_TRUE(reader);
  EXPECT_FALSE(reader->read(values, "random", row));
  return row;
}

double difference(const DofVector& a, const DofVector& b, int first, int count) {
  double worst = 0, scale = 1;
  for (int i = first; i < count; ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return worst / scale;
}

constexpr double kTolerance =
    1e-11;  // rounding, some hundred operations deep, times the condition of small robots

struct Sample {
  const char* name;
  std::string urdf;
};
class EveryRobot : public testing::TestWithParam<Sample> {};
INSTANTIATE_TEST_SUITE_P(Samples, EveryRobot,
                         testing::Values(Sample{"Leg", sample::leg()},
                                         Sample{"MimicLeg", sample::mimic_leg()},
                                         Sample{"ManyAxes", sample::many_axes()}),
                         [](const auto& test) { return test.param.name; });

TEST_P(EveryRobot, InverseUndoesForwardFromEveryRoot) {
  const auto loaded = robot(GetParam().urdf);
  const Model& model = loaded->model;
  std::mt19937 source(11);
  for (int sample = 0; sample < 5; ++sample) {
    const StateRow row = random_row(model, source);
    StateRow expected = row;
    ASSERT_EQ(RowDynamics(model, {}).forward(expected), Status::kOk);
    for (int body = 0; body < model.body_count; ++body) {
      for (const auto algorithm : {Algorithm::kAba, Algorithm::kCrba}) {
        RowDynamicsOptions options;
        options.algorithm = algorithm;
        options.root = BodyId(body);
        RowDynamics dynamics(model, options);
        StateRow found = row;
        ASSERT_EQ(dynamics.forward(found), Status::kOk);
        EXPECT_LT(difference(found.a, expected.a, 0, model.dof_count), kTolerance)
            << "root " << body;
        found.tau.fill(NAN);
        ASSERT_EQ(dynamics.inverse(found), Status::kOk);
        EXPECT_LT(difference(found.tau, row.tau, 0, model.dof_count), kTolerance)
            << "root " << body;
      }
    }
  }
}

TEST_P(EveryRobot, InverseUndoesForwardOnAFixedBase) {
  const auto loaded = robot(GetParam().urdf);
  const Model& model = loaded->model;
  std::mt19937 source(12);
  RowDynamicsOptions options;
  options.fixed_base = options.damping = true;
  RowDynamics dynamics(model, options);
  for (int sample = 0; sample < 5; ++sample) {
    StateRow row = random_row(model, source);
    std::fill_n(row.v.begin(), kSupportDofs, 0.0);
    std::fill_n(row.tau.begin(), kSupportDofs, 0.0);
    const DofVector tau = row.tau;
    ASSERT_EQ(dynamics.forward(row), Status::kOk);
    EXPECT_EQ(difference(row.a, DofVector{}, 0, kSupportDofs), 0);
    ASSERT_EQ(dynamics.inverse(row), Status::kOk);
    EXPECT_LT(difference(row.tau, tau, 0, model.dof_count), kTolerance);
  }
}

// The bound robot moves as the unbound one does under the efforts that hold the tie: of those only the sum that the
// leader feels, tau_hip + k tau_knee, comes from outside.
TEST(MimicDynamics, IsTheUnboundRobotHeldByItsTie) {
  const auto bound = robot(sample::mimic_leg()), unbound = robot(sample::mimic_leg(), false);
  std::mt19937 source(13);
  RowDynamicsOptions options;
  options.damping = true;
  StateRow row = random_row(bound->model, source);
  const DofVector tau = row.tau;
  ASSERT_EQ(RowDynamics(bound->model, options).forward(row), Status::kOk);
  EXPECT_NEAR(row.a[7], -2 * row.a[6], 1e-12 * std::abs(row.a[6]));
  ASSERT_EQ(RowDynamics(unbound->model, options).inverse(row), Status::kOk);
  EXPECT_NEAR(row.tau[6] - 2 * row.tau[7], tau[6],
              kTolerance * std::max(1.0, std::abs(row.tau[7])));
  EXPECT_LT(difference(row.tau, tau, 0, kSupportDofs), kTolerance);
}

std::vector<double> column_of_numbers(const std::string& text, const std::string& header) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, header);
  std::vector<double> numbers;
  while (std::getline(in, line)) numbers.push_back(std::stod(line));
  return numbers;
}

TEST(DynamicsCommand, SwingsThePendulumByItsClosedForm) {
  const TemporaryFile urdf(sample::pendulum(), ".urdf");
  const double m = 2, l = 0.5, g = 9.81, d = 0.25, J = 0.125;
  const double q = 0.7, v = -1.3, tau = 2.5;
  const std::string table = "tau.pivot,q.pivot,v.pivot\n2.5,0.7,-1.3\n0,0,0\n";
  const std::string command = "dynamics " + urdf.path() + " --fixed-base --states - ";
  for (const char* algorithm : {"--algorithm aba", "--algorithm crba"}) {
    const auto bare = column_of_numbers(run_stance(command + algorithm, table).out, "a.pivot");
    ASSERT_EQ(bare.size(), 2u);
    EXPECT_NEAR(bare[0], (tau - m * g * l * std::sin(q)) / (m * l * l), 1e-13);
    EXPECT_EQ(bare[1], 0);
    const auto drives = column_of_numbers(
        run_stance(command + "--joint-dynamics " + algorithm, table).out, "a.pivot");
    ASSERT_EQ(drives.size(), 2u);
    EXPECT_NEAR(drives[0], (tau - d * v - m * g * l * std::sin(q)) / (m * l * l + J), 1e-13);
  }
  const auto efforts = run_stance(command + "--inverse --joint-dynamics",
                                  "a.pivot,q.pivot,v.pivot\n3,0.7,-1.3\n");
  EXPECT_EQ(efforts.err, "");
  EXPECT_NEAR(column_of_numbers(efforts.out, "tau.pivot").at(0),
              (m * l * l + J) * 3 + d * v + m * g * l * std::sin(q), 1e-13);

  // on its side the rod hangs along the world's y, and gravity does not turn it about its own y
  const auto aside = run_stance(command,
                                "tau.pivot,q.pivot,v.pivot,base.qx,base.qy,base.qz,base.qw\n"
                                "0,0.7,0,0.70710678118654757,0,0,0.70710678118654757\n");
  EXPECT_NEAR(column_of_numbers(aside.out, "a.pivot").at(0), 0, 1e-13);
}

TEST(DynamicsCommand, WritesTheSameToAFile) {
  const TemporaryFile urdf(sample::leg(), ".urdf"), out("old", ".csv"),
      states("q.hip,q.knee,v.hip,v.knee\n0.1,0.2,0.3,0.4\n", ".csv");
  const std::string command = "dynamics " + urdf.path() + " --fixed-base --states " + states.path();
  const auto printed = run_stance(command), written = run_stance(command + " --out " + out.path());
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.err,
            "stance: note: " + states.path() + ":1: no tau columns: all joint efforts are zero\n");
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(read_text(out.path()), printed.out);
  EXPECT_EQ(printed.out.substr(0, 13), "a.hip,a.knee\n");
}

TEST(DynamicsCommand, NamesAloneGiveNamesAlone) {
  const TemporaryFile urdf(sample::leg(), ".urdf");
  const auto run = run_stance("dynamics " + urdf.path() + " --fixed-base --states -",
                              "q.hip,q.knee,v.hip,v.knee,tau.hip,tau.knee\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, "a.hip,a.knee\n");
}

// Rows before the mistake are printed: the table may be a pipe that never ends.
TEST(DynamicsCommand, StopsAtTheLineOfTheMistake) {
  const TemporaryFile urdf(sample::leg(), ".urdf");
  const auto run = run_stance(
      "dynamics " + urdf.path() + " --fixed-base --states -",
      "q.hip,q.knee,v.hip,v.knee,tau.hip,tau.knee\n0,0,0,0,0,0\n0,0,0,0,0,x\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 2);
  EXPECT_EQ(run.err, "stance: standard input:3: column 'tau.knee': 'x' is not a number\n");
}

// A velocity whose square overflows.
TEST(DynamicsCommand, AStatusThatIsNotOkNamesTheLine) {
  const TemporaryFile urdf(sample::leg(), ".urdf");
  const auto run = run_stance(
      "dynamics " + urdf.path() + " --fixed-base --states -",
      "q.hip,q.knee,v.hip,v.knee,tau.hip,tau.knee\n0,0,0,0,0,0\n1,1,1e300,1e300,0,0\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "stance: standard input:3: a number is not finite\n");
}

}  // namespace
}  // namespace stance
