// The material of a contact in a YAML file: friction and restitution.
#pragma once

#include "setting.hpp"
#include "stance_core/contact/material.hpp"

namespace stance {

// The keys `friction` (a number, or {static, kinetic}) and `restitution`, where they are there.
void read_material(const Keys& keys, Material& material);

}  // namespace stance
