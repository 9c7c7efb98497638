#include "stance_core/model/tree.hpp"

#include <algorithm>
#include <bit>

#include "model/tree_kernel.hpp"
#include "processor/kernels.hpp"

namespace stance {
namespace {

// Which of these have children besides, or other than, the one that follows them. A body alone counts as one: what it
// gathers has no other place either.
void mark_branches(const Tree& tree, std::span<const BodyId> bodies,
                   std::array<bool, kMaxBodies>& branches) noexcept {
  branches.fill(false);
  if (bodies.size() == 1) branches[bodies[0]] = true;
  for (std::size_t k = 1; k < bodies.size(); ++k) {
    const BodyId parent = tree.links[bodies[k]].parent;
    if (parent != bodies[k - 1]) branches[parent] = true;
  }
}

// Parents before children, and the same for a given root whatever came before: first the chain from the root to
// body 0, then all others in the file's order, in which their parents come first.
void number(const Model& model, Tree& tree) noexcept {
  std::array<bool, kMaxBodies> on_chain{};
  int count = 0;
  for (BodyId i = tree.root; i.valid(); i = model.bodies[i].parent) {
    tree.order[count++] = i;
    on_chain[i] = true;
  }
  for (int i = 0; i < model.body_count; ++i) {
    if (!on_chain[i]) tree.order[count++] = BodyId(i);
  }
  mark_branches(tree, tree.bodies(), tree.branches);
  // degrees of freedom in walking order; those of one joint follow each other
  std::array<std::int16_t, kMaxBodies> last;  // the last one at or above a body
  tree.dof_count = 0;
  for (int k = 0; k < count; ++k) {
    Link& link = tree.links[tree.order[k]];
    link.dof = tree.dof_count;
    std::int16_t towards_root = link.parent.valid() ? last[link.parent] : std::int16_t{-1};
    for (int j = 0; j < dof_count(link.kind); ++j) {
      tree.dof_parent[tree.dof_count] = towards_root;
      towards_root = static_cast<std::int16_t>(tree.dof_count++);
    }
    last[tree.order[k]] = towards_root;
  }
}

// Which limbs are walked in lanes, and who is left for the trunk. A limb the root stands in, or one with a locked
// joint, is not; nor is what it hangs on, as the trunk is walked first. Nor is a group that costs more than it saves.
void assign_lanes(const Model& model, Tree& tree) noexcept {
  const LanePlan& plan = model.lanes;
  LaneWalk& walk = tree.lanes;
  walk.trunk_count = walk.group_count = 0;
  if (plan.group_count == 0) return;
  std::array<std::uint8_t, kMaxLimbGroups> active{};
  for (int g = 0; g < plan.group_count; ++g) {
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if (plan.groups[g].length[lane] > 0) active[g] |= static_cast<std::uint8_t>(1u << lane);
    }
  }
  const auto in_lanes = [&](BodyId body) {
    const int g = plan.group_of[body];
    return g >= 0 && (active[g] >> plan.lane_of[body] & 1) != 0;
  };
  const auto take_out = [&](BodyId body) {
    while (in_lanes(body)) {
      const int g = plan.group_of[body], lane = plan.lane_of[body];
      active[g] &= static_cast<std::uint8_t>(~(1u << lane));
      body = plan.groups[g].parent[lane];
    }
  };
  take_out(tree.root);
  for (int i = 1; i < tree.body_count; ++i) {
    if (!tree.locked[i]) continue;
    take_out(BodyId(i));
    take_out(model.bodies[i].parent);
  }
  // limbs that could be in lanes but are in no group that is worth it
  std::array<bool, kMaxLimbGroups> spare{};
  for (int g = plan.group_count - 1; g >= 0; --g) {
    const LimbGroup& group = plan.groups[g];
    int sum = 0, longest = 0;
    bool on_trunk = true;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if ((active[g] >> lane & 1) == 0) continue;
      sum += group.length[lane];
      longest = std::max<int>(longest, group.length[lane]);
      on_trunk &= !in_lanes(group.parent[lane]);
    }
    if (!on_trunk || kPackCost * longest < sum) continue;
    spare[g] = active[g] != 0;
    active[g] = 0;
  }
  // one of them for the only lane of a group that would run empty
  std::array<std::int16_t, kMaxLimbGroups> lent;  // the lane
  std::array<bool, kMaxLimbGroups> is_guest{};    // its own group is not walked
  for (int g = 0; g < plan.group_count; ++g) {
    lent[g] = -1;
    const int guest = plan.stand_ins[g].group;
    const unsigned empty = ~active[g] & ((1u << kLimbLanes) - 1);
    if (active[g] == 0 || guest < 0 || !spare[guest] || std::popcount(empty) != 1) continue;
    lent[g] = static_cast<std::int16_t>(std::countr_zero(empty));
    spare[guest] = false;
    is_guest[guest] = true;
    active[guest] = 1;
  }
  for (int k = 0; k < tree.body_count; ++k) {
    if (!in_lanes(tree.order[k])) walk.trunk[walk.trunk_count++] = tree.order[k];
  }
  mark_branches(tree, {walk.trunk.data(), static_cast<std::size_t>(walk.trunk_count)},
                walk.branches);
  for (int g = 0; g < plan.group_count; ++g) {
    if (active[g] == 0 || is_guest[g]) continue;
    const bool full = lent[g] >= 0;
    const LimbGroup& group = full ? plan.stand_ins[g].groups[lent[g]] : plan.groups[g];
    const LimbPack& first = plan.packs[group.first_pack];
    Transform<LimbLanes>& X_T = walk.X_T[walk.group_count];
    X_T = first.X_T;
    walk.active[walk.group_count] = full ? (1u << kLimbLanes) - 1 : active[g];
    walk.weight[walk.group_count] = LimbLanes(0);
    walk.one_parent[walk.group_count] = true;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      walk.one_parent[walk.group_count] &= group.parent[lane] == group.parent[0];
      if ((walk.active[walk.group_count] >> lane & 1) == 0) continue;
      walk.weight[walk.group_count].set(lane, 1);
      walk.branches[group.parent[lane]] = true;
      set_lane(lane, tree.links[first.body[lane]].X_T, X_T);
    }
    walk.groups[walk.group_count++] = group;
  }
}

}  // namespace

