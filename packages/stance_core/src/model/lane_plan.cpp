#include "stance_core/model/lane_plan.hpp"

#include <algorithm>
#include <limits>

#include "stance_core/model/tree.hpp"

namespace stance {
namespace {

constexpr int kNever = std::numeric_limits<int>::max();

struct PlannedLimb {
  const BodyId* bodies = nullptr;  // from the tip to the attachment
  int length = 0;
  BodyId parent;
  int first_layer = 0;      // all that hangs on it is done by then
  int last_layer = kNever;  // before what it hangs on
  bool planned = false;
};

struct Limbs {
  std::array<BodyId, kMaxBodies> bodies;  // of all limbs, one after the other
  std::array<PlannedLimb, kMaxBodies> limbs;
  int count = 0;
  int layer_count = 0;
};

// The body that stays in the trunk whatever happens: the root link, or the first branching after it where the file
// begins at the end of a limb.
BodyId trunk_body(const Model& model) noexcept {
  std::array<int, kMaxBodies> neighbours{};
  for (int i = 1; i < model.body_count; ++i) {
    ++neighbours[i];
    ++neighbours[model.bodies[i].parent];
  }
  if (neighbours[0] != 1) return BodyId(0);
  for (int i = 1; i < model.body_count; ++i) {
    if (neighbours[i] > 2) return BodyId(i);
  }
  return BodyId(0);
}

// Peels limbs off the tree, layer by layer: the unbranched chains that end in nothing, then those that end in
// nothing once these are gone. Whatever carries a joint that is no hinge stays in the trunk.
void peel(const Tree& tree, Limbs& out) noexcept {
  std::array<bool, kMaxBodies> trunk{};
  std::array<int, kMaxBodies> children{};
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    if (!link.parent.valid() || link.kind != JointKind::kRevolute) trunk[i] = true;
    if (!link.parent.valid()) continue;
    ++children[link.parent];
    if (trunk[i]) trunk[link.parent] = true;
  }
  std::array<std::int16_t, kMaxBodies> limb_of;
  limb_of.fill(-1);
  int placed = 0;
  std::array<bool, kMaxBodies> gone{};
  for (bool found = true; found; out.layer_count += found) {
    found = false;
    const int first = out.count;
    for (int i = 0; i < tree.body_count; ++i) {
      if (trunk[i] || gone[i] || children[i] > 0) continue;
      PlannedLimb& limb = out.limbs[out.count];
      limb.first_layer = out.layer_count;
      limb.bodies = &out.bodies[placed];
      for (BodyId b(i);; b = tree.links[b].parent) {
        out.bodies[placed++] = b;
        ++limb.length;
        limb_of[b] = static_cast<std::int16_t>(out.count);
        limb.parent = tree.links[b].parent;
        if (trunk[limb.parent] || children[limb.parent] != 1) break;
      }
      ++out.count;
      found = true;
    }
    for (int l = first; l < out.count; ++l) {
      for (int k = 0; k < out.limbs[l].length; ++k) gone[out.limbs[l].bodies[k]] = true;
      --children[out.limbs[l].parent];
    }
  }
  for (int l = 0; l < out.count; ++l) {
    const int below = limb_of[out.limbs[l].parent];
    if (below >= 0) out.limbs[l].last_layer = out.limbs[below].first_layer - 1;
  }
}

// The longest limb, not longer than `length`, that may be done in `layer`; with `due`, among those that must.
PlannedLimb* longest(Limbs& limbs, int layer, int length, bool due) noexcept {
  PlannedLimb* best = nullptr;
  for (int l = 0; l < limbs.count; ++l) {
    PlannedLimb& limb = limbs.limbs[l];
    const int last = std::min(limb.last_layer, limbs.layer_count - 1);
    if (limb.planned || limb.length > length || layer < limb.first_layer || layer > last) continue;
    if (due && layer != last) continue;
    if (best == nullptr || limb.length > best->length) best = &limb;
  }
  return best;
}

void fill_pack(const Model& model, const Tree& tree, const PerLane<const PlannedLimb*>& limbs,
               int place, LimbPack& pack) noexcept {
  pack = LimbPack{};
  for (int lane = 0; lane < kLimbLanes; ++lane) {
    const PlannedLimb* limb = limbs[lane];
    // an empty lane reads the coordinates of the first one
    const PlannedLimb& read = limb != nullptr ? *limb : *limbs[0];
    const bool real = limb != nullptr && place < limb->length;
    const BodyId body = read.bodies[real ? read.length - 1 - place : 0];
    const Link& link = tree.links[body];
    pack.q_index[lane] = static_cast<std::int16_t>(link.q_index);
    pack.v_index[lane] = static_cast<std::int16_t>(link.v_index);
    set_lane(lane, Transform<double>{}, pack.X_T);
    pack.armature.set(lane, real ? link.armature : 1);
    pack.sign.set(lane, link.sign);
    pack.gear_ratio.set(lane, 0), pack.free.set(lane, 1);
    if (!real) continue;
    pack.body[lane] = body;
    pack.has_armature |= link.armature != 0;
    set_lane(lane, link.X_T, pack.X_T);
    set_lane(lane, link.I, pack.I);
    pack.gear[lane] = model.gear_of[link.joint];
    if (pack.gear[lane] >= 0) {
      pack.gear_ratio.set(lane, link.sign * model.gear_ratio[link.joint]), pack.free.set(lane, 0);
      pack.has_gears = true;
    }
    for (int i = 0; i < model.body_count; ++i) {
      const bool in_limb = place + 1 < limb->length &&
                           BodyId(i) == limb->bodies[limb->length - 2 - place];
      if (tree.links[i].parent != body) continue;
      pack.carries_limbs |= !in_limb;
      const int gear = model.gear_of[tree.links[i].joint];
      pack.gathers |= !in_limb || (gear >= 0 && gear != model.gear_of[link.joint]);
    }
  }
}

// A group of these limbs, packs and all.
LimbGroup make_group(const Model& model, const Tree& tree, const PerLane<const PlannedLimb*>& limbs,
                     LanePlan& plan) noexcept {
  LimbGroup group;
  group.first_pack = plan.pack_count;
  for (int lane = 0; lane < kLimbLanes; ++lane) {
    const PlannedLimb* limb = limbs[lane];
    group.parent[lane] = limb != nullptr ? limb->parent : limbs[0]->parent;
    group.length[lane] = static_cast<std::int16_t>(limb != nullptr ? limb->length : 0);
    group.pack_count = std::max<int>(group.pack_count, group.length[lane]);
  }
  for (int place = 0; place < group.pack_count; ++place) {
    fill_pack(model, tree, limbs, place, plan.packs[plan.pack_count++]);
  }
  return group;
}

// For each full group the longest limb that is alone in its own and not longer: where there is room for the packs.
void plan_stand_ins(const Model& model, const Tree& tree,
                    const std::array<PerLane<const PlannedLimb*>, kMaxLimbGroups>& members,
                    LanePlan& plan) noexcept {
  for (int g = 0; g < plan.group_count; ++g) {
    const LimbGroup& group = plan.groups[g];
    StandIn& stand_in = plan.stand_ins[g];
    stand_in.group = -1;
    if (members[g][kLimbLanes - 1] == nullptr) continue;
    for (int other = 0; other < plan.group_count; ++other) {
      const int length = plan.groups[other].length[0];
      if (members[other][1] != nullptr || length > group.pack_count) continue;
      // what hangs on it must have come before
      bool carries = false;
      for (int k = 0; k < length; ++k)
        carries |= plan.packs[plan.groups[other].first_pack + k].carries_limbs;
      if (carries && other > g) continue;
      if (stand_in.group >= 0 && length <= plan.groups[stand_in.group].length[0]) continue;
      stand_in.group = static_cast<std::int16_t>(other);
    }
    if (stand_in.group < 0) continue;
    if (plan.pack_count + kLimbLanes * group.pack_count > kMaxLimbPacks) {
      stand_in.group = -1;
      continue;
    }
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      PerLane<const PlannedLimb*> limbs = members[g];
      limbs[lane] = members[stand_in.group][0];
      stand_in.groups[lane] = make_group(model, tree, limbs, plan);
      stand_in.groups[lane].first_scratch = group.first_scratch;
    }
  }
}

}  // namespace

