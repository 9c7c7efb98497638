#include "gait_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "stance_gait/make_walker.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_model/json.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

double weight_times_way(const GaitReport& r) {
  const Model& model = r.scenario.robot->model;
  return total_mass(model) * norm(model.gravity) * std::abs(r.found.gait.step.length);
}

std::string_view foot_name(const GaitReport& r) {
  const Model& model = r.scenario.robot->model;
  return model
      .frames[r.map.walker().settings.feet[static_cast<std::size_t>(r.map.walker().foot)].frame]
      .name.view();
}

// "step", "2 steps"
std::string period_words(const GaitReport& r) {
  return r.steps == 1 ? "step" : fmt::format("{} steps", r.steps);
}

std::string stability(const GaitReport& r) {
  const FixedPoint& gait = r.found.gait;
  const auto leading = leading_multiplier(gait.multipliers, gait.neutral);
  const double size = std::abs(leading);
  const bool limp = leading.real() < 0 && leading.imag() == 0;
  std::string words = fmt::format("{}: a small disturbance {} to {:.4g} of its size with each {}{}",
                                  size < 1 ? "stable" : "not stable",
                                  size < 1 ? "shrinks" : "grows", size, period_words(r),
                                  limp ? ", from one side to the other" : "");
  if (gait.neutral > 0) {
    words += fmt::format(
        "; but for {} multiplier{} of 1, along a coordinate that nothing pulls on, such as the "
        "turn of a balanced hip: the gait is one of a family",
        gait.neutral, gait.neutral > 1 ? "s" : "");
  }
  if (r.robust) {
    words += fmt::format(
        ". It comes back from any change of one coordinate by up to {:.3g} of 1 + its size; {} by "
        "more in {} it {}",
        r.robust->margin, r.robust->sign > 0 ? "up" : "down", r.map.name(r.robust->coordinate),
        r.robust->falls ? "falls" : "does not");
  }
  return words;
}

std::string list(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += fmt::format("{}{:.12f}", text.empty() ? "" : ", ", x);
  return text;
}

}  // namespace

std::string decimals(double x, int digits) {
  std::string text = fmt::format("{:.{}f}", x, digits);
  if (text[0] == '-' && text.find_first_not_of("-0.") == text.npos) text.erase(0, 1);
  return text;
}

std::string multiplier_text(const std::complex<double>& m) {
  if (std::abs(m.imag()) < 1e-12) return decimals(m.real(), 7);
  return fmt::format("{:.7f} {} {:.7f}i", m.real(), m.imag() < 0 ? '-' : '+', std::abs(m.imag()));
}

bool is_stable(const FixedPoint& gait) {
  return std::abs(leading_multiplier(gait.multipliers, gait.neutral)) < 1;
}

double mechanical_cost(const GaitReport& r) {
  return (r.needs.work + r.needs.push_off_work) / weight_times_way(r);
}
double positive_cost(const GaitReport& r) {
  return (r.needs.positive_work + r.needs.push_off_work) / weight_times_way(r);
}
double cost_of_transport(const GaitReport& r) {
  return mechanical_cost(r) + std::max(r.needs.gravity_work, 0.0) / weight_times_way(r);
}

std::string gait_text(const GaitReport& r) {
  const Model& model = r.scenario.robot->model;
  const FixedPoint& gait = r.found.gait;
  const double slope = slope_of(r.map.walker().settings);
  std::string text;
  text += fmt::format("slope        {} rad ({} deg)\n", decimals(slope, 12),
                      decimals(slope / kDegree, 4));
  text += fmt::format("period       {:.12f} s, {}{}\n", gait.step.period, r.steps == 1 ? "a " : "",
                      period_words(r));
  text += fmt::format("length       {:.12f} m\n", gait.step.length);
  if (r.steps > 1) {
    text += wrapped("by step      " + list(gait.step.periods) + " s", 0);
    text += wrapped("             " + list(gait.step.lengths) + " m", 0);
  }
  text += fmt::format("energy lost  {} J{}\n", decimals(gait.step.energy_lost, 12),
                      r.needs.push_off_work != 0 ? ", less what push-offs gave" : "");
  std::string all;
  for (const auto& m : gait.multipliers) all += (all.empty() ? "" : ", ") + multiplier_text(m);
  text += wrapped("multipliers  " + all, 0);
  text += fmt::format("largest      {:.7f} in size, over {}{}\n",
                      std::abs(leading_multiplier(gait.multipliers, gait.neutral)),
                      r.steps == 1 ? "a " : "", period_words(r));
  text += fmt::format("needs        normal force {:.4g} N or more, friction {:.4g}",
                      r.needs.least_normal, r.needs.most_friction);
  if (r.needs.peak_effort > 0)
    text += fmt::format(", effort {:.4g}, power {:.4g} W", r.needs.peak_effort, r.needs.peak_power);
  text += fmt::format("\ncosts        {:.6g} of weight times way", cost_of_transport(r));
  if (r.needs.work + r.needs.push_off_work > 0) {
    text += fmt::format("; {:.6g} by joints and push-offs, {:.6g} of it brought in",
                        mechanical_cost(r), positive_cost(r));
  }
  text += "\n\n" + wrapped(stability(r), 0);
  for (const std::string& remark : r.found.remarks) text += wrapped("note: " + remark, 0);
  text += fmt::format("\njust after touchdown of {}, to {:.1g} after {} iterations:\n",
                      foot_name(r), gait.residual, gait.iterations);
  const State state = r.map.state(gait.x);
  TextTable table;
  table.add_column("", TextTable::Align::kLeft);
  table.add_column("position", TextTable::Align::kRight);
  table.add_column("velocity", TextTable::Align::kRight);
  const auto row = [&](std::string_view name, double q, double v) {
    table.add_row({std::string(name), decimals(q, 12), decimals(v, 12)});
  };
  row("support", state.q[0], state.v[0]);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    row(joint.name.view(), state.q[static_cast<std::size_t>(joint.q_index)],
        state.v[static_cast<std::size_t>(joint.v_index)]);
  }
  return text + table.text(2);
}