Tree make_tree(const Model& model, BodyId root, const Support& support) noexcept {
  Tree tree;
  tree.root = BodyId(0);
  tree.support = support;
  tree.body_count = model.body_count;
  for (int i = 1; i < model.body_count; ++i) enter(model, BodyId(i), JointId(i), tree);
  enter_from_world(model, tree);
  for (int i = 1; i < model.body_count; ++i) place_in_parent(model, tree.links[i], tree);
  number(model, tree);
  change_root(model, root, support, tree);
  return tree;
}

void change_root(const Model& model, BodyId root, const Support& support, Tree& tree) noexcept {
  tree.support = support;
  kernels(model.processor).turn_links(model, root, tree);
}

void walk_anew(const Model& model, bool same_order, Tree& tree) noexcept {
  if (!same_order) number(model, tree);
  assign_lanes(model, tree);
}

// The body that is entered through the joint.
static BodyId entered_through(const Model& model, JointId joint, const Tree& tree) noexcept {
  const BodyId child(joint);
  return tree.links[child].joint == joint ? child : model.bodies[child].parent;
}

static void set_lock(const Model& model, JointId joint, bool locked, double position,
                     Tree& tree) noexcept {
  tree.locked[joint] = locked;
  tree.locked_position[joint] = position;
  Link& link = tree.links[entered_through(model, joint, tree)];
  link.kind = locked ? JointKind::kFixed : model.joints[joint].kind;
  // as turn_links does it, to the last bit
  kernels(model.processor).place_in_parent(model, link, tree);
  walk_anew(model, false, tree);
}

// The joint that moves `joint`, itself or its leader, and by which factor and offset.
static Mimic drive_of(const Model& model, JointId joint) noexcept {
  for (int k = 0; k < model.mimic_count; ++k) {
    if (model.mimics[k].joint == joint) return model.mimics[k];
  }
  return {joint, joint, 1, 0};
}

void lock_joint(const Model& model, JointId joint, double position, Tree& tree) noexcept {
  const Mimic drive = drive_of(model, joint);
  if (drive.multiplier == 0) return;  // it does not move anyway
  const double leader_position = (position - drive.offset) / drive.multiplier;
  set_lock(model, drive.leader, true, leader_position, tree);
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (mimic.leader != drive.leader) continue;
    set_lock(model, mimic.joint, true, mimic.multiplier * leader_position + mimic.offset, tree);
  }
}

void release_joint(const Model& model, JointId joint, Tree& tree) noexcept {
  const JointId leader = drive_of(model, joint).leader;
  set_lock(model, leader, false, 0, tree);
  for (int k = 0; k < model.mimic_count; ++k) {
    if (model.mimics[k].leader == leader) set_lock(model, model.mimics[k].joint, false, 0, tree);
  }
}

State neutral_state(const Model& model, const Tree& tree) noexcept {
  State state;
  joint_neutral(tree.support.kind, state.q.data());
  for (int i = 1; i < model.body_count; ++i) {
    joint_neutral(model.joints[i].kind, &state.q[model.joints[i].q_index]);
  }
  apply_mimic(model, state);
  return state;
}

PoseTwist body_motion(const Model& model, const Tree& tree, const State& state,
                      BodyId body) noexcept {
  return kernels(model.processor).body_motion(tree, state, body);
}

void set_root_motion(const Tree& tree, const Transform<double>& X_WH, const Motion<double>& V_H,
                     State& state) noexcept {
  const Support& s = tree.support;
  const Transform<double> X_J = inverse(s.X_WA) * X_WH * s.X_HC;  // Stepien (22)
  set_support(0, 0, state);
  joint_coordinates(s.kind, X_J, state.q.data(), s.radius);
  joint_components(s.kind, to_child(s.X_HC, V_H), state.v.data());
}

void apply_mimic(const Model& model, State& state) noexcept {
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    const Joint& joint = model.joints[mimic.joint];
    const Joint& leader = model.joints[mimic.leader];
    state.q[joint.q_index] = mimic.multiplier * state.q[leader.q_index] + mimic.offset;
    state.v[joint.v_index] = mimic.multiplier * state.v[leader.v_index];
  }
}

Crossing cross_joint(const Tree& tree, const Link& link, const State& state) noexcept {
  const double* q = &state.q[link.q_index];
  const double* v = &state.v[link.v_index];
  const Transform<double> X_J = joint_transform(link.kind, q, tree.support.radius);
  const Motion<double> v_J = joint_motion(link.kind, q, v, tree.support.radius);
  if (!link.reversed) return {link.X_T * X_J, X_J, v_J};
  return {link.X_T * inverse(X_J), X_J, reversed_motion(X_J, v_J)};
}

}  // namespace stance
