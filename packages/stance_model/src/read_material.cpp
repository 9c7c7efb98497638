#include "read_material.hpp"

#include <fmt/format.h>

namespace stance {
namespace {

double coefficient(const Setting& setting) {
  const double mu = setting.quantity(kPureNumber);
  if (mu < 0) setting.refuse(ErrorCode::kValue, "is below zero; friction only takes energy out");
  return mu;
}

}  // namespace

void read_material(const Keys& keys, Material& material) {
  if (const auto friction = keys.find("friction")) {
    if (friction->is_scalar()) {
      material.mu_static = material.mu_kinetic = coefficient(*friction);
    } else {
      const Keys both(*friction, {"static", "kinetic"});
      material.mu_static = coefficient(both.require("static", "static: 0.8"));
      const Setting kinetic = both.require("kinetic", "kinetic: 0.6");
      material.mu_kinetic = coefficient(kinetic);
      if (material.mu_kinetic > material.mu_static) {
        kinetic.refuse(ErrorCode::kValue,
                       fmt::format("is {:g}, above the static {:g}: nothing slides harder than it "
                                   "sticks",
                                   material.mu_kinetic, material.mu_static));
      }
    }
  }
  if (const auto restitution = keys.find("restitution")) {
    material.restitution = restitution->quantity(kPureNumber);
    if (material.restitution < 0 || material.restitution > 1)
      restitution->refuse(ErrorCode::kValue, "must lie from 0 (it stays) to 1 (it bounces whole)");
  }
}

}  // namespace stance
