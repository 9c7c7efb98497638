#include "find_plan.hpp"

#include "stance_core/assembly/find_schedule.hpp"
#include "stance_model/loop_file.hpp"

namespace stance {

Result<Schedule> find_schedule(const std::string& name, const Model& model, const Tree& tree,
                               std::span<const Closure> closures, int processors) {
  if (name == "chain") return chain_schedule(model, tree, closures);
  if (name == "balanced") return balanced_schedule(model, tree);
  if (name == "found") return find_schedule(model, tree, closures, processors);
  return load_schedule(name, model);
}

}  // namespace stance