void plan_lanes(Model& model) noexcept {
  LanePlan& plan = model.lanes;
  const auto leave_to_the_trunk = [&] {
    plan.group_count = plan.pack_count = 0;
    plan.group_of.fill(-1);
    plan.lane_of.fill(-1);
  };
  leave_to_the_trunk();
  const Tree tree = make_tree(model, trunk_body(model));
  Limbs limbs;
  peel(tree, limbs);
  std::array<PerLane<const PlannedLimb*>, kMaxLimbGroups> members{};
  for (int layer = 0; layer < limbs.layer_count; ++layer) {
    // where groups run out, those nearer to the trunk join it
    while (plan.group_count < kMaxLimbGroups) {
      PlannedLimb* first = longest(limbs, layer, kMaxBodies, true);
      if (first == nullptr) break;
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        PlannedLimb* limb = lane == 0 ? first : longest(limbs, layer, first->length, false);
        if (limb == nullptr) break;
        limb->planned = true;
        members[plan.group_count][lane] = limb;
        for (int k = 0; k < limb->length; ++k) {
          plan.group_of[limb->bodies[k]] = static_cast<std::int16_t>(plan.group_count);
          plan.lane_of[limb->bodies[k]] = static_cast<std::int16_t>(lane);
        }
      }
      LimbGroup& group = plan.groups[plan.group_count];
      group = make_group(model, tree, members[plan.group_count], plan);
      group.first_scratch = group.first_pack;
      ++plan.group_count;
    }
  }
  // limbs that are all alone in their groups are never worth it: a switch of the root need not weigh them each time
  const auto end = members.begin() + plan.group_count;
  if (std::all_of(members.begin(), end, [](const auto& group) { return group[1] == nullptr; }))
    return leave_to_the_trunk();
  plan_stand_ins(model, tree, members, plan);
}

}  // namespace stance
