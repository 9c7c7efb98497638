#include "stance_model/state_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

std::string link(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='0.03' ixy='0' ixz='0' iyy='0.04' iyz='0' "
         "izz='0.02'/></inertial></link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/><axis xyz='0 0 1'/>" + inside + "</joint>";
}

const std::string kLeg = "<robot name='leg'>" + link("trunk") + link("thigh") + link("shank") +
                         joint("hip", "continuous", "trunk", "thigh") +
                         joint("knee", "continuous", "thigh", "shank") + "</robot>";

// One joint of each kind that has several axes.
const std::string kManyAxes = "<robot name='many_axes'>" + link("trunk") + link("ball_link") +
                              link("plate") + link("drone") + link("slider") +
                              joint("shoulder", "floating", "trunk", "ball_link",
                                    "<stance type='ball'/>") +
                              joint("table", "planar", "trunk", "plate") +
                              joint("tether", "floating", "plate", "drone") +
                              joint("rail", "prismatic", "ball_link", "slider",
                                    "<limit lower='-2' upper='2.5' velocity='8' effort='60'/>") +
                              "</robot>";

std::unique_ptr<Robot> robot(const std::string& urdf) {
  auto made = make_robot(urdf);
  if (!made) {
    ADD_FAILURE() << made.error().text();
    return nullptr;
  }
  return std::move(*made);
}

std::vector<std::string> names(const std::vector<Column>& columns) {
  std::vector<std::string> result;
  result.reserve(columns.size());
  for (const auto& column : columns) result.push_back(column.name);
  return result;
}

TEST(StateColumns, AnswerHasTheBaseFirstAndLinearAxesFirst) {
  const auto leg = robot(kLeg);
  EXPECT_EQ(names(result_columns(leg->model, Quantity::kAcceleration, false)),
            (std::vector<std::string>{"base.ax", "base.ay", "base.az", "base.alphax", "base.alphay",
                                      "base.alphaz", "a.hip", "a.knee"}));
  EXPECT_EQ(names(result_columns(leg->model, Quantity::kEffort, false)),
            (std::vector<std::string>{"base.fx", "base.fy", "base.fz", "base.mx", "base.my",
                                      "base.mz", "tau.hip", "tau.knee"}));
  EXPECT_EQ(names(result_columns(leg->model, Quantity::kEffort, true)),
            (std::vector<std::string>{"tau.hip", "tau.knee"}));
}

TEST(StateColumns, JointsWithSeveralAxesHaveSuffixes) {
  const auto many = robot(kManyAxes);
  const auto all = names(state_columns(many->model));
  for (const char* name :
       {"q.shoulder.qx", "q.shoulder.qw", "v.shoulder.wx",  "tau.shoulder.mz", "a.shoulder.alphay",
        "q.table.x",     "q.table.theta", "v.table.vy",     "v.table.wz",      "tau.table.fx",
        "tau.table.mz",  "a.table.ax",    "a.table.alphaz", "q.tether.z",      "q.tether.qw",
        "v.tether.vx",   "v.tether.wz",   "tau.tether.fz",  "a.tether.alphax", "q.rail",
        "v.rail",        "tau.rail",      "a.rail"}) {
    EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << name;
  }
  EXPECT_EQ(all.size(), 7u + 4 + 3 + 7 + 1 + 3 * (6 + 3 + 3 + 6 + 1));
}

// Each column has a place of its own, and every place of the row has a column.
TEST(StateColumns, FillTheWholeRowOnce) {
  const auto many = robot(kManyAxes);
  std::map<Quantity, std::vector<int>> places;
  for (const auto& column : state_columns(many->model))
    places[column.quantity].push_back(column.index);
  for (auto& [quantity, indices] : places) {
    std::sort(indices.begin(), indices.end());
    const bool position = quantity == Quantity::kPosition;
    ASSERT_EQ(indices.size(), position ? many->model.coordinate_count : many->model.dof_count);
    for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(indices[i], i);
  }
}

}  // namespace
}  // namespace stance