std::string gait_json(const GaitReport& r) {
  const Model& model = r.scenario.robot->model;
  const FixedPoint& gait = r.found.gait;
  JsonWriter json;
  const auto numbers = [&](const char* key, const std::vector<double>& values) {
    json.key(key).begin_array();
    for (const double x : values) json.number(x);
    json.end_array();
  };
  json.begin_object();
  json.key("title").string(r.scenario.title);
  json.key("slope").number(slope_of(r.map.walker().settings));
  json.key("stable").boolean(is_stable(gait));
  json.key("period_steps").integer(r.steps);
  json.key("period").number(gait.step.period);
  json.key("length").number(gait.step.length);
  numbers("periods", gait.step.periods);
  numbers("lengths", gait.step.lengths);
  json.key("energy_lost").number(gait.step.energy_lost);
  numbers("energy_lost_by_step", gait.step.losses);
  json.key("multipliers").begin_array();
  for (const auto& m : gait.multipliers)
    json.begin_array().number(m.real()).number(m.imag()).end_array();
  json.end_array();
  json.key("neutral_multipliers").integer(gait.neutral);
  json.key("largest_multiplier")
      .number(std::abs(leading_multiplier(gait.multipliers, gait.neutral)));
  json.key("residual").number(gait.residual);
  json.key("iterations").integer(gait.iterations);
  constexpr const char* kOrigins[] = {"settled", "scenario", "doubled", "guess"};
  json.key("found_from").string(kOrigins[static_cast<int>(r.found.origin)]);
  json.key("foot").string(foot_name(r));
  json.key("state").begin_object();
  const State state = r.map.state(gait.x);
  const auto entry = [&](std::string_view name, double q, double v) {
    json.key(name).begin_object().key("position").number(q).key("velocity").number(v).end_object();
  };
  const JointKind kind =
      r.map.walker().settings.feet[static_cast<std::size_t>(r.map.walker().foot)].support;
  if (kind == JointKind::kBall) {
    const InitialState initial = initial_state(r.map.walker(), state);
    const auto vector = [&](const char* key, const Vec3<double>& a) {
      json.key(key).begin_array().number(a.x).number(a.y).number(a.z).end_array();
    };
    json.key("support").begin_object();
    vector("orientation", initial.orientation);
    vector("angular_velocity", initial.angular_velocity);
    json.end_object();
  } else {
    entry("support", state.q[0], state.v[0]);
  }
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    entry(joint.name.view(), state.q[static_cast<std::size_t>(joint.q_index)],
          state.v[static_cast<std::size_t>(joint.v_index)]);
  }
  json.end_object();
  json.key("needs").begin_object();
  json.key("least_normal_force").number(r.needs.least_normal);
  json.key("friction").number(r.needs.most_friction);
  json.key("peak_effort").number(r.needs.peak_effort);
  json.key("peak_power").number(r.needs.peak_power);
  json.end_object();
  json.key("cost_of_transport").number(cost_of_transport(r));
  json.key("mechanical_cost_of_transport").number(mechanical_cost(r));
  json.key("positive_cost_of_transport").number(positive_cost(r));
  json.key("push_off_work").number(r.needs.push_off_work);
  json.key("robust");
  if (r.robust) {
    json.begin_object().key("margin").number(r.robust->margin);
    json.key("coordinate").string(r.map.name(r.robust->coordinate));
    json.key("falls").boolean(r.robust->falls).end_object();
  } else {
    json.null();
  }
  json.key("notes").begin_array();
  for (const std::string& remark : r.found.remarks) json.string(remark);
  json.end_array();
  json.end_object();
  return json.text() + '\n';
}

}  // namespace stance
